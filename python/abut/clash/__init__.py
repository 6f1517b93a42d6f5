# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Clash detection in models that are larger than one world: abut.clash. docs/clash.md is the guide."""

from .run import clash

__all__ = ["clash"]
