# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""The instruction set that the kernels run on. The answers do not depend on it."""

from __future__ import annotations

from .enums import Isa
from .errors import check
from .library import lib


def isa_active() -> Isa:
    """The instruction set in use."""
    return Isa(lib.abut_isa_active())


def isa_select(isa: Isa) -> None:
    """Forces an instruction set for the whole process, for tests; call it only while nothing else runs."""
    check(lib.abut_isa_select(Isa(isa)), "isa_select")


def isa_name(isa: Isa) -> str:
    """What an instruction set is called."""
    return lib.abut_isa_name(Isa(isa)).decode()
