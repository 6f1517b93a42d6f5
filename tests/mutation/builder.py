# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Compiling a variant and linking tests with it, as ninja would in the folder of a build."""

import json
import pathlib
import shlex
import subprocess

PROGRAMS = ("tests/test-*", "tests/kernels/test-*")


class Builder:
    """What ninja would do, for one changed source."""

    def __init__(self, top, build, limit):
        self.top, self.build, self.limit = top, build, limit
        self.sound = {}  # test program -> whether the sources as they are pass it here
        self.compile = {}  # object -> command
        self.link = {}  # test program -> command
        commands = subprocess.run(["ninja", "-C", build, "-t", "commands"], check=True, stdout=subprocess.PIPE, text=True)
        for row in commands.stdout.splitlines():
            words = shlex.split(row) if " -o " in row else []
            target = words[words.index("-o") + 1] if words else ""
            if "-c" in words and target.startswith(("src/", "tests/")):
                self.compile[target] = [w for w in words if w not in ("ccache", "-MD")]
            elif any(pathlib.PurePath(target).match(pattern) for pattern in PROGRAMS) and "-c" not in words:
                self.link[pathlib.Path(target).name] = words
        self.objects = self.read_dependencies()

    def read_dependencies(self):
        """Path from src/ -> the objects that include it, or are made from it: of the library and of the tests."""
        source, objects, target = (self.top / "src").resolve(), {}, None
        deps = subprocess.run(["ninja", "-C", self.build, "-t", "deps"], check=True, stdout=subprocess.PIPE, text=True)
        for row in deps.stdout.splitlines():
            if row and not row[0].isspace():
                target = row.split(":")[0]
            elif row.strip() and target in self.compile:
                path = (self.build / row.strip()).resolve()
                if source in path.parents:
                    objects.setdefault(str(path.relative_to(source)), []).append(target)
        return objects

    def objects_of(self, path, part):
        """Those of `part`, which is src or tests."""
        return [target for target in self.objects.get(path, ()) if target.startswith(part + "/")]

    def compile_object(self, target, folder, out):
        """Whether that succeeds, with the source that write_overlay has changed."""
        words = list(self.compile[target])
        words[words.index("-o") + 1] = str(out)
        words = [w for i, w in enumerate(words) if w != "-MF" and words[i - 1] != "-MF" and w != "-MQ" and words[i - 1] != "-MQ"]
        words += ["-w", "-ivfsoverlay", str(folder / "overlay.yaml")]
        done = subprocess.run(words, cwd=self.build, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return done.returncode == 0

    def write_overlay(self, variant, text, folder):
        original = (self.top / "src" / variant.path).resolve()
        changed = folder / "changed"
        changed.write_text(variant.apply(text), encoding="utf-8")
        overlay = {"version": 0, "use-external-names": False, "roots": [
            {"name": str(original), "type": "file", "external-contents": str(changed)}]}
        (folder / "overlay.yaml").write_text(json.dumps(overlay), encoding="utf-8")

    def build_objects(self, variant, text, folder):
        """The library's objects of a variant, or None if it does not compile or is no other code."""
        self.write_overlay(variant, text, folder)
        made, other = [], False
        for k, target in enumerate(self.objects_of(variant.path, "src")):
            out = folder / f"{k}.o"
            if not self.compile_object(target, folder, out):
                return None
            other = other or out.read_bytes() != (self.build / target).read_bytes()
            made.append(str(out))
        return made if other else None

    def link_test(self, name, variant, objects, folder):
        """A test with the objects of a variant; its own, if they include the source, are compiled anew, too."""
        words, out = list(self.link[name]), folder / name
        for k, target in enumerate(self.objects_of(variant.path, "tests")):
            own = folder / f"own{k}.o"
            if target in words and self.compile_object(target, folder, own):
                words[words.index(target)] = str(own)
        at = words.index("-o") + 1
        words[at] = str(out)
        words[at + 1:at + 1] = objects  # before the library, whose objects of these names are then left out
        subprocess.run([*words, "-fuse-ld=lld"], cwd=self.build, check=True, stdout=subprocess.DEVNULL)
        return out
