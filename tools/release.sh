# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# shellcheck shell=bash disable=SC2154 # `run` sources these files together
#
# ./run release: what a version consists of. Sourced by `run`.

release() { # VERSION
    [[ $# = 1 && $1 =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || die "usage: ./run release VERSION, such as 0.2.0"
    local version=$1 folder=$top/build-release-$1
    ready_for_release "$version"
    prepare build test amalgamate
    say "dating CHANGELOG.md"
    sed -i "s/^## $version (unreleased)\$/## $version ($(date +%F))/" "$top/CHANGELOG.md"
    git -C "$top" commit --quiet --message "release: $version" CHANGELOG.md
    say "building and testing the archive"
    rm -rf "$folder"
    mkdir -p "$folder"
    if ! { quietly meson setup "$folder/build" "$top" -Dtests=enabled && quietly meson dist -C "$folder/build" --formats xztar; }; then
        git -C "$top" reset --quiet --hard HEAD~1 # the tree was clean
        die "the archive does not build or pass its tests; CHANGELOG.md is undated again"
    fi
    cp "$folder"/build/meson-dist/abut-"$version".tar.xz "$folder"
    python3 "$top/packaging/amalgamate.py" "$folder/abut-$version-onefile"
    tar -C "$folder" -cJf "$folder/abut-$version-onefile.tar.xz" "abut-$version-onefile"
    (cd "$folder" && sha256sum ./*.tar.xz >SHA256SUMS)
    rm -rf "$folder/build" "$folder/abut-$version-onefile"
    say "made: ${folder#"$top"/}: $(cd "$folder" && echo *)"
    say "nothing is public yet: git tag v$version && git push origin HEAD v$version"
}

ready_for_release() { # VERSION
    [ -z "$(git -C "$top" status --porcelain)" ] || die "the tree has changes that are not committed"
    grep -q "^#define ABUT_VERSION \"$1\"" "$top/include/abut/version.h" ||
        die "include/abut/version.h has another version than $1"
    grep -q "^## $1 (unreleased)" "$top/CHANGELOG.md" || die "CHANGELOG.md has no section '## $1 (unreleased)'"
    local version
    version=$(sed -n 's/.*"version": "\(.*\)".*/\1/p' "$top/packaging/vcpkg/vcpkg.json")
    [ "$version" = "$1" ] || die "packaging/vcpkg/vcpkg.json has version $version"
    grep -q "^abut ($1-1)" "$top/packaging/debian/changelog" || die "packaging/debian/changelog does not begin with $1-1"
}
