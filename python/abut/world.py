# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""The world: bodies in, a step, contacts out."""

from __future__ import annotations

import contextlib
import ctypes
import weakref
from typing import Callable, NamedTuple, Sequence, TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from .arrays import address, body_id, integer, packed, vector
from .bodies import row
from .boxes import side_by_side
from .calls import Caught
from .contacts import contacts_of, read_list
from .enums import Touch
from .errors import check, size
from .frustum import frusta_of
from .layout import (CONTACT, CONTACT_PART, OBB2, PAIR, PLACEMENT, PlacementRules, ShouldCollide, StepReport, VISIBLE,
                     Vec3, WorldDef)
from .library import lib
from .questions import query_filter
from .snapshots import Snapshots
from .threads import parallel_of, pool_of

if TYPE_CHECKING:
    from .frustum import Frustum


class Report(NamedTuple):
    """The report of a step: abut_step_report."""
    bodies: int
    moved: int
    candidates: int
    contacts: int
    begun: int
    ended: int
    seconds_bounds: float
    seconds_broad: float
    seconds_narrow: float
    seconds_events: float
    sweep_tests: int
    second_stage: int
    bytes: int


class Memory(NamedTuple):
    in_use: int
    reserved: int


class Question(Caught):
    """A Python function as should_collide, within a `with`. Its exception is raised after the step."""

    def __init__(self, function):
        self.function, self.callback = function, ShouldCollide(self.ask)

    def __enter__(self):
        self.listen()

    def __exit__(self, *_):
        self.reraise()

    def ask(self, a, user_a, b, user_b, _):
        if self.raised is None:
            try:
                return bool(self.function(packed(a), user_a, packed(b), user_b))
            except BaseException as error:
                self.raised = error
        return True


class Handle:
    """A world of the library. It is freed when the World is closed and no array shows its memory any more, and its pool
    of threads after it."""

    def __init__(self, definition, question, pool):
        self.pointer, self.question, self.pool = ctypes.c_void_p(), question, pool
        self.stepping, self.calls, self.borrowed = False, {}, weakref.WeakSet()
        check(lib.abut_world_create(ctypes.byref(definition), ctypes.byref(self.pointer)), "World")

    def __del__(self, destroy=lib.abut_world_destroy, byref=ctypes.byref):
        if self.pointer:
            destroy(byref(self.pointer))


