#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# deb.sh FOLDER: makes the Debian source package of the committed tree in FOLDER, builds it, lets lintian read it, and
# compiles a program against what is in the packages. Needs git, debhelper, lintian and what control asks for.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ $# = 1 ] || { echo "usage: packaging/deb.sh FOLDER" >&2 && exit 1; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
version=$(sed -n 's/^#define ABUT_VERSION "\(.*\)"/\1/p' "$top/include/abut/version.h")
tree=$folder/abut-$version

rm -rf "$tree" "$folder"/*.deb "$folder/unpacked"
git -C "$top" archive --prefix="abut-$version/" HEAD | gzip -9n >"$folder/abut_$version.orig.tar.gz"
tar -C "$folder" -xf "$folder/abut_$version.orig.tar.gz"
cp -r "$tree/packaging/debian" "$tree/debian"
(cd "$tree" && dpkg-buildpackage --no-sign --build=full)

# What only a package that is in Debian can have: a closed bug, and a maintainer whom a mail reaches.
(cd "$folder" && lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs,bogus-mail-host-in-debian-changelog,bogus-mail-host \
    "abut_$version-1_$(dpkg --print-architecture).changes")

for package in "$folder"/libabut*.deb; do
    dpkg --extract "$package" "$folder/unpacked"
done
library=$(dirname "$folder"/unpacked/usr/lib/*/libabut.so)
cc "$top/examples/touch.c" -I "$folder/unpacked/usr/include" -L "$library" -labut -o "$folder/touch"
LD_LIBRARY_PATH=$library "$folder/touch" | diff "$top/examples/touch.expected" -
echo "built: $(cd "$folder" && echo *.deb)"
