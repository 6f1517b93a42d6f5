#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""What can be held of build servers and packages without them: workflows.py TOP

The workflow is YAML, its commands are shell, what they name exists, and actions have a version; recipes compile, and all
packages have the version of the headers. Then a release in a copy of the tree that is not ready for one is refused."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SUITE = re.compile(r"--suite (\w+)")


def check_workflow(top, workflow):
    import yaml
    jobs = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]
    suites = {path.name for path in (top / "tests").iterdir()}
    options = (top / "meson_options.txt").read_text(encoding="utf-8")
    for name, job in jobs.items():
        assert job["timeout-minutes"] <= 90 and "runs-on" in job, name
        assert job["steps"][0]["uses"].startswith("actions/checkout@v"), name
        for step in job["steps"]:
            if "uses" in step:
                assert re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"]), step
                continue
            line = step["run"]
            subprocess.run(["bash", "-n"], input=line, text=True, check=True)
            program = line.split()[0]
            if "/" in program:
                assert (top / program).exists(), line
            assert set(SUITE.findall(line)) <= suites, line
            for option in re.findall(r"-D(\w+)=", line):
                assert f"option('{option}'" in options, line


def check_packages(top):
    version = re.search(r'ABUT_VERSION "([^"]+)"', (top / "include/abut/version.h").read_text(encoding="utf-8"))[1]
    port = json.loads((top / "packaging/vcpkg/vcpkg.json").read_text(encoding="utf-8"))
    assert port["version"] == version
    assert (top / "packaging/debian/changelog").read_text(encoding="utf-8").startswith(f"abut ({version}-1)")
    for recipe in (top / "packaging/conan").rglob("conanfile.py"):
        compile(recipe.read_text(encoding="utf-8"), str(recipe), "exec")
    control = (top / "packaging/debian/control").read_text(encoding="utf-8")
    soname = re.search(r"soversion: '(\d+)'", (top / "src/meson.build").read_text(encoding="utf-8"))[1]
    assert f"Package: libabut{soname}\n" in control
    return version


def refused(tree, version, reason):
    done = subprocess.run([tree / "run", "release", version], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and reason in done.stderr and not done.stdout, done


def check_release(top, version, folder):
    tree = folder / "tree"
    for name in ("run", "tools", "packaging", "include", "CHANGELOG.md"):
        (shutil.copytree if (top / name).is_dir() else shutil.copy)(top / name, tree / name if tree.exists() else tree.mkdir() or tree / name)
    def git(*arguments):
        subprocess.run(["git", "-C", tree, "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, capture_output=True)
    git("init")
    refused(tree, "1.2", "usage")
    refused(tree, version, "not committed")
    git("add", "-A")
    git("commit", "-m", "all")
    refused(tree, "99.0.0", "another version")
    changelog = tree / "CHANGELOG.md"
    dated = re.sub(r"^(## \S+) \(.*\)$", r"\1 (1999-01-01)", changelog.read_text(encoding="utf-8"), flags=re.M)
    changelog.write_text(dated, encoding="utf-8")
    git("commit", "-a", "-m", "dated")
    refused(tree, version, "(unreleased)")


def main():
    top = pathlib.Path(sys.argv[1]).resolve()
    version = check_packages(top)
    try:
        for workflow in (top / ".github/workflows").glob("*.yml"):
            check_workflow(top, workflow)
    except ImportError:
        print("the workflows are not checked: there is no yaml for this Python")
    if shutil.which("git"):
        with tempfile.TemporaryDirectory() as folder:
            check_release(top, version, pathlib.Path(folder))


if __name__ == "__main__":
    main()
