# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Triangle meshes and terrains: making, saving, bodies with them, their parts, questions about them."""

import gc
import pickle
import unittest
import weakref

import numpy as np

import abut

SQUARE = np.array([(0, 0, 0), (0, 0, 4), (4, 0, 0), (4, 0, 4)], np.float32)
HALVES = [(0, 1, 2), (2, 1, 3)]


def hills(rows, columns):
    x, z = np.meshgrid(np.arange(columns), np.arange(rows))
    return (0.3 * np.sin(0.7 * x) + 0.2 * np.cos(0.9 * z)).astype(np.float32)


class Meshes(unittest.TestCase):
    def test_what_a_square_is(self):
        mesh = abut.Mesh(SQUARE, HALVES)
        self.assertEqual(mesh.triangle_count, 2)
        np.testing.assert_array_equal(mesh.triangle(1), SQUARE[[2, 1, 3]])
        np.testing.assert_array_equal((mesh.bounds["min"], mesh.bounds["max"]), ((0, 0, 0), (4, 0, 4)))
        self.assertIn("2 triangles", repr(mesh))
        for part in (2, 2**32 - 1):
            self.assertRaises(IndexError, mesh.triangle, part)
        self.assertRaises(ValueError, mesh.triangle, -1)

    def test_a_grid_is_what_its_heights_say(self):
        heights = hills(7, 5)
        mesh = abut.Mesh.grid(heights, spacing=(2, 3, 0.5))
        self.assertEqual(mesh.triangle_count, 2 * 6 * 4)
        for j, i in ((0, 0), (5, 3), (2, 1)):
            corners = [(i, j), (i, j + 1), (i + 1, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)]
            wanted = np.array([(2 * x, 3 * float(heights[z, x]), 0.5 * z) for x, z in corners], np.float32)
            k = 2 * (j * 4 + i)
            np.testing.assert_array_equal(np.concatenate([mesh.triangle(k), mesh.triangle(k + 1)]), wanted)
        heights[3, 2] = np.nan
        holed = abut.Mesh.grid(heights)
        self.assertEqual((holed.triangle_count, np.isnan(holed.triangle(2 * (3 * 4 + 2))).all()), (48, True))
        self.assertEqual(abut.Mesh.grid(np.asfortranarray(hills(7, 5))).to_bytes(), abut.Mesh.grid(hills(7, 5)).to_bytes())

    def test_bounds_are_of_what_can_be_touched(self):
        more = abut.Mesh(SQUARE, HALVES, ghost_count=1)
        np.testing.assert_array_equal(more.bounds["max"], (4, 0, 4))
        bordered = abut.Mesh.grid(np.zeros((9, 9)), ghost_border=2)
        np.testing.assert_array_equal((bordered.bounds["min"], bordered.bounds["max"]), ((2, 0, 2), (6, 0, 6)))

    def test_bytes(self):
        mesh = abut.Mesh.grid(hills(20, 20), two_sided=True)
        for again in (abut.Mesh.from_bytes(mesh.to_bytes()), pickle.loads(pickle.dumps(mesh))):
            self.assertEqual(again.to_bytes(), mesh.to_bytes())
        rng = np.random.default_rng(0)
        for data in (b"", b"abut", mesh.to_bytes()[:-1], rng.bytes(5000)):
            with self.assertRaisesRegex(abut.Error, "FORMAT"):
                abut.Mesh.from_bytes(data)

    def test_no_mesh(self):
        for vertices, triangles, what in ((SQUARE * np.nan, HALVES, "ARGUMENT"), (SQUARE, [(0, 1, 4)], "ARGUMENT"),
                                          (SQUARE * 1e10, HALVES, "LIMIT"), (SQUARE * 0, HALVES, "DEGENERATE")):
            with self.assertRaisesRegex(abut.Error, what):
                abut.Mesh(vertices, triangles)
        self.assertRaisesRegex(abut.Error, "ARGUMENT", abut.Mesh, SQUARE, HALVES, ghost_count=3)
        self.assertRaisesRegex(abut.Error, "ARGUMENT", abut.Mesh.grid, np.zeros((1, 5)))
        self.assertRaisesRegex(abut.Error, "ARGUMENT", abut.Mesh.grid, np.zeros((5, 5)), spacing=(1, 0, 1))
        self.assertRaisesRegex(ValueError, "triangles: shape", abut.Mesh, SQUARE, [0, 1, 2])
        self.assertRaisesRegex(ValueError, "triangles: numbers", abut.Mesh, SQUARE, [(0, 1, -2)])
        self.assertRaisesRegex(TypeError, "triangles: whole numbers", abut.Mesh, SQUARE, [(0, 1, 2.5)])
        self.assertRaisesRegex(ValueError, "vertices: shape", abut.Mesh, SQUARE[:, :2], HALVES)
        self.assertRaisesRegex(ValueError, "heights: shape", abut.Mesh.grid, np.zeros(9))
        self.assertRaisesRegex(TypeError, "heights: numbers", abut.Mesh.grid, [["high"]])


