#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""The testbed's page in a browser without a window.

browser.py --module FOLDER --hashes PROGRAM --screenshots FOLDER [--part NUMBER/PARTS] [ARGUMENTS OF unittest]

FOLDER holds abut-testbed.wasm; PROGRAM is abut-testbed-hashes, built natively. A part is every PARTS-th test, so that
several browsers may share the tests. Nothing here waits for a time to pass, only for what must become true.
"""
import argparse
import math
import subprocess
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import page
from page import DESKTOP, PHONE, PageTest

SCENES = ("fight", "tumbling", "pile", "culling", "placement", "round", "queries", "cannon", "terrain")
FRAMES = 600  # of which the hashes must be equal
LOSE_GRAPHICS = """window.lose = document.getElementById('view').getContext('webgl2').getExtension('WEBGL_lose_context');
    window.lose.loseContext()"""
SHOWN = "return [abutTestbed.hash(), abutTestbed.bodies(), abutTestbed.drawn()]"  # in the last picture


def setUpModule():
    page.begin()


def load_tests(loader, suite, pattern):
    """Those of the wanted part."""
    del loader, pattern
    number, parts = page.options.part
    every = [test for group in suite for test in group]
    return unittest.TestSuite(every[number - 1::parts])


class Scenes(PageTest):
    def test_every_scene_shows_and_runs_on_a_desktop(self):
        self.show_and_run(DESKTOP)

    def test_every_scene_shows_and_runs_on_a_phone(self):
        self.show_and_run(PHONE)

    def show_and_run(self, size):
        for scene in SCENES:
            with self.subTest(scene=scene):
                self.open(size, scene=scene, paused=1)
                self.click("#pause")
                self.wait("return abutTestbed.report().frame > 3")
                self.run_js("abutTestbed.run(arguments[0], 240)", scene)  # pauses; while time goes on a click waits for 20 pictures
                self.assertEqual(self.text("#scenes [aria-current]").lower(), scene)
                self.assertTrue(self.text("#sentence").endswith((".", "?")))
                picture = self.screenshot(f"{scene}-{size.name}")
                self.assertGreater(picture["colours"], 300)
                self.assertGreater(picture["spread"], 20)

    def test_bits_are_those_of_the_native_library(self):
        reported = subprocess.run([page.options.hashes, str(FRAMES)], capture_output=True, text=True, check=True).stdout
        native = {name: digits for name, frames, digits in map(str.split, reported.splitlines()) if int(frames) == FRAMES}
        self.assertEqual(set(native), set(SCENES))
        self.open(DESKTOP, paused=1)
        self.run_js(LOSE_GRAPHICS)  # pictures that nobody looks at take most of the time
        for scene in SCENES:
            with self.subTest(scene=scene):
                self.run_js("abutTestbed.run(arguments[0], 0)", scene)
                while self.report()["frame"] < FRAMES:  # in parts, so that a slow machine is not taken for a hung one
                    self.run_js("abutTestbed.advance(Math.min(50, arguments[0] - abutTestbed.report().frame))", FRAMES)
                self.assertEqual(self.report()["frame"], FRAMES)
                self.assertEqual(self.run_js("return abutTestbed.hash()"), native[scene])

    def test_colours_of_the_legend_are_those_of_the_scene(self):
        self.open(DESKTOP, paused=1)
        for scene in SCENES:
            missing = self.run_js("""abutTestbed.run(arguments[0], 1);
                return [...document.querySelectorAll("#legend li")].map(e => e.style.getPropertyValue("--colour")).filter(Boolean)""",
                                  scene)
            self.assertTrue(missing)
            while missing and self.report()["frame"] < 600:
                missing = self.run_js("""let missing = new Set(arguments[0]);
                    for (let frame = 0; frame < 30 && missing.size > 0; ++frame) {
                        Object.keys(abutTestbed.redrawn().colours).forEach(colour => missing.delete(colour));
                        abutTestbed.advance(1);
                    }
                    return [...missing]""", missing)
            self.assertEqual(missing, [], scene)

    def test_as_many_bodies_as_there_may_be(self):
        self.open(DESKTOP, scene="tumbling", paused=1, count=10 ** 9)
        most = self.run_js("return Number(document.getElementById('count').max)")
        self.assertGreaterEqual(most, 10000)
        self.assertEqual(self.report()["bodies"], most)  # memory has grown since the first view of it
        self.assertEqual(len(self.run_js("return abutTestbed.bodies()")), most)
        self.assertGreater(self.screenshot()["colours"], 300)


class Time(PageTest):
    def test_pause_stops_time(self):
        self.open(DESKTOP, scene="tumbling", count=300)
        self.wait("return abutTestbed.report().frame > 3")
        self.click("#pause")
        self.assertEqual(self.name_of("#pause"), "Go on")
        before, frame = self.picture(), self.report()["frame"]
        self.pictures(5)
        self.assertEqual(self.report()["frame"], frame)
        self.assertEqual(self.picture()["grid"], before["grid"])
        self.click("#pause")
        self.assertEqual(self.name_of("#pause"), "Pause")
        self.wait("return abutTestbed.report().frame > arguments[0] + 3", frame)

    def test_step_makes_one_frame(self):
        self.open(DESKTOP, scene="tumbling", count=300, paused=1)
        before, frame = self.picture(), self.report()["frame"]
        for made in range(1, 4):
            self.click("#step")
            self.pictures(2)
            self.assertEqual(self.report()["frame"], frame + made)
        self.assertNotEqual(self.picture()["grid"], before["grid"])

    def test_step_pauses(self):
        self.open(DESKTOP, scene="fight")
        self.wait("return abutTestbed.report().frame > 3")
        self.click("#step")
        self.assertTrue(self.state()["paused"])

    def test_the_slider_goes_back_and_time_goes_on_from_there(self):
        for scene in SCENES:
            with self.subTest(scene=scene):
                self.open(DESKTOP, scene=scene, paused=1, count=60)
                self.run_js("abutTestbed.advance(29)")
                self.pictures(2)
                slider, last = self.find("#past"), self.run_js(SHOWN)
                self.assertEqual([slider.get_property(name) for name in ("min", "max", "value")], ["1", "30", "30"])
                slider.send_keys(Keys.ARROW_LEFT * 20)
                self.assertEqual((self.report()["frame"], self.state()["paused"], self.state()["trouble"]), (10, True, ""))
                self.assertEqual(self.text("#past-value"), "-0.3 s")
                self.assertNotEqual(self.run_js("return abutTestbed.hash()"), last[0])
                self.pictures(2)
                self.assertEqual(self.run_js(SHOWN)[2], self.run_js("return abutTestbed.redrawn()"))
                slider.send_keys(Keys.END)  # forth again, by what is kept
                self.pictures(2)
                self.assertEqual(self.run_js(SHOWN), last)
                slider.send_keys(Keys.HOME)
                self.assertEqual(self.report()["frame"], 1)
                self.run_js("abutTestbed.advance(29)")  # and by stepping
                self.pictures(2)
                self.assertEqual(self.run_js(SHOWN), last)

    def test_restart_begins_anew(self):
        self.open(DESKTOP, scene="fight", paused=1, count=6)
        first = self.run_js("return abutTestbed.hash()")
        self.run_js("abutTestbed.advance(20)")
        self.assertNotEqual(self.run_js("return abutTestbed.hash()"), first)
        self.click("#restart")
        self.assertEqual(self.run_js("return abutTestbed.hash()"), first)
        self.assertEqual(self.report()["bodies"] % 6, 0)

    def test_speed(self):
        self.open(DESKTOP, scene="fight", count=2)
        for label, speed in (("1/8 ×", 0.125), ("1/2 ×", 0.5), ("1 ×", 1), ("4 ×", 4)):
            self.choose("#speed", label)
            self.assertEqual(self.state()["speed"], speed)
            frames = self.run_js("abutTestbed.pass(0); return abutTestbed.pass(2)")
            self.assertAlmostEqual(frames, 120 * speed, delta=1)


class Settings(PageTest):
    def test_count_by_number(self):
        self.open(DESKTOP, scene="tumbling", paused=1)
        for typed, bodies, word in (("500", 500, ""), ("7", 7, ""), ("0", 7, "A whole number from 1 to 50,000, please."),
                                    ("50001", 7, "A whole number from 1 to 50,000, please."), ("-3", 7, "A whole"),
                                    ("2.5", 7, "A whole"), ("50", 50, "")):
            field = self.find("#count")
            field.click()
            field.send_keys(Keys.CONTROL, "a")
            field.send_keys(typed, Keys.ENTER)
            self.assertEqual(self.report()["bodies"], bodies)
            self.assertEqual(field.get_property("value"), str(bodies))
            self.assertTrue(self.text("#count-word").startswith(word) and bool(self.text("#count-word")) == bool(word), typed)
        self.assertEqual(self.state()["scene"], "tumbling")  # what is typed into a field is no key of the page

    def test_the_camera_backs_off_with_the_count(self):
        self.open(DESKTOP, scene="tumbling", paused=1, count=100)
        self.run_js("abutTestbed.advance(1)")
        near = self.camera()
        field = self.find("#count")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys("10000", Keys.ENTER)
        far = self.camera()
        self.assertGreater(far["distance"], 3 * near["distance"])
        self.assertEqual(far["yaw"], near["yaw"])

    def test_what_was_not_measured_is_a_dash(self):
        self.open(DESKTOP, scene="fight")
        self.wait("return abutTestbed.report().frame > 10")
        self.find("#pause").click()
        self.run_js("document.querySelectorAll('#scenes button')[1].click()")
        self.wait("return document.querySelector('#figures').textContent.endsWith('- ms a frame')")
        self.assertEqual(set(self.run_js("return [...document.querySelectorAll('#phases td')].map(e => e.textContent)")), {"-"})
        self.find("#step").click()
        self.wait("return !document.querySelector('#figures').textContent.includes('- ms')")

    def test_resting_bodies_are_in_the_legend(self):
        self.open(DESKTOP, scene="pile", paused=1)
        self.assertIn("darker: at rest", self.text("#legend"))
        self.open(DESKTOP, scene="tumbling", paused=1)
        self.assertNotIn("at rest", self.text("#legend"))

    def test_help_begins_with_what_one_has(self):
        for size, first in ((DESKTOP, "Mouse"), (PHONE, "Fingers")):
            with self.subTest(size=size.name):
                self.open(size, paused=1)
                self.find("#help-open").click()
                tops = self.run_js("""return Object.fromEntries([...document.querySelectorAll("#help h3")]
                    .map(e => [e.textContent, e.getBoundingClientRect().top]))""")
                self.assertEqual(min(tops, key=tops.get), first)

    def test_the_panel_fits_a_low_window(self):
        self.open(DESKTOP, scene="culling", paused=1)
        self.run_js("abutTestbed.advance(2)")
        panel = self.run_js("const p = document.getElementById('panel'); return [p.scrollHeight, p.clientHeight]")
        self.assertLessEqual(panel[0], panel[1])

    def test_count_by_slider(self):
        self.open(DESKTOP, scene="tumbling", paused=1, count=1000)
        slider = self.find("#count-slider")
        slider.send_keys(Keys.ARROW_LEFT * 20)
        fewer = self.report()["bodies"]
        self.assertLess(fewer, 1000)
        self.assertEqual(self.find("#count").get_property("value"), str(fewer))
        slider.send_keys(Keys.ARROW_RIGHT * 30)
        self.assertGreater(self.report()["bodies"], fewer)

    def test_overlays(self):
        self.open(DESKTOP, scene="pile", paused=1)
        self.run_js("abutTestbed.run('pile', 200)")
        without, plain = self.picture(), self.drawn()
        for name, what in (("bounds", "lines"), ("contacts", "points"), ("candidates", "lines")):
            with self.subTest(overlay=name):
                self.click(f"#overlay-{name}")
                self.assertEqual(self.find(f"#overlay-{name}").get_attribute("aria-pressed"), "true")
                with_it = self.picture()
                self.assertGreater(self.drawn()[what], plain[what] + 100)
                self.assertNotEqual(with_it["grid"], without["grid"])
                self.click(f"#overlay-{name}")
                self.assertEqual(self.picture()["grid"], without["grid"])
                self.assertEqual(self.drawn()["lines"], plain["lines"])
        self.click("#overlay-contacts")
        self.click("#overlay-bounds")
        self.screenshot("overlays-desktop")

    def test_address(self):
        self.open(DESKTOP, scene="culling", count=400, paused=1, speed=0.5, overlays="contacts,bounds")
        state = self.state()
        self.assertEqual((state["scene"], state["count"], state["paused"], state["speed"], sorted(state["overlays"])),
                         ("culling", 400, True, 0.5, ["bounds", "contacts"]))
        self.find("#scenes button:nth-child(1)").click()
        self.click("#overlay-bounds")
        self.choose("#speed", "2 ×")
        self.click("#pause")
        self.wait("return location.search === '?scene=fight&speed=2&overlays=contacts'")
        self.browser.refresh()
        self.ready()
        state = self.state()
        self.assertEqual((state["scene"], state["paused"], state["speed"], state["overlays"]),
                         ("fight", False, 2, ["contacts"]))

    def test_an_address_of_nonsense_is_as_usual(self):
        self.open(DESKTOP, scene="nonsense", count=-3, speed="x", overlays="y", paused=0)
        state = self.state()
        self.assertEqual((state["scene"], state["speed"], state["overlays"], state["paused"], state["trouble"]),
                         ("fight", 1, [], False, ""))

    def test_numbers_are_those_of_the_report(self):
        self.open(DESKTOP, scene="culling", paused=1)
        self.run_js("abutTestbed.run('culling', 50)")
        report = self.report()
        for key in ("bodies", "contacts", "seenInside", "seenIntersecting", "keptByPlanes"):
            self.wait("""return document.querySelector(`[data-key=${arguments[0]}] td`).textContent ===
                arguments[1].toLocaleString('en')""", key, report[key])
        total = float(self.text("[data-key=total] td"))
        phases = self.run_js("return abutTestbed.phases.map(key => abutTestbed.medians()[key])")
        self.assertGreaterEqual(total, max(phases) - 0.01)
        self.assertGreater(self.picture("#graph")["colours"], 2)


class Keys_(PageTest):
    def test_keys(self):
        self.open(DESKTOP, scene="fight", paused=1)
        self.keys(" ")
        self.assertFalse(self.state()["paused"])
        self.keys(" ")
        self.assertTrue(self.state()["paused"])
        frame = self.report()["frame"]
        self.keys("..")
        self.assertEqual(self.report()["frame"], frame + 2)
        self.keys("r")
        self.assertEqual(self.report()["frame"], 1)
        self.keys("bcp")
        self.assertEqual(sorted(self.state()["overlays"]), ["bounds", "candidates", "contacts"])
        self.keys("cb")
        self.assertEqual(self.state()["overlays"], ["candidates"])
        self.keys("p")  # so many lines take long to draw
        self.assertEqual(self.state()["overlays"], [])
        self.keys("++")
        self.assertEqual(self.state()["speed"], 4)
        self.keys("---")
        self.assertEqual(self.state()["speed"], 0.5)
        for number, scene in enumerate(SCENES, 1):
            self.keys(str(number))
            self.assertEqual(self.state()["scene"], scene)

    def test_keys_move_the_camera(self):
        self.open(DESKTOP, scene="fight", paused=1)
        home = self.camera()
        for keys, part, sign in ((Keys.ARROW_LEFT, "yaw", -1), (Keys.ARROW_RIGHT, "yaw", 1), (Keys.ARROW_UP, "pitch", 1),
                                 (Keys.ARROW_DOWN, "pitch", -1), ("q", "distance", -1), ("e", "distance", 1)):
            before = self.camera()[part]
            self.keys(keys)
            self.assertGreater(sign * (self.camera()[part] - before), 0, keys)
        for key in "wasd":
            before = self.camera()
            self.keys(key)
            self.assertNotEqual(self.camera()["target"], before["target"])
            self.assertEqual(self.camera()["yaw"], before["yaw"])
        self.keys(Keys.HOME)
        self.assertEqual(self.camera(), home)

    def test_help(self):
        self.open(DESKTOP, scene="fight", paused=1)
        self.keys("?")
        self.assertTrue(self.find("#help").is_displayed())
        self.assertIn("single step", self.text("#keys"))
        self.screenshot("help-desktop")
        self.keys("b")  # the page behind it does not listen
        self.assertEqual(self.state()["overlays"], [])
        self.keys(Keys.ESCAPE)
        self.assertFalse(self.find("#help").is_displayed())
        self.click("#help-open")
        self.assertTrue(self.find("#help").is_displayed())
        self.click("#help .main")
        self.assertFalse(self.find("#help").is_displayed())

    def test_a_button_with_the_focus_keeps_its_keys(self):
        self.open(DESKTOP, scene="fight", paused=1)
        self.run_js("document.getElementById('overlay-bounds').focus()")
        self.keys(" ")
        self.assertEqual(self.state()["overlays"], ["bounds"])
        self.assertTrue(self.state()["paused"])

    def test_focus_goes_everywhere_and_is_seen(self):
        self.open(DESKTOP, scene="placement", paused=1)
        self.run_js("abutTestbed.hold({x: 500})")  # where it is free, and so may be built
        self.wait("return !document.getElementById('build').disabled")
        wanted = set(self.run_js("""return [...document.querySelectorAll('button, select, input, canvas[tabindex]')]
            .filter(e => e.checkVisibility()).map(e => e.id || e.textContent)"""))
        reached = set()
        for _ in range(2 * len(wanted)):
            self.keys(Keys.TAB)
            name, outline = self.run_js("""const e = document.activeElement;
                return [e.id || e.textContent, getComputedStyle(e).outlineStyle]""")
            if name in wanted:
                reached.add(name)
                self.assertNotEqual(outline, "none", name)
        self.assertEqual(reached, wanted)


class Picking(PageTest):
    def check_panel(self, body):
        facts = self.text("#picked-facts")
        self.assertIn(f"{body['index1']}, generation {body['generation']}", facts)
        self.assertNotIn("index1", facts)
        self.assertIn(", ".join(f"{x:.3f}" for x in body["position"]), facts)
        self.assertIn(", ".join(f"{x:.3f}" for x in body["rotation"]), facts)
        self.assertIn("moving" if body["moving"] else "static", facts)
        core = f"hull of {body['vertices']}" if body["vertices"] else "box"
        extents = 3 if body["vertices"] else sum(extent > 0 for extent in body["half"])
        rounded = ("sphere", "capsule", f"rounded {core}", f"rounded {core}")[extents]
        self.assertIn(rounded if body["radius"] > 0 else core, facts)
        self.assertEqual("radius" in facts, body["radius"] > 0)
        self.assertIn(f"Contacts: {body['contacts']}", self.text("#picked-contacts-title"))
        shown = [button.text for button in self.all("#picked-contacts button")]
        self.assertEqual(shown, [f"body {o['index1']}: {o['depth']:.3f} deep" for o in body["others"]])

    def reach(self, body):
        """Half the size of a body on the page, in pixels, at most."""
        return self.run_js("""const [body, half] = arguments, size = Math.hypot(...half);
            const at = abutTestbed.place(body), c = abutTestbed.camera();
            const d = Math.hypot(...body.map((x, i) => x - c.eye[i])) - size;
            return size / d * document.getElementById('view').clientHeight * 1.3""", body["position"], body["half"])

    def test_round_shapes_are_named(self):
        self.open(DESKTOP, scene="round", paused=1)
        self.run_js("abutTestbed.run('round', 300)")
        x, y, width, height = self.frame("#view")
        for i in range(12):
            self.press_at(x + (0.3 + 0.035 * i) * width, y + 0.6 * height)
            self.check_panel(self.picked()[0])
        self.screenshot("round-picked-desktop")

    def test_click(self):
        self.open(DESKTOP, scene="pile", paused=1)
        self.run_js("abutTestbed.run('pile', 300)")
        x, y, width, height = self.frame("#view")
        for part in (0.42, 0.5, 0.58):
            at = (x + part * width, y + 0.6 * height)
            self.press_at(*at)
            (body,) = self.picked()
            self.check_panel(body)
            place = self.run_js("return abutTestbed.place(arguments[0])", body["position"])
            self.assertLess(max(abs(place[0] - at[0]), abs(place[1] - at[1])), self.reach(body))
        self.screenshot("picked-desktop")
        self.assertIn("#ffffff", self.drawn()["colours"])
        self.press_at(x + 5, y + 0.3 * height)  # the sky
        self.assertEqual(self.picked(), [])
        self.assertFalse(self.find("#picked").is_displayed())

    def test_a_contact_leads_to_the_other_body(self):
        self.open(DESKTOP, scene="pile", paused=1)
        self.run_js("abutTestbed.run('pile', 300)")
        x, y, width, height = self.frame("#view")
        self.press_at(x + width / 2, y + 0.6 * height)
        (body,) = self.picked()
        self.assertGreater(body["contacts"], 0)
        self.all("#picked-contacts button")[0].click()
        (other,) = self.picked()
        self.assertEqual(other["index1"], body["others"][0]["index1"])
        self.check_panel(other)
        if other["contacts"] <= 8:
            self.assertIn(body["index1"], [o["index1"] for o in other["others"]])
        self.click("#unpick")
        self.assertEqual(self.picked(), [])

    def rectangle(self, drag, corners):
        """The bodies in a rectangle that `drag` draws: those whose middles lie in it, and none that lies far from it."""
        (x0, y0), (x1, y1) = corners
        drag(corners[0], corners[1])
        self.assertFalse(self.find("#rectangle").is_displayed())
        bodies = self.picked()
        self.assertEqual(len(self.all("#picked-list button")), len(bodies))
        picked = {body["index1"] for body in bodies}
        for body in bodies:
            (x, y), reach = self.run_js("return abutTestbed.place(arguments[0])", body["position"]), self.reach(body)
            self.assertTrue(x0 - reach < x < x1 + reach and y0 - reach < y < y1 + reach, body)
        for body in self.run_js("return abutTestbed.bodies().map(b => [b.index1, abutTestbed.place(b.position)])"):
            index1, (x, y) = body
            if x0 < x < x1 and y0 < y < y1:
                self.assertIn(index1, picked)
        return bodies

    def corners(self, size):
        x, y, width, height = self.frame("#view")
        return ((x + (0.5 - size) * width, y + (0.5 - size) * height),
                (x + (0.5 + size) * width, y + (0.5 + size) * height))

    def test_rectangle_with_shift(self):
        self.open(DESKTOP, scene="tumbling", paused=1, count=60)
        bodies = self.rectangle(self.shift_drag, self.corners(0.15))
        self.assertGreater(len(bodies), 2)
        self.assertLess(len(bodies), 60)
        self.check_panel(bodies[0])
        self.all("#picked-list button")[1].click()
        self.check_panel(bodies[1])

    def test_rectangle_by_the_button(self):
        self.open(DESKTOP, scene="tumbling", paused=1, count=60)
        before = self.camera()
        self.click("#select")
        self.assertEqual(self.find("#select").get_attribute("aria-pressed"), "true")
        self.rectangle(self.drag, self.corners(0.2))
        self.assertEqual(self.find("#select").get_attribute("aria-pressed"), "false")
        self.assertEqual(self.camera(), before)
        self.drag(*self.corners(0.2))  # the next drag turns the camera again
        self.assertNotEqual(self.camera()["yaw"], before["yaw"])

    def test_a_picked_body_is_dragged_and_thrown(self):
        for size in (DESKTOP, PHONE):
            with self.subTest(size=size.name):
                self.open(size, scene="pile", paused=1)
                self.run_js("abutTestbed.run('pile', 300)")
                before = self.camera()
                body, start = self.press_a_middle()
                higher = (start[0], start[1] - 0.3 * self.frame("#view")[3])
                self.hold(size, "press", *start)
                self.hold(size, "move", *higher)
                self.run_js("abutTestbed.advance(40)")
                (held,) = self.picked()
                self.assertEqual(held["index1"], body["index1"])
                self.assertGreater(held["position"][1], body["position"][1] + 1)
                self.hold(size, "move", higher[0] + 60, higher[1])
                self.run_js("abutTestbed.advance(3)")
                self.hold(size, "release", higher[0] + 60, higher[1])
                (thrown,) = self.picked()
                self.run_js("abutTestbed.advance(3)")
                self.assertGreater(self.picked()[0]["position"][0], thrown["position"][0])
                self.run_js("abutTestbed.advance(200)")
                self.assertLess(self.picked()[0]["position"][1], held["position"][1] - 1)
                self.assertEqual(self.camera(), before)

    def press_a_middle(self):
        """Picks a body whose middle is not behind others, near the middle of the scene; the body, and where that is seen."""
        x, y, width, height = self.frame("#view")
        self.press_at(x + 0.5 * width, y + 0.55 * height)
        self.pictures(3)  # on a phone the panel opens, and leaves the scene less room
        x, y, width, height = self.frame("#view")
        seen = self.run_js("return abutTestbed.bodies().map(b => [b.index1, abutTestbed.place(b.position)])")
        for index1, place in sorted(seen, key=lambda b: math.dist(b[1], (x + 0.5 * width, y + 0.55 * height)))[:40]:
            self.press_at(*place)
            (body,) = self.picked() or [{"index1": 0}]
            if body["index1"] == index1:
                return body, place
        self.fail("no body is seen at its middle")

    def hold(self, size, what, x, y):
        """A mouse button, or a finger where there is no mouse, that is pressed, moved and released in parts."""
        if size is PHONE:
            kind = {"press": "touchStart", "move": "touchMove", "release": "touchEnd"}[what]
            self.cdp("Input.dispatchTouchEvent", type=kind, touchPoints=[] if what == "release" else [{"x": x, "y": y, "id": 0}])
        else:
            kind = {"press": "mousePressed", "move": "mouseMoved", "release": "mouseReleased"}[what]
            self.mouse(kind, x, y, buttons=1 if what == "move" else 0)
        self.pictures(2)  # the browser hands moves to the page with the next picture

    def test_at_most_64(self):
        self.open(DESKTOP, scene="tumbling", paused=1)
        self.shift_drag(*self.corners(0.4))
        self.assertEqual(len(self.picked()), 64)
        self.assertEqual(self.text("#picked-title"), "Picked: 64 bodies")

    def test_by_key(self):
        self.open(DESKTOP, scene="tumbling", paused=1, count=2000)
        self.keys("v")
        (body,) = self.picked()
        self.check_panel(body)
        self.keys("V")
        self.assertGreater(len(self.picked()), 1)
        self.keys(Keys.ESCAPE)
        self.assertEqual(self.picked(), [])


class Placement(PageTest):
    def setUp(self):
        super().setUp()
        self.open(DESKTOP, scene="placement", paused=1)

    def drag_to(self, x, z):
        """By the middle of its roof."""
        held = self.run_js("return abutTestbed.held()")
        roof = 1.2 * (held["halfX"] + held["halfZ"])
        self.drag(*self.run_js("return arguments[0].map(abutTestbed.place)", [[held["x"], roof, held["z"]], [x, roof, z]]))

    def empty_place(self):
        """A place in the picture that is far from all bodies."""
        return self.run_js("""const bodies = abutTestbed.bodies();
            let best = null, most = 0;
            for (let x = -30; x <= 30; x += 2) {
                for (let z = -30; z <= 30; z += 2) {
                    const near = Math.min(...bodies.map(b => Math.hypot(b.position[0] - x, b.position[2] - z)));
                    if (near > most) { most = near; best = [x, z]; }
                }
            }
            return best""")

    def test_drag(self):
        before = self.camera()
        house = next(b for b in self.run_js("return abutTestbed.bodies()") if max(map(abs, b["position"])) < 20)
        self.drag_to(house["position"][0], house["position"][2])
        held, report = self.run_js("return abutTestbed.held()"), self.report()
        self.assertAlmostEqual(held["x"], house["position"][0], delta=0.3)
        self.assertAlmostEqual(held["z"], house["position"][2], delta=0.3)
        self.assertEqual(report["free"], 0)
        self.assertGreater(report["blockers"], 0)
        self.assertIn(f"blocked by {report['blockers']}", self.text("#answer"))
        self.assertIn(f"push ({report['pushX']:.2f}, {report['pushZ']:.2f})", self.text("#answer"))
        self.assertNotEqual((report["pushX"], report["pushZ"]), (0, 0))
        self.assertFalse(self.find("#build").is_enabled())
        self.screenshot("blocked-desktop")
        self.drag_to(*self.empty_place())
        self.assertEqual((self.report()["free"], self.text("#answer")), (1, "free"))
        self.assertEqual(self.camera(), before)

    def test_build(self):
        self.run_js("const [x, z] = arguments[0]; abutTestbed.hold({x, z})", self.empty_place())
        bodies = len(self.run_js("return abutTestbed.bodies()"))
        self.assertEqual(self.text("#answer"), "free")
        self.click("#build")
        self.pictures(2)
        self.assertEqual(len(self.run_js("return abutTestbed.bodies()")), bodies + 1)
        self.assertIn("blocked by 1", self.text("#answer"))  # by what was just built
        self.keys(Keys.ENTER)
        self.pictures(2)
        self.assertEqual(len(self.run_js("return abutTestbed.bodies()")), bodies + 1)

    def test_keys_and_buttons(self):
        def held():
            return self.run_js("return abutTestbed.held()")
        self.run_js("abutTestbed.hold({x: 0, z: 0})")
        for key, part in (("i", "z"), ("k", "z"), ("j", "x"), ("l", "x"), ("u", "turn"), ("n", "halfX"), ("m", "halfZ")):
            before = held()
            self.keys(key)
            self.assertNotEqual(held()[part], before[part], key)
        for button, part in (("turn-left", "turn"), ("turn-right", "turn"), ("smaller", "halfX"), ("larger", "halfX")):
            before = held()
            self.click(f"#{button}")
            self.assertNotEqual(held()[part], before[part], button)

    def test_only_here(self):
        self.assertTrue(self.find("#placing").is_displayed())
        self.keys("1")
        self.assertFalse(self.find("#placing").is_displayed())


class Queries(PageTest):
    def test_the_probe_follows_the_pointer(self):
        self.open(DESKTOP, scene="queries", paused=1)
        report = self.report()
        self.assertGreater(report["rays"], 3000)
        self.assertTrue(0 < report["raysMet"] < report["rays"])
        without = self.picture()["grid"]
        for body in self.run_js("return abutTestbed.bodies()")[100:103]:
            x, y = self.run_js("const [x, , z] = arguments[0]; return abutTestbed.place([x, 0.6, z])", body["position"])
            for step in (-3, 0):
                self.mouse("mouseMoved", x + step, y)
            self.assertLess(self.report()["nearest"], 0.3)
        self.assertNotEqual(self.picture()["grid"], without)
        self.assertEqual(self.report()["frame"], report["frame"])
        self.wait("return document.querySelector('[data-key=nearest] td').textContent === arguments[0]",
                  f"{self.report()['nearest']:.2f}")
        self.screenshot("probe-desktop")
        self.keys("1")
        self.assertFalse(self.find("[data-key=nearest]").is_displayed())


class Cannon(PageTest):
    def slide(self, slider, keys):
        self.find(slider).send_keys(keys)
        return self.run_js("return abutTestbed.aimed()")

    def test_sliders(self):
        self.open(DESKTOP, scene="cannon", paused=1)
        usual = self.run_js("return abutTestbed.aimed()")
        self.assertEqual((self.text("#shot-speed-value"), self.text("#thickness-value")), ("120", "50"))
        aimed = self.slide("#shot-speed", Keys.HOME)
        self.assertEqual((aimed["speed"], aimed["thickness"], self.text("#shot-speed-value")), (1, usual["thickness"], "1"))
        aimed = self.slide("#shot-speed", Keys.ARROW_RIGHT * 20)
        self.assertGreater(aimed["speed"], 1)
        self.assertEqual(self.text("#shot-speed-value"), f"{aimed['speed']:.3g}")
        aimed = self.slide("#thickness", Keys.END)
        self.assertEqual((aimed["thickness"], self.text("#thickness-value")), (0.5, "500"))
        self.click("#restart")
        self.assertEqual(self.run_js("return abutTestbed.aimed()"), usual)
        self.keys("1")
        self.assertFalse(self.find("#aiming").is_displayed())

    def test_only_what_is_swept_stops(self):
        self.open(DESKTOP, scene="cannon", paused=1)
        self.run_js("abutTestbed.aim({speed: 300, thickness: 0.01}); abutTestbed.advance(240)")
        report = self.report()
        self.assertGreater(report["passedSteps"], 100)
        self.assertEqual(report["passedSwept"], 0)
        self.wait("return document.querySelector('[data-key=passedSteps] td').textContent === arguments[0].toLocaleString('en')",
                  report["passedSteps"])


class Phone(PageTest):
    def test_nothing_overflows_and_fingers_hit_buttons(self):
        for scene in SCENES:
            self.open(PHONE, scene=scene, paused=1)
            for sheet in (False, True):
                with self.subTest(scene=scene, sheet=sheet):
                    if sheet:
                        self.click("#panel-toggle")
                        self.keys("v")
                    wide, misfits, small = self.run_js("""
                        const seen = e => e.checkVisibility() && !e.closest('.unseen, svg, [hidden]');
                        const all = [...document.querySelectorAll('body *')].filter(seen);
                        const targets = [...document.querySelectorAll('button, select, input')].filter(seen);
                        const name = e => `${e.tagName} ${e.id} ${e.textContent.slice(0, 20)}`;
                        const outside = e => { const r = e.getBoundingClientRect(); return r.left < -0.5 || r.right > 360.5; };
                        const tiny = e => { const r = e.getBoundingClientRect(); return r.width < 40 || r.height < 40; };
                        return [document.documentElement.scrollWidth, all.filter(outside).map(name),
                                targets.filter(tiny).map(name)]""")
                    self.assertEqual((wide, misfits, small), (360, [], []))
                    view = self.frame("#view")
                    self.assertGreater(view[3], 180)

    def test_the_sheet(self):
        self.open(PHONE, scene="pile", paused=1)
        self.assertFalse(self.find("#count").is_displayed())
        tall = self.frame("#view")[3]
        self.click("#panel-toggle")
        self.assertEqual(self.find("#panel-toggle").get_attribute("aria-expanded"), "true")
        self.assertTrue(self.find("#overlay-contacts").is_displayed())
        self.assertLess(self.frame("#view")[3], tall)
        self.click("#overlay-contacts")
        self.assertEqual(self.state()["overlays"], ["contacts"])
        self.screenshot("sheet-phone")
        self.click("#panel-toggle")
        self.assertFalse(self.find("#count").is_displayed())

    def test_fingers(self):
        self.open(PHONE, scene="pile", paused=1)
        self.run_js("abutTestbed.run('pile', 200)")
        before = self.camera()
        self.touch([[(180, 300)], [(240, 300)], [(260, 330)]])
        after = self.camera()
        self.assertNotEqual((after["yaw"], after["pitch"]), (before["yaw"], before["pitch"]))
        self.assertEqual((after["target"], after["distance"]), (before["target"], before["distance"]))
        self.touch([[(160, 300), (200, 300)], [(130, 300), (230, 300)], [(100, 300), (260, 300)]])
        pinched = self.camera()
        self.assertAlmostEqual(pinched["distance"], after["distance"] / 4, delta=0.3 * after["distance"])
        self.assertEqual((pinched["yaw"], pinched["pitch"]), (after["yaw"], after["pitch"]))
        self.touch([[(160, 300), (200, 300)], [(160, 340), (200, 340)]])
        self.assertNotEqual(self.camera()["target"], pinched["target"])
        self.click("#home")
        self.touch([[(180, 340)]])
        self.assertEqual(len(self.picked()), 1)
        self.assertTrue(self.find("#picked").is_displayed())  # in the sheet, which opens for it
        self.screenshot("picked-phone")

    def test_a_finger_drags_the_building(self):
        self.open(PHONE, scene="placement", paused=1)
        self.run_js("abutTestbed.hold({x: 0, z: 0})")
        before = self.camera()
        x, y = self.run_js("return abutTestbed.place([0, 0, 0])")
        self.touch([[(x, y)], [(x + 20, y)], [(x + 40, y + 10)]])
        held = self.run_js("return abutTestbed.held()")
        self.assertGreater(abs(held["x"]) + abs(held["z"]), 2)
        self.assertEqual(self.camera(), before)
        self.touch([[(180, 300)]])
        self.assertEqual(self.run_js("return abutTestbed.held()"), held)


class Access(PageTest):
    ROLES = {"button", "slider", "spinbutton", "combobox", "application", "textbox", "checkbox", "link", "dialog",
             "complementary", "navigation", "group", "image", "img", "listbox"}

    def test_everything_has_a_name(self):
        for size in (DESKTOP, PHONE):
            self.open(size, scene="placement", paused=1)
            self.keys("v", "?")
            self.check_names("button", "dialog")
            self.keys(Keys.ESCAPE)
            if size is PHONE and not self.find("#count").is_displayed():
                self.click("#panel-toggle")
            self.check_names("button", "slider", "spinbutton", "combobox", "application")

    def check_names(self, *roles):
        tree = self.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        found = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree
                 if not node["ignored"] and node["role"]["value"] in self.ROLES]
        self.assertEqual([role for role, name in found if not name.strip()], [])
        self.assertLessEqual(set(roles), {role for role, _ in found})

    def test_what_matters_is_spoken(self):
        self.open(DESKTOP, scene="placement", paused=1)
        self.run_js("abutTestbed.hold({x: 500, z: 0})")
        self.assertEqual(self.text_of("#status"), "free")
        house = self.run_js("return abutTestbed.bodies()[0].position")
        self.run_js("const [x, , z] = arguments[0]; abutTestbed.hold({x, z})", house)
        self.assertEqual(self.text_of("#status"), "blocked")
        self.open(DESKTOP, scene="tumbling", paused=1)
        self.keys("v")
        self.assertRegex(self.text_of("#status"), r"^body \d+ picked, \d+ contacts$")

    def test_reduced_motion_starts_paused(self):
        self.open(DESKTOP, scene="fight", media={"prefers-reduced-motion": "reduce"})
        self.assertTrue(self.state()["paused"])
        self.click("#pause")
        self.wait("return abutTestbed.report().frame > 3")

    def test_text_is_readable_in_both_schemes(self):
        for scheme in ("dark", "light"):
            self.open(DESKTOP, scene="tumbling", paused=1, media={"prefers-color-scheme": scheme})
            self.keys("v")
            poor = self.run_js(page.CONTRASTS, 4.5)
            self.assertEqual(poor, [], scheme)
            self.screenshot(f"{scheme}-desktop")


class Trouble(PageTest):
    def test_lost_graphics_come_back(self):
        self.open(DESKTOP, scene="fight", paused=1)
        before = self.picture()
        self.run_js(LOSE_GRAPHICS)
        self.wait("return !document.getElementById('message').hidden")
        self.assertIn("lost", self.text("#message"))
        self.keys(".")  # time may go on meanwhile
        self.pictures(3)
        self.assertTrue(self.find("#message").is_displayed())
        self.keys("r")
        self.run_js("window.lose.restoreContext()")
        self.wait("return document.getElementById('message').hidden")
        self.assertEqual(self.picture()["grid"], before["grid"])

    def test_no_webgl(self):
        self.open(DESKTOP, script="HTMLCanvasElement.prototype.getContext = () => null")
        self.wait("return !document.getElementById('message').hidden")
        self.assertIn("WebGL2", self.text("#message"))

    def test_no_module(self):
        self.open(DESKTOP, script="window.fetch = () => Promise.reject(new Error('no such file'))", hook=False)
        self.wait("return document.getElementById('message').textContent.includes('cannot be loaded')")
        self.assertIn("no such file", self.text("#message"))
        self.complaints()  # the browser logs the error as well, as it should

    def test_a_module_that_breaks_stops_with_a_message(self):
        self.open(DESKTOP, scene="fight", paused=1)
        self.run_js("abutTestbed.breakDown()")
        self.wait("return document.getElementById('message').textContent.includes('has stopped')")
        self.complaints()


def part(text):
    number, parts = map(int, text.split("/"))
    if not 1 <= number <= parts:
        raise ValueError(text)
    return number, parts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--module", required=True, metavar="FOLDER")
    parser.add_argument("--hashes", required=True, metavar="PROGRAM")
    parser.add_argument("--screenshots", required=True, metavar="FOLDER")
    parser.add_argument("--part", type=part, default=(1, 1), metavar="NUMBER/PARTS")
    page.options, rest = parser.parse_known_args()
    unittest.main(argv=["browser.py", *rest])


if __name__ == "__main__":
    main()
