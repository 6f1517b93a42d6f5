# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Errors: wrong shapes and types in the module, wrong values in the library, and every call after close. Nothing crashes
and nothing changes."""

import copy
import pickle
import unittest

import numpy as np

import abut


class Refused(unittest.TestCase):
    def setUp(self):
        self.world = abut.World()
        self.addCleanup(self.world.close)
        self.ids = self.world.create((1, 1, 1), position=[(0, 0, 0), (1.5, 0, 0), (9, 0, 0)], user=[1, 2, 3])
        self.world.step()
        self.hash, self.kept = self.world.hash(), self.world.contacts().tobytes()

    def tearDown(self):
        self.assertEqual((self.world.hash(), self.world.contacts().tobytes()), (self.hash, self.kept))
        self.world.validate()

    def refuses(self, kind, text, call, *arguments, **named):
        with self.assertRaisesRegex(kind, text):
            call(*arguments, **named)

    def test_shapes(self):
        create, move = self.world.create, self.world.set_poses
        self.refuses(ValueError, r"half: shape \(2,\), but \(3,\) or \(n, 3\) is wanted", create, (1, 1))
        self.refuses(ValueError, "half: shape", create, 1.0)
        self.refuses(ValueError, "half: shape", create, np.ones((2, 2, 3)))
        self.refuses(ValueError, "rotation: shape", create, (1, 1, 1), rotation=(0, 0, 1))
        self.refuses(ValueError, "user: 3 elements, where position has 2", create, (1, 1, 1), position=np.zeros((2, 3)),
                     user=[1, 2, 3])
        self.refuses(ValueError, "user: shape", create, (1, 1, 1), user=[[1]])
        self.refuses(ValueError, "poses: 2 elements, where ids has 3", move, self.ids, np.zeros(2, abut.POSE))
        self.refuses(ValueError, "position: 2 elements, where ids has 3|position: 2", move, self.ids,
                     position=np.zeros((2, 3)))
        self.refuses(ValueError, "poses: shape", move, self.ids, np.zeros((3, 1), abut.POSE))
        self.refuses(ValueError, "poses: shape", move, self.ids, np.zeros((3, 8)))
        self.refuses(ValueError, "position", move, self.ids[:1], position=np.zeros((3, 3)))
        self.refuses(ValueError, "user: 2 elements, where ids has 3", self.world.set_users, self.ids, [1, 2])
        self.refuses(ValueError, "mask: 2 elements", self.world.set_filters, self.ids, mask=[1, 2])
        self.refuses(ValueError, "body: shape", self.world.body_contacts, self.ids)
        self.refuses(ValueError, "ids: shape", self.world.destroy, [[1]])
        self.refuses(ValueError, "up: shape", abut.World, up=(0, 1))

    def test_lists_of_different_lengths(self):
        self.refuses(ValueError, "position: ", self.world.create, (1, 1, 1), position=[(1, 2, 3), (4, 5)])
        self.refuses(ValueError, "ids: ", self.world.destroy, [[1], [2, 3]])
        self.refuses(ValueError, "poses: ", self.world.set_poses, self.ids, [[0] * 7, [0] * 6, [0] * 7])
        self.refuses(ValueError, "triangles: ", abut.Mesh, np.eye(3), [[0, 1, 2], [0, 1]])

    def test_masks(self):
        """An element that a mask hides is not read as if it were there; a mask that hides nothing does no harm."""
        masked = np.ma.masked_array(np.zeros((3, 3)), mask=[[0, 0, 0], [0, 1, 0], [0, 0, 0]])
        self.refuses(ValueError, "position: some elements are masked", self.world.create, (1, 1, 1), position=masked)
        self.refuses(ValueError, "ids: some elements are masked", self.world.destroy,
                     np.ma.masked_array(self.ids, mask=[1, 0, 0]))
        with abut.World() as other:
            self.assertEqual(len(other.create(np.ma.masked_array(np.ones((2, 3))))), 2)

    def test_types(self):
        create, move = self.world.create, self.world.set_poses
        self.refuses(TypeError, "half: numbers are wanted", create, ("a", "b", "c"))
        self.refuses(TypeError, "half: numbers are wanted", create, (1j, 1, 1))
        self.refuses(TypeError, "half: numbers are wanted", create, [None, 1, 1])
        self.refuses(TypeError, "user: whole numbers are wanted", create, (1, 1, 1), user=1.5)
        self.refuses(TypeError, "ids: whole numbers are wanted", self.world.destroy, self.ids.astype(float))
        self.refuses(TypeError, "ids: whole numbers are wanted", self.world.destroy, "12")
        self.refuses(TypeError, "ids: whole numbers are wanted", self.world.destroy, [None])
        self.refuses(TypeError, "hull: an abut.Hull is wanted, not str", create, hull="rock")
        self.refuses(TypeError, "poses: an array of position rotation is wanted", move, self.ids,
                     np.zeros(3, abut.AABB))
        self.refuses(TypeError, "either poses", move, self.ids, np.zeros(3, abut.POSE), position=(0, 0, 0))
        self.refuses(TypeError, "poses, position or rotation", move, self.ids)
        self.refuses(TypeError, "frusta: a Frustum is wanted", self.world.cull, [np.zeros(1200, np.uint8)])
        self.refuses(TypeError, "candidates: an array of center axis half", self.world.test_placements,
                     np.zeros(2, abut.POSE))
        self.refuses(TypeError, "contact_margin: a number is wanted", abut.World, contact_margin="wide")
        self.refuses(TypeError, "should_collide: a function is wanted", abut.World, should_collide=5)
        for text in ("1.5", b"1.5", bytearray(b"1.5"), np.str_("1.5"), np.array("1.5")):
            self.refuses(TypeError, "radius: a number is wanted", abut.sphere, text)
        for number in (5, [1, 2], "abc", None):
            for call in (abut.Hull.from_bytes, abut.Mesh.from_bytes, self.world.restore):
                self.refuses(TypeError, "data: bytes are wanted, not", call, number)
        for several in ([], [None], (abut.Hull.wedge((1, 1, 1)),)):
            self.refuses(TypeError, "hull: an abut.Hull is wanted, not", abut.Shape, hull=several)
            self.refuses(TypeError, "mesh: an abut.Mesh is wanted, not", abut.Shape, mesh=several)
        self.refuses(TypeError, "frusta: a Frustum is wanted, not int", self.world.cull, 5)
        self.refuses(TypeError, "frusta: a Frustum is wanted, not NoneType", self.world.cull, None)
        self.refuses(ValueError, "half: shape", abut.Hull.wedge, np.ones((2, 3)))

    def test_wrong_numbers_are_named_with_element_and_field(self):
        nan, far = float("nan"), 2e9
        many, rows = np.ones((20, 3)), self.ids[:2]
        many[17, 1] = nan
        self.refuses(abut.Error, r"ARGUMENT \(create, element 17: half is \(1.0, nan, 1.0\)\)", self.world.create, many)
        self.refuses(abut.Error, r"ARGUMENT \(create, element 1: radius is -1.0\)", self.world.create, radius=[1, -1])
        self.refuses(abut.Error, "create, element 0: box_position is", self.world.create, (1, 1, 1), box_position=(nan, 0, 0))
        self.refuses(abut.Error, "create, element 0: rotation is", self.world.create, (1, 1, 1), rotation=(0, 0, nan, 1))
        self.refuses(abut.Error, r"LIMIT \(set_poses, element 1: position is \(0.0, 2000000000.0, 0.0\)\)",
                     self.world.set_poses, rows, position=[(0, 0, 0), (0, far, 0)])
        self.refuses(abut.Error, "cast_rays, element 2: translation is", self.world.cast_rays, (0, 0, 0),
                     [(1, 0, 0), (0, 1, 0), (0, nan, 0)])
        self.refuses(abut.Error, "test_rays, element 0: origin is", self.world.test_rays, (np.inf, 0, 0), (1, 0, 0))
        self.refuses(abut.Error, "cast_shapes, element 1: pose position is", self.world.cast_shapes, abut.sphere(1),
                     abut.poses([(0, 0, 0), (nan, 0, 0)]), (1, 0, 0))
        self.refuses(abut.Error, "Hull, element 3: points is", abut.Hull, np.vstack([np.eye(3), [[0, nan, 0]]]))
        self.refuses(abut.Error, r"HANDLE \(set_poses, element 1\)", self.world.set_poses, [self.ids[0], 77],
                     position=(0, 0, 0), rotation=(0, 0, 0, 1))

    def test_only_what_is_wrong_is_named(self):
        """Rotations, translations and axes may be of any length; so may the positions of attached bodies and of boxes,
        which count from elsewhere."""
        nan, far, bad = float("nan"), 2e9, [(0, 0, 0), (float("nan"), 0, 0)]
        long = [(0, 0, 0, far), (0, 0, 0, 1)]
        create, rays, ball = self.world.create, self.world.cast_rays, abut.sphere(1)
        self.refuses(abut.Error, r"\(create, element 1: position is \(nan", create, (1, 1, 1), position=bad, rotation=long)
        self.refuses(abut.Error, r"\(set_poses, element 1: position is \(nan", self.world.set_poses, self.ids[:2],
                     position=bad, rotation=long)
        self.refuses(abut.Error, r"\(sweep, element 1: position is \(nan", self.world.sweep, self.ids[:2], position=bad,
                     rotation=long)
        self.refuses(abut.Error, r"\(cast_rays, element 1: translation is \(nan", rays, (0, 0, 0), [(far, 0, 0), (nan, 0, 0)])
        self.refuses(abut.Error, r"\(test_rays, element 1: origin is \(nan", self.world.test_rays, bad, (far, 0, 0))
        self.refuses(abut.Error, r"LIMIT \(test_rays, element 1: origin is", self.world.test_rays, [(0, 0, 0), (far, 0, 0)],
                     [(far, 0, 0), (0, 0, 0)])
        self.refuses(abut.Error, r"\(cast_shapes, element 1: pose position is \(nan", self.world.cast_shapes, ball,
                     abut.poses(bad), (far, 0, 0))
        self.refuses(abut.Error, r"\(test_placements, element 1: center is \(nan", self.world.test_placements,
                     abut.obb2s([(far, 0), (nan, 0)], (1, 1), axis=(far, 0)))
        self.refuses(abut.Error, r"\(nearest_many, element 1: points is \(nan", self.world.nearest_many,
                     [(far, 0, 0), (nan, 0, 0)])
        with abut.World() as world:
            top = world.create((1, 1, 1), position=(-0.9e9, 0, 0))
            self.refuses(abut.Error, r"LIMIT \(create\)", world.create, (1, 1, 1), parent=top,
                         position=[(1.5e9, 0, 0), (1.95e9, 0, 0)])
            self.refuses(abut.Error, r"LIMIT \(create\)", world.create, (1, 1, 1), position=(-0.9e9, 0, 0),
                         box_position=[(1.5e9, 0, 0), (1.95e9, 0, 0)])
            ids = world.create((1, 1, 1), parent=top, position=[(0, 0, 0), (0, 0, 0)])
            self.refuses(abut.Error, r"LIMIT \(set_poses, element 1: position is \(1950000000", world.set_poses, ids,
                         position=[(1.5e9, 0, 0), (1.95e9, 0, 0)])

    def test_no_element_is_named_where_none_is_wrong(self):
        none, poses, bad = np.zeros((0, 3)), np.zeros(0, abut.POSE), {"category": abut.MASK_NONE}
        for name, call in (("cast_rays", lambda: self.world.cast_rays(none, (1, 0, 0), **bad)),
                           ("test_rays", lambda: self.world.test_rays(none, (1, 0, 0), **bad)),
                           ("overlaps_many", lambda: self.world.overlaps_many(abut.sphere(1), poses, **bad)),
                           ("nearest_many", lambda: self.world.nearest_many(none, **bad)),
                           ("cast_shapes", lambda: self.world.cast_shapes(abut.sphere(1), poses, (1, 0, 0), **bad)),
                           ("sweep", lambda: self.world.sweep([], poses, **bad)),
                           ("cast_rays", lambda: self.world.cast_rays([(0, 0, 0)], (1, 0, 0), **bad)),
                           ("test_placements", lambda: self.world.test_placements(np.zeros(0, abut.OBB2), **bad))):
            self.refuses(abut.Error, rf"ARGUMENT \({name}: category is {abut.MASK_NONE}\)", call)

    def test_sizes_are_named(self):
        world, ball, there = self.world, abut.sphere(1), abut.poses((0, 0, 0))
        for call, field, wrong, ask in (
                ("World", "contact_margin", -1.0, lambda x: abut.World(contact_margin=x)),
                ("sweep", "allowance", -1.0, lambda x: world.sweep(self.ids[0], position=(9, 0, 0), allowance=x)),
                ("sweep", "allowance", np.inf, lambda x: world.sweep(self.ids[0], position=(9, 0, 0), allowance=x)),
                ("collide", "margin", -0.5, lambda x: world.collide(ball, there, x)),
                ("nearest", "max_distance", -2.0, lambda x: world.nearest(ball, there, 1, x)),
                ("nearest_many", "max_distance", np.nan, lambda x: world.nearest_many((0, 0, 0), 1, x)),
                ("test_placements", "clearance", -1.0,
                 lambda x: world.test_placements(np.zeros(1, abut.OBB2), clearance=x))):
            self.refuses(abut.Error, rf"ABUT_ERROR_ARGUMENT \({call}: {field} is {wrong}\)", ask, wrong)

    def test_single_questions_refuse_what_batches_refuse(self):
        nan, far, world, ball = float("nan"), 2e9, self.world, abut.sphere(1)
        mesh = abut.Shape(mesh=abut.Mesh(np.eye(3), [(0, 1, 2)]))
        placed = {"overlaps": world.overlaps, "collide": world.collide, "nearest": world.nearest,
                  "shape_hits": lambda shape, pose, **query: world.shape_hits(shape, pose, (1, 0, 0), **query)}
        for name, ask in placed.items():
            pose = "pose " if name == "shape_hits" else ""
            for shape, at, fault in ((ball, abut.poses((nan, 0, 0)), rf"ARGUMENT \({name}: {pose}position is \(nan, 0"),
                                     (ball, abut.poses((0, 0, 0), (0, nan, 0, 1)), rf"ARGUMENT \({name}: {pose}rotation is"),
                                     (ball, abut.poses((far, 0, 0)), rf"LIMIT \({name}: {pose}position is \(2000000000"),
                                     (abut.sphere(-1), abut.poses(), rf"ARGUMENT \({name}: radius is -1.0\)"),
                                     (abut.box((1, nan, 1)), abut.poses(), rf"ARGUMENT \({name}: half is \(1.0, nan"),
                                     (mesh, abut.poses(), rf"ARGUMENT \({name}: shape is abut.Shape\(mesh=")):
                self.refuses(abut.Error, fault, ask, shape, at)
            self.refuses(abut.Error, rf"ARGUMENT \({name}: category is {abut.MASK_NONE}\)", ask, ball, abut.poses(),
                         category=abut.MASK_NONE)
            self.assertEqual(len(ask(ball, abut.poses((0, 500, 0)), mask=abut.MASK_NONE)), 0)  # nothing is no fault
        self.refuses(abut.Error, r"ARGUMENT \(shape_hits: translation is", world.shape_hits, ball, abut.poses(), (nan, 0, 0))
        self.refuses(abut.Error, r"ARGUMENT \(ray_hits: origin is \(nan", world.ray_hits, (nan, 0, 0), (1, 0, 0))
        self.refuses(abut.Error, r"ARGUMENT \(ray_hits: translation is", world.ray_hits, (0, 0, 0), (1, np.inf, 0))
        self.refuses(abut.Error, r"LIMIT \(ray_hits: origin is", world.ray_hits, (0, far, 0), (1, 0, 0))
        self.refuses(abut.Error, r"ARGUMENT \(in_bounds: box is \(0.0, 0.0, nan", world.in_bounds, (0, 0, nan, 1, 1, 1))
        self.refuses(abut.Error, r"ARGUMENT \(in_bounds: box is \(2.0, ", world.in_bounds, (2, 0, 0, 1, 1, 1))
        self.refuses(abut.Error, r"ARGUMENT \(nearest_many, element 1: points is", world.nearest_many,
                     [(0, 0, 0), (0, nan, 0)])
        self.assertEqual(len(world.ray_hits((0, 500, 0), (0, 1, 0))), 0)
        self.assertEqual(len(world.in_bounds((-np.inf, -np.inf, -np.inf, np.inf, np.inf, np.inf))), 3)
        for name, ask in (("ray_hits", lambda **query: world.ray_hits((0, 0, 0), (1, 0, 0), **query)),
                          ("in_bounds", lambda **query: world.in_bounds((0, 0, 0, 1, 1, 1), **query)),
                          ("cull", lambda **query: world.cull(abut.Frustum(), **query)),
                          ("nearest_many", lambda **query: world.nearest_many((0, 0, 0), **query))):
            self.refuses(abut.Error, rf"ARGUMENT \({name}: category is {abut.MASK_NONE}\)", ask, category=abut.MASK_NONE)

    def test_wrong_parts_of_meshes_are_named(self):
        nan, corners, mesh, grid = float("nan"), np.eye(3), abut.Mesh, abut.Mesh.grid
        self.refuses(abut.Error, r"ARGUMENT \(Mesh, element 1: triangles is \(0, 1, 3\)\)", mesh, corners,
                     [(0, 1, 2), (0, 1, 3)])
        self.refuses(abut.Error, r"ARGUMENT \(Mesh, element 2: vertices is \(0.0, 0.0, nan\)\)", mesh,
                     [(1, 0, 0), (0, 1, 0), (0, 0, nan)], [(0, 1, 2)])
        self.refuses(abut.Error, r"LIMIT \(Mesh, element 0: vertices is \(2000000000", mesh, corners * 2e9, [(0, 1, 2)])
        self.refuses(abut.Error, r"ARGUMENT \(Mesh: ghost_count is 2\)", mesh, corners, [(0, 1, 2)], ghost_count=2)
        self.refuses(abut.Error, r"DEGENERATE \(Mesh\)", mesh, corners, [(0, 0, 0)])
        heights = np.zeros((3, 4))
        heights[0, 1], heights[2, 3] = nan, 7e8  # a hole, and what is high
        self.refuses(abut.Error, r"LIMIT \(Mesh.grid: heights\[2, 3\] is 700000000.0\)", grid, heights, spacing=(1, 2, 1))
        heights[2, 3] = np.inf
        self.refuses(abut.Error, r"ARGUMENT \(Mesh.grid: heights\[2, 3\] is inf\)", grid, heights)
        self.refuses(abut.Error, r"ARGUMENT \(Mesh.grid: spacing is \(1.0, 0.0, 1.0\)\)", grid, np.zeros((3, 4)),
                     spacing=(1, 0, 1))

    def test_numbers_that_do_not_fit(self):
        create = self.world.create
        self.refuses(ValueError, "user: numbers from 0", create, (1, 1, 1), user=-1)
        self.refuses(ValueError, "user: numbers from 0", create, (1, 1, 1), user=2**64)
        self.refuses(ValueError, "group: numbers from -2147483648", create, (1, 1, 1), group=2**31)
        self.refuses(ValueError, "ids: numbers", self.world.destroy, [-1])
        self.refuses(ValueError, "ids: numbers", self.world.valid, [2**64])
        self.refuses(ValueError, "body_capacity: numbers", abut.World, body_capacity=-1)
        self.refuses(ValueError, "max_vertices: numbers", abut.Hull, np.eye(4, 3), max_vertices=-1)
        self.refuses(abut.Error, "ARGUMENT", abut.World, contact_margin=10**400)  # infinity, as in arrays
        self.refuses(abut.Error, "ARGUMENT", abut.World, contact_margin=-10**400)
        self.refuses(ValueError, "at most 32", self.world.cull, [abut.Frustum()] * 33)

    def test_values_are_the_librarys_to_refuse(self):
        nan, create = float("nan"), self.world.create
        argument, handle = "ABUT_ERROR_ARGUMENT", "ABUT_ERROR_HANDLE"
        self.refuses(abut.Error, argument, create)  # neither half nor hull
        self.refuses(abut.Error, argument, create, (1, -1, 1))
        self.refuses(abut.Error, argument, create, (nan, 1, 1))
        self.refuses(abut.Error, argument, create, (1, 1, 1), rotation=(0, nan, 0, 1))
        self.refuses(abut.Error, "ABUT_ERROR_LIMIT", create, (1, 1, 1), position=(2e9, 0, 0))
        self.refuses(abut.Error, argument, create, (1, 1, 1), motion=2)
        self.refuses(abut.Error, argument, create, (1, 1, 1), detail=-1)
        self.refuses(abut.Error, argument, create, (1, 1, 1), category=abut.MASK_NONE)
        self.refuses(abut.Error, handle, create, (1, 1, 1), parent=12345)
        self.refuses(abut.Error, handle, create, [(1, 1, 1)] * 500, parent=[0] * 499 + [99])
        self.refuses(abut.Error, handle, self.world.poses, [self.ids[0], 0])
        self.refuses(abut.Error, handle, self.world.set_poses, [0], position=(0, 0, 0))
        self.refuses(abut.Error, argument, self.world.set_filters, self.ids[0], category=abut.MASK_NONE)
        self.refuses(abut.Error, argument, abut.World, contact_margin=-1)
        self.refuses(abut.Error, argument, abut.World, contact_margin=nan)
        self.refuses(abut.Error, argument, abut.World, up=(nan, 0, 0))
        self.refuses(abut.Error, "ABUT_ERROR_MEMORY", abut.World, body_capacity=2**32 - 1)
        self.refuses(abut.Error, argument, self.world.test_placements, abut.obb2s((nan, 0), (1, 1)))
        self.refuses(ValueError, "Touch", self.world.test_placements, abut.obb2s((0, 0), (1, 1)), touch=2)

    def test_foreign_and_stale_ids(self):
        with abut.World() as other:
            foreign = other.create((1, 1, 1), position=[(3 * i, 0, 0) for i in range(9)])[8]
        with abut.World() as used:
            used.destroy(used.create((1, 1, 1)))
            second = used.create((1, 1, 1))[0]
        for body in (foreign, second, 0, 2**64 - 1, 2**32, 5):
            self.assertFalse(self.world.valid(body)[0])
            self.assertEqual(len(self.world.body_contacts(body)), 0)
            for call in (self.world.destroy, self.world.poses, self.world.world_poses, self.world.bounds,
                         self.world.filters, self.world.motions, self.world.details, self.world.users):
                self.refuses(abut.Error, "ABUT_ERROR_HANDLE", call, body)

    def test_a_full_world_says_so(self):
        with abut.World(body_capacity=2, pair_capacity=1, fixed_capacity=True) as world:
            ids = world.create((1, 1, 1), position=[(0, 0, 0), (1, 0, 0)])
            self.refuses(abut.Error, "ABUT_ERROR_CAPACITY", world.create, (1, 1, 1))
            self.assertEqual(world.step().contacts, 1)
            self.assertEqual(world.bodies().tolist(), ids.tolist())

    def test_errors_tell_what_happened(self):
        with self.assertRaises(abut.Error) as caught:
            self.world.destroy([5])
        error = caught.exception
        self.assertEqual((error.code, error.call, error.index), ("ABUT_ERROR_HANDLE", "destroy", 0))
        self.assertEqual(str(error), "ABUT_ERROR_HANDLE (destroy, element 0)")
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))

    def test_errors_name_the_body_that_does_not_live(self):
        a, b = self.ids[:2]
        for call in (self.world.destroy, self.world.poses, self.world.bounds):
            self.refuses(abut.Error, r"HANDLE \(\w+, element 2\)$", call, [a, b, 77, 78])
        self.refuses(abut.Error, r"HANDLE \(set_poses, element 1\)$", self.world.set_poses, [a, 77], position=(0, 0, 0))
        self.refuses(abut.Error, r"HANDLE \(create, element 2\)$", self.world.create, [(1, 1, 1)] * 4, parent=[0, b, 77, 0])

    def test_errors_name_the_setting(self):
        create, boxes = self.world.create, [(1, 1, 1)] * 3
        mesh = abut.Mesh([(0, 0, 0), (0, 0, 1), (1, 0, 0)], [(0, 1, 2)])
        self.refuses(abut.Error, r"element 0: half is \(0.0, 0.0, 0.0\)\)$", create)
        self.refuses(abut.Error, r"element 1: half is \(0.0, 0.0, 0.0\)\)$", create, [(1, 1, 1), (0, 0, 0)])
        self.refuses(abut.Error, r"element 2: motion is 7\)$", create, boxes, motion=[0, 1, 7])
        self.refuses(abut.Error, r"element 1: detail is -1\)$", create, boxes, detail=[2, -1, 3])
        self.refuses(abut.Error, rf"element 0: category is {abut.MASK_NONE}\)$", create, boxes, category=abut.MASK_NONE)
        self.refuses(abut.Error, r"element 0: radius is 0.5\)$", create, mesh=mesh, radius=0.5)
        # the first element counts, of whatever kind the fault is
        self.refuses(abut.Error, r"element 1: half is ", create, [(1, 1, 1), (1, -1, 1), (1, 1, 1)], motion=[0, 0, 7])
        self.refuses(abut.Error, r"element 1: motion is ", create, [(1, 1, 1), (1, 1, 1), (1, -1, 1)], motion=[0, 7, 0],
                     parent=[0, 0, 77])

    def test_an_unknown_keyword_is_named(self):
        self.refuses(TypeError, "^unexpected keyword argument .nonsense.$", self.world.cast_rays, (0, 9, 0), (0, -9, 0),
                     nonsense=1)

    def test_busy_is_no_elements_fault(self):
        changes = {"set_poses": lambda world, ids: world.set_poses(ids, abut.poses()),
                   "set_shapes": lambda world, ids: world.set_shapes(ids, abut.sphere(1)),
                   "set_users": lambda world, ids: world.set_users(ids, 1),
                   "set_filters": lambda world, ids: world.set_filters(ids, mask=1)}
        for name, change in changes.items():
            with abut.World(should_collide=lambda *_: change(world, ids)) as world:
                ids = world.create((1, 1, 1), position=[(0, 0, 0), (1, 0, 0)])
                self.refuses(abut.Error, rf"^ABUT_ERROR_BUSY \({name}\)$", world.step)

    def test_a_shape_is_immutable(self):
        rock = abut.convex(abut.Hull.wedge((1, 1, 1)))
        for name in ("hull", "mesh", "_struct"):
            self.refuses(AttributeError, "immutable", setattr, rock, name, None)
            self.refuses(AttributeError, "immutable", delattr, rock, name)

    def test_a_world_is_not_copied(self):
        for call in (pickle.dumps, copy.copy, copy.deepcopy):
            self.refuses(TypeError, "neither copied nor pickled", call, self.world)


class Closed(unittest.TestCase):
    def test_nothing_works_after_close(self):
        world = abut.World()
        ids = world.create((1, 1, 1))
        with world as same:
            self.assertIs(same, world)
        world.close()
        frustum, place, ball, pose = abut.Frustum(), abut.obb2s((0, 0), (1, 1)), abut.sphere(1), abut.poses()
        calls = [lambda: len(world), world.step, world.contacts, world.events, world.bodies, world.poses,
                 world.world_poses, world.bounds, world.filters, world.motions, world.details, world.users, world.hash,
                 world.validate, world.memory, lambda: world.contacts(copy=False), lambda: world.create((1, 1, 1)),
                 lambda: world.destroy(ids), lambda: world.valid(ids), lambda: world.body_contacts(ids[0]),
                 lambda: world.set_poses(ids, position=(0, 0, 0)), lambda: world.set_users(ids, 1),
                 lambda: world.set_motions(ids, 1), lambda: world.set_details(ids, 1), lambda: world.cull(frustum),
                 lambda: world.set_filters(ids, mask=1), lambda: world.test_placements(place), world.__enter__,
                 world.shapes, world.shape_poses, world.parents, world.roots,
                 lambda: world.set_shapes(ids, abut.sphere(1)), lambda: world.cast_rays((0, 0, 0), (1, 0, 0)),
                 lambda: world.test_rays((0, 0, 0), (1, 0, 0)), lambda: world.ray_hits((0, 0, 0), (1, 0, 0)),
                 lambda: world.overlaps(ball, pose), lambda: world.overlaps_many(ball, pose),
                 lambda: world.collide(ball, pose), lambda: world.in_bounds((0, 0, 0, 1, 1, 1)),
                 lambda: world.nearest(ball, pose), lambda: world.nearest_many((0, 0, 0)), world.refresh,
                 world.parts, lambda: world.parts(copy=False), world.pairs, world.save, lambda: world.restore(b""),
                 lambda: world.shift((0, 0, 0))]
        for call in calls:
            with self.assertRaisesRegex(ValueError, "closed"):
                call()
        self.assertIn("closed", repr(world))
        public = {name for name in dir(abut.World) if not name.startswith("_")} - {"close"}
        self.assertLessEqual(len(public), len(calls))


if __name__ == "__main__":
    unittest.main()
