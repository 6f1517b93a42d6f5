# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Shared by tests of the page: a server, a browser, and ways to query and to wait."""
import base64
import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import Select, WebDriverWait

WEB = pathlib.Path(__file__).resolve().parents[1]
PATIENCE = 60  # seconds to wait for a condition; a busy machine draws slowly

Size = collections.namedtuple("Size", "name width height scale mobile")
DESKTOP = Size("desktop", 1280, 800, 1, False)
PHONE = Size("phone", 360, 640, 2, True)

# What stands in for a graphics card is slow: it draws the scene alone, not the page around it, and without smooth edges.
ARGUMENTS = ("--headless=new --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --disable-gpu-compositing "
             "--webgl-antialiasing-mode=none --disable-quic --no-first-run --disable-background-networking "
             "--disable-component-update --disable-sync --hide-scrollbars").split()

# A browser's messages about drawing without a graphics card, which are not the page's fault.
BROWSERS_OWN = re.compile(r"GPU stall due to ReadPixels|fallback to software WebGL|swiftshader", re.I)

# Statistics of a picture: number of colours, their spread, and a coarse copy.
LOOK_AT = """
const [png, done] = arguments, image = new Image();
image.onload = () => {
    const canvas = document.createElement('canvas'), c = canvas.getContext('2d', {willReadFrequently: true});
    canvas.width = image.width; canvas.height = image.height;
    c.drawImage(image, 0, 0);
    const pixels = new Uint32Array(c.getImageData(0, 0, image.width, image.height).data.buffer);
    const grid = [], levels = [];
    for (let y = 0; y < 120; ++y) {
        for (let x = 0; x < 160; ++x) {
            const pixel = pixels[Math.floor((y + 0.5) * image.height / 120) * image.width + Math.floor((x + 0.5) * image.width / 160)];
            grid.push(pixel >>> 0);
            levels.push(pixel >>> 8 & 255);
        }
    }
    levels.sort((a, b) => a - b);
    done({colours: new Set(pixels).size, spread: levels.at(-20) - levels[20], grid: grid.join()});
};
image.src = 'data:image/png;base64,' + png;
"""

# Texts with too little contrast, by WCAG's formula; texts on the scene have a picture behind them.
CONTRASTS = """
const least = arguments[0], poor = [];
const parse = text => { const v = text.match(/[\\d.]+/g).map(Number); return v.length < 4 ? [...v, 1] : v; };
const light = ([r, g, b]) => [r, g, b].map(c => c / 255).map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
for (const e of document.querySelectorAll('.top *, .bar *, .panel *')) {
    const text = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!text || !e.checkVisibility() || e.closest('.unseen')) continue;
    let behind = e;
    while (behind && parse(getComputedStyle(behind).backgroundColor)[3] < 1) behind = behind.parentElement;
    const [a, b] = [light(parse(getComputedStyle(e).color)), light(parse(getComputedStyle(behind || document.body).backgroundColor))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < least) poor.push(`${e.tagName} ${e.textContent.slice(0, 30)} ${contrast.toFixed(2)}`);
}
return poor;
"""

options = None  # what the command line says


def begin():
    """What all tests share, for `setUpModule`: each opens its page anew, and a browser takes seconds to start."""
    server = subprocess.Popen([sys.executable, str(WEB / "serve.py"), "--port", "0", str(WEB / "page"), options.module],
                              stdout=subprocess.PIPE, text=True)
    unittest.addModuleCleanup(stop, server)
    PageTest.url = server.stdout.readline().split()[0]
    profile = tempfile.TemporaryDirectory(prefix="abut-browser-", ignore_cleanup_errors=True)
    unittest.addModuleCleanup(profile.cleanup)
    wanted = webdriver.ChromeOptions()
    wanted.binary_location = "/usr/bin/chromium"
    for argument in [*ARGUMENTS, f"--user-data-dir={profile.name}"]:
        wanted.add_argument(argument)
    wanted.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    PageTest.browser = webdriver.Chrome(options=wanted, service=Service("/usr/bin/chromedriver"))
    unittest.addModuleCleanup(PageTest.browser.quit)
    PageTest.browser.set_script_timeout(PATIENCE)


def stop(server):
    server.terminate()
    server.wait()
    server.stdout.close()