class World(Snapshots):
    """A collision world. Ids of bodies are 64-bit numbers (abut_body_id_pack); 0 is no body.

    body_capacity, pair_capacity, fixed_capacity, contact_margin, up: as in abut_world_def.
    should_collide(a, user_a, b, user_b): optional final decision on a pair. Slow: calls Python for each pair that would
    touch, in every step. step() raises its exception after the step, in which it is not asked again and all pairs touch.

    threads: how many threads at most work on one call: None or 0 for the one that calls; "all" or -1 for as many as there
    are processors. Every answer has the same bits with any number. should_collide is then asked from several threads.

    A world has no lock, and calls release Python's global lock: use a world from one thread at a time. A call that would
    change it while another thread's does raises an Error, ABUT_ERROR_BUSY; asking while another thread changes it is not
    noticed, and undefined."""

    def __init__(self, *, body_capacity: int = 0, pair_capacity: int = 0, fixed_capacity: bool = False,
                 contact_margin: float = 0.0, up: ArrayLike = (0, 0, 0),
                 should_collide: Callable[[int, int, int, int], bool] | None = None,
                 threads: int | str | None = None) -> None:
        if should_collide is not None and not callable(should_collide):
            raise TypeError(f"should_collide: a function is wanted, not {type(should_collide).__name__}")
        question = Question(should_collide) if should_collide else None
        pool = pool_of(threads)
        super().__init__(Handle(WorldDef(
            body_capacity=integer("body_capacity", body_capacity, np.uint32),
            pair_capacity=integer("pair_capacity", pair_capacity, np.uint32), fixed_capacity=bool(fixed_capacity),
            contact_margin=size("World", "contact_margin", contact_margin), up=Vec3(*vector("up", up, 3)),
            should_collide=question.callback if question else ShouldCollide(),
            parallel=parallel_of(pool)), question, pool))

    def close(self) -> None:
        """Releases the world; closing twice is fine. Arrays that still show its memory keep that memory alive."""
        self._handle = None

    def __enter__(self) -> World:
        self._open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __bool__(self) -> bool:
        """True, also without bodies."""
        return True

    def __reduce__(self):
        raise TypeError("a World is neither copied nor pickled")

    def __repr__(self) -> str:
        return f"<abut.World of {len(self)} bodies>" if self._handle else "<abut.World, closed>"

    def step(self) -> Report:
        """Finds the current contacts for contacts(), parts() and events(). While an array of contacts, parts or events
        with copy=False is alive, a step raises BufferError: the array's memory would change."""
        with self._change("step") as handle:
            self._keep_lists(handle)
            report, outer = StepReport(), handle.stepping
            handle.stepping = True
            try:
                with handle.question if handle.question and not outer else contextlib.nullcontext():
                    result = lib.abut_world_step(handle.pointer, None, ctypes.byref(report))
            finally:
                handle.stepping = outer
            check(result, "step")
        return Report(*(getattr(report, name) for name in Report._fields))

    def contacts(self, copy: bool = True) -> np.ndarray:
        """The contacts of the last step, sorted by (a, b). copy=False: the world's own list, read-only, which must be
        deleted before the next step."""
        return self._list(lib.abut_world_contacts, CONTACT, copy)

    def parts(self, copy: bool = True) -> np.ndarray:
        """Where bodies touch the triangles of meshes: part (the triangle), previous1, manifold. Those of contact c are
        [c.part_first, c.part_first + c.part_count), ascending by part. copy as in contacts()."""
        return self._list(lib.abut_world_parts, CONTACT_PART, copy)

    def events(self, copy: bool = True) -> np.ndarray:
        """The contacts that began, persist and ended in the last step, sorted by (a, b). copy as in contacts()."""
        return self._list(lib.abut_world_events, CONTACT, copy)

    def pairs(self, copy: bool = True) -> np.ndarray:
        """Who touches whom in the last step: contacts() without all else, sorted by (a, b). copy as in contacts()."""
        return self._list(lib.abut_world_pairs, PAIR, copy)

    def _list(self, which, dtype, copy):
        handle = self._open()
        if not copy and handle.stepping:
            raise BufferError("within should_collide a list must be copied: the step goes on")
        return read_list(handle, which, dtype, bool(copy))

    def _keep_lists(self, handle):
        """Before a call that replaces them."""
        if handle.borrowed:
            raise BufferError("an array of contacts, parts, events or pairs with copy=False is still alive: delete it first")

    def body_contacts(self, body: ArrayLike) -> np.ndarray:
        """Indices into contacts() of the contacts of one body."""
        return contacts_of(self._open(), body_id("body", body))

    def cull(self, frusta: Frustum | Sequence[Frustum], *, category: ArrayLike | None = None,
             mask: ArrayLike | None = None, group: ArrayLike | None = None) -> np.ndarray:
        """The bodies that a Frustum, or at least one of at most 32, sees: body, user, views (bit i: not outside
        frustum i), inside (bit i: entirely inside it). With category, mask or group: only bodies that pass the filter."""
        handle, frusta = self._open(), frusta_of(frusta)
        given = any(value is not None for value in (category, mask, group))
        asked = ctypes.byref(query_filter("cull", category, mask, group)) if given else None
        visible = np.empty(len(self), VISIBLE)
        count = lib.abut_world_cull(handle.pointer, address(frusta), len(frusta), asked,
                                    address(visible), len(visible))
        return visible[:count]

    def test_placements(self, candidates: ArrayLike, *, touch: Touch = Touch.IS_OVERLAP, clearance: float = 0.0,
                        category: ArrayLike | None = None, mask: ArrayLike | None = None,
                        group: ArrayLike | None = None, ignore: ArrayLike = ()) -> np.ndarray:
        """Whether rectangles on the ground (obb2s) are free of the footprints of all bodies: free, blocker_count,
        first_blocker, push. `ignore`: bodies that do not block, with their compounds."""
        handle, candidates = self._open(), side_by_side("candidates", candidates, OBB2)
        ignore = row(ignore, "ignore")
        rules = PlacementRules(Touch(touch), size("test_placements", "clearance", clearance),
                               query_filter("test_placements", category, mask, group), address(ignore), len(ignore))
        placements = np.zeros(len(candidates), PLACEMENT)
        check(lib.abut_world_test_placements(handle.pointer, address(candidates), len(candidates),
                                             ctypes.addressof(rules), address(placements)), "test_placements",
              given=candidates)
        return placements

    def hash(self) -> int:
        """A hash of the canonical state: equal bodies, poses, shapes, filters and ids give the same number everywhere."""
        return lib.abut_world_hash(self._open().pointer)

    def validate(self) -> None:
        """Checks every invariant, by brute force; for bug reports."""
        check(lib.abut_world_validate(self._open().pointer), "validate")

    def memory(self) -> Memory:
        """Bytes in use and reserved."""
        in_use, reserved = ctypes.c_size_t(), ctypes.c_size_t()
        lib.abut_world_memory(self._open().pointer, ctypes.byref(in_use), ctypes.byref(reserved))
        return Memory(in_use.value, reserved.value)
