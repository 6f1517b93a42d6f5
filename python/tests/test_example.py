# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""The example runs on all tracks; its numbers are the demo's and its picture shows them. The README's snippets print
what the README says. The cost of a frame of 10,000 boxes is printed."""

import doctest
import pathlib
import re
import statistics
import tempfile
import time
import unittest
import warnings

import numpy as np

import abut
from test_contacts import demo_of
from tracks import TRACKS, TREE, Field, run_python

EXAMPLE = TREE / "python" / "examples" / "hits_over_time.py"


def pixels(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import matplotlib.image
    return (255 * matplotlib.image.imread(path)[..., :3]).round().astype(int)


class Example(unittest.TestCase):
    def draw(self, track, folder):
        """Its output, and its picture's pixels."""
        picture = pathlib.Path(folder, "picture.png")
        status, said, complaints = run_python(str(EXAMPLE), str(track), "-o", str(picture), MPLCONFIGDIR=folder)
        self.assertEqual(status, 0, complaints)
        return said, pixels(picture)

    def test_numbers_and_picture(self):
        for track in TRACKS:
            with tempfile.TemporaryDirectory() as folder:
                said, image = self.draw(track, folder)
            totals = demo_of(track)["totals"]
            numbers = [int(number) for number in re.findall(r"\d+", said)[:5]]
            self.assertEqual(numbers[:3], [totals["pair_frames"], totals["pairs"], totals["frames_with_hit"]], said)
            self.assertEqual(numbers[4], totals["most_in_one_frame"], said)
            self.assertGreater(min(image.shape[:2]), 600)
            colours, counts = np.unique(image.reshape(-1, 3), axis=0, return_counts=True)
            self.assertGreater(len(colours), 500)
            blue = counts[(colours == (0x00, 0x72, 0xB2)).all(1)].sum()  # the first fight's area
            self.assertGreater(blue, 1000)
            saturated = counts[np.ptp(colours, axis=1) > 100].sum()  # the raster
            self.assertGreater(saturated, 0.02 * counts.sum())

    def test_a_track_without_a_hit(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "bodies.csv").write_text("body,name,half_x,half_y,half_z\n0,a_x,1,1,1\n1,b_x,1,1,1\n")
            rows = "".join(f"{f},{b},{9 * b},0,0,0,0,0,1\n" for f in range(3) for b in range(2))
            pathlib.Path(folder, "poses.csv").write_text("frame,body,px,py,pz,qx,qy,qz,qw\n" + rows)
            said, image = self.draw(folder, folder)
        self.assertTrue(said.startswith("0 contacts of 0 pairs in 0 of 3 frames, 0 at most"), said)


class Readme(unittest.TestCase):
    def test_snippets_print_what_it_says(self):
        text = (TREE / "python" / "README.md").read_text()
        snippets = "\n\n".join(re.findall(r"^```pycon\n(.*?)^```", text, flags=re.M | re.S))
        test = doctest.DocTestParser().get_doctest(snippets, {}, "README.md", "README.md", 0)
        self.assertGreater(len(test.examples), 25)
        said = []
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        runner.run(test, out=said.append)
        self.assertEqual(runner.failures, 0, "".join(said))

    def test_every_public_name_is_in_the_readme(self):
        text = (TREE / "python" / "README.md").read_text()
        names = [name for name in dir(abut.World) if not name.startswith("_")]
        names += [name for name, value in vars(abut).items() if not name.startswith("_") and
                  not isinstance(value, type(abut))]
        missing = [name for name in names if not re.search(rf"\b{name}\b", text)]
        self.assertEqual(missing, [])


class Speed(unittest.TestCase):
    def test_a_frame_of_ten_thousand_boxes_is_told(self):
        field, times = Field(10000), {"poses": [], "step": [], "contacts": [], "view": []}
        with abut.World() as world:
            ids = world.create(field.half)
            world.set_poses(ids, field.poses)
            for _ in range(25):
                field.move()
                start = time.thread_time()
                world.set_poses(ids, field.poses)
                posed = time.thread_time()
                report = world.step()
                stepped = time.thread_time()
                contacts = world.contacts()
                copied = time.thread_time()
                viewed = len(world.contacts(copy=False))
                done = time.thread_time()
                for name, seconds in zip(times, (posed - start, stepped - posed, copied - stepped, done - copied)):
                    times[name].append(1e3 * seconds)
                self.assertEqual(len(contacts), viewed)
                self.assertEqual(len(contacts), report.contacts)
        self.assertGreater(report.contacts, 3000)
        medians = ", ".join(f"{name} {statistics.median(values[5:]):.3f}" for name, values in times.items())
        print(f"\n10,000 boxes, {report.contacts} contacts, ms of processor time a frame: {medians}")


if __name__ == "__main__":
    unittest.main()