class PageTest(unittest.TestCase):
    def setUp(self):
        self.scripts = []

    def tearDown(self):
        for script in self.scripts:
            self.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
        self.assertEqual(self.complaints(), [])

    def complaints(self):
        """Errors and warnings in the browser's log since the last call."""
        return [entry["message"] for entry in self.browser.get_log("browser")
                if entry["level"] in ("WARNING", "SEVERE") and not BROWSERS_OWN.search(entry["message"])]

    # --- a page

    def open(self, size, media=None, script=None, hook=True, **address):
        features = {"prefers-reduced-motion": "no-preference", "prefers-color-scheme": "dark", **(media or {})}
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": k, "value": v} for k, v in features.items()])
        self.cdp("Emulation.setDeviceMetricsOverride", width=size.width, height=size.height,
                 deviceScaleFactor=size.scale, mobile=size.mobile)
        self.cdp("Emulation.setTouchEmulationEnabled", enabled=size.mobile)
        if script:
            self.scripts.append(self.cdp("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"])
        self.browser.get(f"{self.url}?{urllib.parse.urlencode(address, safe=',')}")
        if not script:
            self.ready()

    def ready(self):
        self.wait("return Boolean(window.abutTestbed)")
        self.pictures(1)

    def cdp(self, command, **arguments):
        return self.browser.execute_cdp_cmd(command, arguments)

    def run_js(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def wait(self, script, *arguments):
        WebDriverWait(self.browser, PATIENCE, poll_frequency=0.05).until(
            lambda _: self.run_js(script, *arguments), f"never true: {script}")

    def pictures(self, count):
        """Waits until a stale picture has been drawn, and the browser has shown this many pictures after it."""
        self.browser.execute_async_script("""
            let left = arguments[0] + 1;
            const done = arguments[1], next = () => {
                left -= window.abutTestbed.state().stale ? 0 : 1;
                if (left > 0) { requestAnimationFrame(next); } else { done(); }
            };
            requestAnimationFrame(next)""", count)

    # --- what there is to see

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def text_of(self, selector):
        return self.find(selector).get_property("textContent")

    def name_of(self, selector):
        return self.find(selector).accessible_name

    def frame(self, selector):
        return self.run_js("""const r = document.querySelector(arguments[0]).getBoundingClientRect();
            return [r.x, r.y, r.width, r.height]""", selector)

    def picture(self, selector="#view"):
        self.pictures(2)
        png = self.find(selector).screenshot_as_base64
        return self.browser.execute_async_script(LOOK_AT, png)

    def screenshot(self, name=None):
        """Takes a picture of the whole page and saves it if it has a name; returns the statistics of the scene."""
        self.pictures(2)
        if name:
            folder = pathlib.Path(options.screenshots)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{name}.png").write_bytes(base64.b64decode(self.browser.get_screenshot_as_base64()))
        return self.picture()

    def state(self):
        return self.run_js("return abutTestbed.state()")

    def report(self):
        return self.run_js("return abutTestbed.report()")

    def camera(self):
        return self.run_js("return abutTestbed.camera()")

    def picked(self):
        return self.run_js("return abutTestbed.picked()")

    def drawn(self):
        self.pictures(1)
        return self.run_js("return abutTestbed.drawn()")

    # --- hands

    def click(self, selector):
        self.find(selector).click()

    def choose(self, selector, label):
        Select(self.find(selector)).select_by_visible_text(label)

    def keys(self, *keys):
        """Presses one key after the other; a capital is a letter with shift."""
        chain = ActionChains(self.browser, duration=0)
        for key in "".join(keys):
            if key.isupper():
                chain.key_down(Keys.SHIFT).send_keys(key.lower()).key_up(Keys.SHIFT)
            else:
                chain.send_keys(key)
        chain.perform()

    def press_at(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y)

    def drag(self, start, end, modifiers=0):
        self.mouse("mouseMoved", *start)
        self.mouse("mousePressed", *start, modifiers)
        for part in (0.3, 0.7, 1):
            x, y = (a + part * (b - a) for a, b in zip(start, end))
            self.mouse("mouseMoved", x, y, modifiers, buttons=1)
        self.mouse("mouseReleased", *end, modifiers)

    def shift_drag(self, start, end):
        self.drag(start, end, modifiers=8)

    def mouse(self, kind, x, y, modifiers=0, buttons=0):
        button = "left" if kind != "mouseMoved" or buttons else "none"
        self.cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, modifiers=modifiers,
                 buttons=buttons or (1 if kind == "mousePressed" else 0), clickCount=1 if kind != "mouseMoved" else 0)

    def touch(self, moments):
        """Fingers at some places, then at others, and then they are lifted."""
        for i, places in enumerate(moments):
            self.cdp("Input.dispatchTouchEvent", type="touchMove" if i else "touchStart",
                     touchPoints=[{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(places)])
        self.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
