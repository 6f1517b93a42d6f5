#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""The script `run`: run_script.py TOP

Every command explains itself, wrong commands are refused, and a failing test fails the run and is shown, with a Meson and a
ninja that only pretend."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MESON = """#!/bin/sh
case "$1" in
--version) echo 1.0.0 ;;
setup) for build; do case "$build" in */build-*) mkdir -p "$build/meson-logs" && touch "$build/build.ninja" ;; esac; done ;;
test) cp "$PRETENDED/testlog.json" "$3/meson-logs/testlog.json" && exit "$(cat "$PRETENDED/status")" ;;
esac
"""


def run(top, *arguments, **environment):
    return subprocess.run([top / "run", *arguments], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                          env={**os.environ, **environment})


def check_help(top):
    text = (top / "tools" / "help.txt").read_text(encoding="utf-8")
    commands = dict.fromkeys(re.findall(r"^  ([a-z]+)", text, re.M))
    assert {"demo", "test", "web", "docs", "bench", "amalgamate", "format", "help"} <= set(commands), commands
    assert run(top, "help").stdout == run(top, "--help").stdout == run(top).stdout == text
    for command in commands:
        told = run(top, "help", command)
        assert told.returncode == 0 and told.stdout.startswith(f"  {command} ") and told.stdout in text, told
        if command not in ("demo", "bench"):  # these programs have their own
            for option in ("--help", "-h"):
                assert run(top, command, option).stdout == told.stdout, command
    for wrong in (["nonsense"], ["nonsense", "--help"], ["help", "nonsense"], ["test", "nonsense"], ["web", "1", "2"],
                  ["docs", "now"], ["format", "x"], ["test", "one"], ["test", "all", "x"], ["amalgamate", "a", "b"]):
        refused = run(top, *wrong)
        assert refused.returncode == 1 and refused.stderr.startswith("run: ") and not refused.stdout, (wrong, refused)


def check_amalgamate(top, folder):
    """A folder that cannot be made is told in a line."""
    (folder / "file").touch()
    done = subprocess.run([sys.executable, top / "packaging" / "amalgamate.py", folder / "file" / "x"], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 1 and done.stderr == f"amalgamate.py: {folder}/file/x/abut: Not a directory\n", done


def test_row(name, result, said):
    return json.dumps({"name": name, "result": result, "stdout": said, "duration": 1.5, "command": ["./test"]})


def check_phases(top, folder):
    """In a copy of the script: a phase that passes, one that fails, and one in which Meson itself fails."""
    tree, tools = folder / "tree", folder / "bin"
    (tree / "tools").mkdir(parents=True)
    tools.mkdir()
    shutil.copy(top / "run", tree)
    for path in (top / "tools").iterdir():
        shutil.copy(path, tree / "tools")
    for name, text in (("meson", MESON), ("ninja", "#!/bin/sh\n")):
        (tools / name).write_text(text, encoding="ascii")
        (tools / name).chmod(0o755)
    good = [test_row("abut:world+threads / world-step", "OK", "[stack] a note\n[ RUN ] silent"),
            test_row("abut:policy / policy-self", "SKIP", "silent")]
    bad = test_row("abut:world / world-rest", "FAIL", "what went wrong")
    for rows, status, code, wanted in (
            (good, 0, 0, ["all passed", "1 passed, 0 failed", "[stack] a note"]),
            (good + [bad], 1, 1, ["failed: gcc", "1 passed, 1 failed", "-- abut:world / world-rest: FAIL after 1.5 s", "what went wrong"]),
            (good, 1, 1, ["failed: gcc", "1 passed, 1 failed"]), ([], 1, 1, ["failed: gcc", "0 passed, 1 failed"])):
        (folder / "testlog.json").write_text("".join(row + "\n" for row in rows), encoding="utf-8")
        (folder / "status").write_text(str(status), encoding="ascii")
        done = run(tree, "test", "gcc", PATH=f"{tools}:{os.environ['PATH']}", PRETENDED=str(folder))
        assert done.returncode == code, done
        for text in wanted:
            assert text in done.stdout, (text, done)
        assert "silent" not in done.stdout and done.stdout.splitlines()[-1] == next(text for text in wanted if "passed, " in text), done


def main():
    top = pathlib.Path(sys.argv[1]).resolve()
    check_help(top)
    with tempfile.TemporaryDirectory() as folder:
        check_amalgamate(top, pathlib.Path(folder))
        check_phases(top, pathlib.Path(folder))


if __name__ == "__main__":
    main()