class Bodies(unittest.TestCase):
    def setUp(self):
        self.world = abut.World()
        self.addCleanup(self.world.close)
        self.mesh = abut.Mesh.grid(np.zeros((9, 9)))

    def ground(self, **more):
        return self.world.create(mesh=self.mesh, motion=abut.Motion.STATIC, **more)[0]

    def test_a_shape_may_be_a_mesh(self):
        shape = abut.Shape(mesh=self.mesh)
        self.assertEqual((shape, hash(shape)), (abut.Shape(mesh=self.mesh), hash(abut.Shape(mesh=self.mesh))))
        self.assertNotEqual(shape, abut.Shape(mesh=abut.Mesh(SQUARE, HALVES)))
        self.assertIn("Mesh of 128", repr(shape))
        self.assertEqual(pickle.loads(pickle.dumps(shape)).mesh.to_bytes(), self.mesh.to_bytes())
        np.testing.assert_array_equal(abut.shape_bounds(shape, abut.poses((1, 2, 3)))["max"], [(9, 2, 11)])
        for call in (abut.Shape, self.world.create):
            self.assertRaisesRegex(TypeError, "mesh: an abut.Mesh is wanted, not str", call, mesh="ground")
        self.assertRaisesRegex(abut.Error, "ARGUMENT", self.world.create, mesh=self.mesh, radius=0.1)

    def test_each_body_its_own_mesh_or_a_box(self):
        square = abut.Mesh(SQUARE, HALVES)
        ids = self.world.create((1, 1, 1), mesh=[square, None, self.mesh])
        np.testing.assert_array_equal(self.world.bounds(ids)["max"][:, 0], [4, 1, 8])
        self.assertEqual(self.world.shapes(ids)[2], abut.Shape(mesh=self.mesh))
        self.world.set_shapes(ids[0], abut.Shape(mesh=self.mesh))
        self.assertEqual(self.world.shapes(ids)[0].mesh, self.mesh)
        with self.assertRaisesRegex(ValueError, "mesh: 2 elements, where half has 3|half: 3 elements"):
            self.world.create(np.ones((3, 3)), mesh=[square, None])

    def test_meshes_live_as_long_as_bodies_use_them(self):
        alive = weakref.ref(self.mesh)
        ids = [self.ground(), self.ground(position=(9, 0, 0))]
        other = self.world.create((1, 1, 1), position=(50, 0, 0))
        self.world.set_shapes(other, abut.Shape(mesh=self.mesh))
        del self.mesh
        gc.collect()
        self.world.validate()
        self.world.destroy(ids)
        self.assertIsNotNone(alive())
        self.world.step()
        self.world.close()
        gc.collect()
        self.assertIsNone(alive())

    def test_parts_of_contacts(self):
        self.ground()
        boxes = self.world.create((0.4, 0.5, 0.4), position=[(1.5, 0.4, 1.5), (5.5, 0.4, 2.5)])
        far = self.world.create((9, 1, 1), position=(0, 40, 0), user=7)
        self.world.create((9, 1, 1), position=(0, 41, 0))
        self.world.step()
        contacts, parts = self.world.contacts(), self.world.parts()
        self.assertEqual((parts.dtype, len(contacts)), (abut.CONTACT_PART, 3))
        which = abut.part_contacts(contacts)
        self.assertEqual(len(which), len(parts))
        self.assertEqual(contacts["part_count"][contacts["a"] == far[0]].tolist(), [0])
        for i, contact in enumerate(contacts):
            mine = parts[contact["part_first"]:contact["part_first"] + contact["part_count"]]
            self.assertEqual(np.flatnonzero(which == i).tolist(),
                             list(range(contact["part_first"], contact["part_first"] + len(mine))))
            self.assertEqual(sorted(mine["part"]), mine["part"].tolist())
            if len(mine):
                np.testing.assert_array_equal(abs(mine["manifold"]["normal"]), [(0, 1, 0)] * len(mine))
                np.testing.assert_allclose(abut.depths(mine).max(), 0.1, rtol=1e-5)
                cell = 2 * (8 + 1) if contact["b"] == boxes[0] else 2 * (2 * 8 + 5)
                self.assertLessEqual(set(mine["part"]), {cell, cell + 1})
        number, points = abut.contact_points(parts)
        self.assertTrue(len(points) >= 8 and number.max() == len(parts) - 1)
        self.world.step()
        again = self.world.parts()
        self.assertEqual(again["previous1"].tolist(), list(range(1, 1 + len(parts))))

    def test_a_view_of_parts_holds_up_the_step(self):
        self.ground()
        self.world.create(radius=0.5, position=(1.5, 0.4, 1.5))
        self.assertEqual(len(self.world.parts(copy=False)), 0)
        self.world.step()
        view = self.world.parts(copy=False)
        self.assertEqual((view.tobytes(), view.flags.writeable), (self.world.parts().tobytes(), False))
        self.assertGreater(len(view), 0)
        with self.assertRaisesRegex(BufferError, "copy=False"):
            self.world.step()
        del view
        self.world.step()

    def test_rays_tell_the_triangle(self):
        ground = self.ground(position=(10, 0, 0), user=5)
        x = np.arange(8) + 10.25
        hits = self.world.cast_rays(np.c_[x, np.ones(8), np.full(8, 2.25)], (0, -2, 0))
        np.testing.assert_array_equal(hits["body"], ground)
        np.testing.assert_array_equal(hits["part"], 2 * (2 * 8 + np.arange(8)))
        np.testing.assert_array_equal(hits["normal"], [(0, 1, 0)] * 8)
        self.assertFalse(self.world.test_rays((11, -1, 1.3), (0, 2, 0))[0])  # against the back
        asked = []
        hit = self.world.cast_rays((11.2, 1, 1.3), (0, -2, 0), accept=lambda one: asked.append(one.part) or False)[0]
        self.assertEqual((hit["body"], set(asked)), (0, {2 * (8 + 1)}))

    def test_every_part_of_a_pleated_mesh(self):
        pleats = np.zeros((2, 9), np.float32)
        pleats[:, 1::2] = 1
        self.world.create(mesh=abut.Mesh.grid(pleats), motion=abut.Motion.STATIC)
        way = ((-1, 0.5, 0.4), (10, 0, 0))
        self.assertEqual(len(self.world.ray_hits(*way)), 1)
        parts = self.world.ray_hits(*way, every_part=True)["part"]
        self.assertEqual((parts // 2).tolist(), [0, 2, 4, 6])  # those that face it
        start = abut.poses((-1, 0.5, 0.5))
        self.assertEqual(len(self.world.shape_hits(abut.sphere(0.1), start, (10, 0, 0))), 1)
        parts = self.world.shape_hits(abut.sphere(0.1), start, (10, 0, 0), every_part=True)["part"]
        self.assertLessEqual({0, 2, 4, 6}, set(parts // 2))

    def test_other_questions(self):
        ground, ball = self.ground(), abut.sphere(0.5)
        above, touching = abut.poses((2.3, 2, 2.3)), abut.poses((2.3, 0.25, 2.3))
        self.assertEqual(self.world.overlaps(ball, touching).tolist(), [ground])
        self.assertEqual(len(self.world.overlaps(ball, above)), 0)
        near = self.world.nearest(ball, above)
        self.assertEqual((near["distance"].tolist(), near["part"].tolist()), ([1.5], [2 * (2 * 8 + 2)]))
        touched = self.world.collide(ball, touching)
        self.assertTrue((touched["body"] == ground).all() and len(touched) >= 1)
        np.testing.assert_array_equal(touched["manifold"]["normal"], [(0, 1, 0)] * len(touched))
        hit = self.world.cast_shapes(ball, above, (0, -4, 0))[0]
        self.assertEqual((hit["body"], hit["part"]), (ground, 2 * (2 * 8 + 2)))
        self.assertAlmostEqual(hit["fraction"], 1.5 / 4, delta=1e-6)
        surface = abut.Shape(mesh=self.mesh)
        self.assertTrue(abut.shape_overlap(ball, touching, surface, abut.poses())[0])
        self.assertEqual(abut.shape_distance(ball, above, surface, abut.poses())[0].tolist(), [1.5])
        met, hit = abut.shape_sweep(ball, above, touching, surface, abut.poses(), abut.poses())
        self.assertAlmostEqual(hit["fraction"][0], 1.5 / 1.75, delta=1e-5)
        met, hit = abut.shape_cast_ray(surface, abut.poses(), (2.3, 1, 2.3), (0, -2, 0))
        self.assertEqual((met[0], hit["part"][0]), (True, 2 * (2 * 8 + 2)))


if __name__ == "__main__":
    unittest.main()
