/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "peers.h"
#include "broad_peer.h"
#include "cull_peer.h"
#include "mesh_peer.h"
#include "query_peer.h"
#include "sweep_peer.h"
#include "world_peer.h"

const peer_library *const peer_libraries[] = {
#ifdef BENCH_BULLET
    &peer_bullet,
#endif
#ifdef BENCH_ODE
    &peer_ode,
#endif
#ifdef BENCH_CCD
    &peer_ccd,
#endif
#ifdef BENCH_FCL
    &peer_fcl,
#endif
    NULL};

const broad_peer *const broad_peers[] = {
#ifdef BENCH_CGAL
    &broad_peer_cgal,
#endif
#ifdef BENCH_FCL
    &broad_peer_fcl,
#endif
#ifdef BENCH_BULLET
    &broad_peer_bullet,
#endif
#ifdef BENCH_ODE
    &broad_peer_ode,
#endif
    NULL};

const world_peer *const world_peers[] = {
#ifdef BENCH_BULLET
    &world_peer_bullet,
#endif
#ifdef BENCH_ODE
    &world_peer_ode_4, &world_peer_ode_8,
#endif
#ifdef BENCH_FCL
    &world_peer_fcl,
#endif
    NULL};

const cull_peer *const cull_peers[] = {
#ifdef BENCH_BULLET
    &cull_peer_bullet,
#endif
    NULL};

const query_peer *const query_peers[] = {
#ifdef BENCH_EMBREE
    &query_peer_embree,
    &query_peer_embree_triangles,
#endif
#ifdef BENCH_BULLET
    &query_peer_bullet,
#endif
#ifdef BENCH_FCL
    &query_peer_fcl,
    &query_peer_fcl_sweep,
    &query_peer_fcl_samples,
#endif
#ifdef BENCH_CGAL
    &query_peer_cgal,
#endif
#ifdef BENCH_NANOFLANN
    &query_peer_nanoflann,
#endif
    NULL};

const sweep_library *const sweep_libraries[] = {
#ifdef BENCH_BULLET
    &sweep_library_bullet,
#endif
#ifdef BENCH_FCL
    &sweep_library_fcl,
#endif
    NULL};

const mesh_library *const mesh_libraries[] = {
#ifdef BENCH_ODE
    &mesh_library_ode,
#endif
#ifdef BENCH_BULLET
    &mesh_library_bullet,
#endif
#ifdef BENCH_EMBREE
    &mesh_library_embree,
#endif
    NULL};
