/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Snapshots: a world as bytes, and back. For rollback, replay, saved games and bug reports.
 *
 * **After a restore every later call answers as it would have in the saved world, bit for bit**: phases, previous1,
 * lists and the ids of new bodies (ids handed out since the save may be handed out again). Exempt are memory figures,
 * times, work counts of a step's report, errors for want of memory or capacity, and the answers of callbacks.
 *
 * The bytes hold bodies, filters, user data, margin and up, ids to come, and the last step's contacts, parts and ends;
 * no hulls and meshes, only their digests. They are little-endian and a function of the sequence of successful calls:
 * the same on every machine. A save after a restore gives the same bytes. (Where more than 30 filters are or were in
 * use, later saves may differ in the last step's count of candidates, a work count.) The allocator, callbacks,
 * `parallel` and `fixed_capacity` are the restoring world's own. */
#ifndef ABUT_SNAPSHOT_H
#define ABUT_SNAPSHOT_H

#include <abut/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Writes a snapshot of the world if it fits into `capacity`. Always returns its size in bytes; 0 for NULL, and inside
 * should_collide, `accept` of abut_world_sweep and a shape finder. `bytes` may be NULL if `capacity` is 0. It allocates
 * nothing, and any number of threads may call it at the same time. O(bodies + contacts), about as fast as copying the
 * bytes: 68 for each of the most bodies that ever lived at a time, as ids of the dead stay invalid; 144 for a contact.
 */
ABUT_API size_t abut_world_save(const abut_world *world, void *bytes, size_t capacity);

/** Where abut_world_restore finds the shapes that a snapshot names. Its functions may read the world, but not save or
 * change it. A function that is NULL, a NULL answer or a shape with another digest finds nothing. */
typedef struct abut_shape_finder {
    const abut_hull *(*hull)(uint64_t digest, void *user); /**< the hull with this abut_hull_digest; it must live as
                                                              long as bodies use it */
    const abut_mesh *(*mesh)(uint64_t digest, void *user); /**< the same for meshes */
    void *user;                                            /**< yours; passed to both */
} abut_shape_finder;

/** Replaces all that the world holds by what a snapshot says. `finder` may be NULL: shapes are then looked for among
 * those of the world's own bodies; otherwise only the finder is asked, once for each different shape, also where one
 * was not found: so it learns all that a program must load before it calls again.
 *
 * All is checked before anything changes. ABUT_ERROR_ARGUMENT: a null `world` or `bytes`; ABUT_ERROR_FORMAT: bytes that
 * are truncated, too many, of another version, or of no world that could be; ABUT_ERROR_HANDLE: a shape was not found;
 * ABUT_ERROR_CAPACITY or ABUT_ERROR_MEMORY: no room (on a big-endian machine also for a copy of the bytes, whatever the
 * world's capacity); ABUT_ERROR_BUSY: inside a callback of the same world. The world is then as before. A coordinate or
 * contact that has become another valid one is not noticed: keep a checksum with what is stored or sent.
 *
 * The lists of contacts, parts and events are replaced, as by a step. Cost: reads all bytes; the next step and the next
 * question pay only for bodies that differ from what the world held before: rolling back a few bodies costs a few. */
ABUT_API abut_result abut_world_restore(abut_world *world, const void *bytes, size_t size,
                                        const abut_shape_finder *finder);

#ifdef __cplusplus
}
#endif
#endif
