# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""abut for Conan 2, from the tree that this file lies in: conan create packaging/conan"""

import pathlib
import re

from conan import ConanFile
from conan.tools.files import copy
from conan.tools.layout import basic_layout
from conan.tools.meson import Meson, MesonToolchain

TREE = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ("meson.build", "meson_options.txt", "LICENSE", "include/*", "src/*", "packaging/*", "python/meson.build")


class Abut(ConanFile):
    name = "abut"
    description = "A collision world for C: contacts, rays, casts, culling and placement for boxes, hulls and rounded shapes"
    license = "MIT"
    topics = ("collision-detection", "games", "simulation", "culling")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]
    languages = "C"

    def set_version(self):
        text = (TREE / "include" / "abut" / "version.h").read_text(encoding="utf-8")
        self.version = re.search(r'ABUT_VERSION "([^"]+)"', text)[1]

    def export_sources(self):
        for pattern in SOURCES:
            copy(self, pattern, TREE, self.export_sources_folder)

    def layout(self):
        basic_layout(self)

    def build_requirements(self):
        self.tool_requires("meson/[>=0.61.2]")

    def generate(self):
        toolchain = MesonToolchain(self)
        for part in ("tests", "examples", "bench"):
            toolchain.project_options[part] = "disabled"
        toolchain.generate()

    def build(self):
        meson = Meson(self)
        meson.configure()
        meson.build()

    def package(self):
        Meson(self).install()
        copy(self, "LICENSE", self.source_folder, pathlib.Path(self.package_folder) / "licenses")

    def package_info(self):
        self.cpp_info.libs = ["abut"]
        self.cpp_info.set_property("cmake_file_name", "abut")
        self.cpp_info.set_property("cmake_target_name", "abut::abut")
        self.cpp_info.set_property("pkg_config_name", "abut")
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["m", "pthread"]
        if self.settings.os == "Windows" and self.options.shared:
            self.cpp_info.defines = ["ABUT_SHARED"]
