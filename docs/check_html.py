#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Reads the made pages as a browser does: check_html.py HTML

No page shows the source it was made of, every image and every local link leads somewhere, and, where chromium and selenium
are installed (on a build server they must be), no page is wider than a screen or a phone."""

import html.parser
import os
import pathlib
import re
import sys
import urllib.parse

SOURCE = re.compile(r"[@\\](?:section|subsection|subpage|anchor|ref|code|endcode|image|page)\b|```|\]\(|\{#|</?(?:tt|img|em|b)\b")
SCREENS = (1280, 390)


class Page(html.parser.HTMLParser):
    """What a page shows outside of code, what it links to, and what can be linked to."""

    def __init__(self, text):
        super().__init__()
        self.shown, self.targets, self.anchors, self.inside = [], [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.anchors |= {attrs[name] for name in ("id", "name") if attrs.get(name)}
        self.targets += [attrs[name] for name in ("href", "src") if attrs.get(name)]
        is_code = tag in ("code", "pre", "script", "style", "tt") or "fragment" in (attrs.get("class") or "").split()
        if is_code or self.inside and self.inside[0] == tag:
            self.inside.append(tag)

    def handle_endtag(self, tag):
        if self.inside and self.inside[0] == tag:
            self.inside.pop()

    def handle_data(self, data):
        if not self.inside:
            self.shown.append(data)


def complaints_about(name, pages, folder):
    page = pages[name]
    for found in SOURCE.finditer("".join(page.shown)):
        around = "".join(page.shown)[max(0, found.start() - 30):found.end() + 40]
        yield f"shows source: {' '.join(around.split())}"
    for target in page.targets:
        url = urllib.parse.urlparse(target)
        if url.scheme or target == "#" or url.path.endswith(".js"):
            continue
        path = urllib.parse.unquote(url.path) or name
        if not (folder / path).is_file():
            yield f"leads to {target}, which is not there"
        elif url.fragment and path in pages and urllib.parse.unquote(url.fragment) not in pages[path].anchors:
            yield f"leads to {target}, but that page has no such place"


def browser():
    """None where there is none."""
    try:
        from selenium import webdriver
        from selenium.common.exceptions import WebDriverException
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu"):
            options.add_argument(argument)
        return webdriver.Chrome(options=options, service=webdriver.chrome.service.Service("/usr/bin/chromedriver"))
    except (ImportError, WebDriverException) as reason:
        if os.environ.get("CI"):
            raise
        print(f"the width of pages is not checked: {reason}")
        return None


def too_wide(names, folder):
    driver = browser()
    if not driver:
        return
    try:
        for width in SCREENS:
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 800})
            for name in names:
                driver.get((folder / name).as_uri())
                needed = driver.execute_script(
                    "return Math.max(document.documentElement.scrollWidth, document.getElementById('doc-content').scrollWidth)")
                if needed > width:
                    yield f"{name}: {needed} wide on a screen of {width}"
    finally:
        driver.quit()


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    pages = {path.name: Page(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.html"))}
    problems = [f"{name}: {complaint}" for name in pages for complaint in complaints_about(name, pages, folder)]
    problems += too_wide([name for name in pages if not name.endswith("_source.html")], folder)
    print(*problems, f"{len(pages)} pages, {len(problems)} problems", sep="\n")
    sys.exit(bool(problems or len(pages) < 50))


if __name__ == "__main__":
    main()
