"""A process in which robots think: it reads a request a line, and writes what came of it.

Asked for a move, it is sent a View; asked for an analysis of a finished match, its record. It imports rules and robots
only, knows no settings, and lowers its own priority. It ends when nothing was asked for a while, and a request that
takes too much of the processor or of memory ends it.
"""

from __future__ import annotations

import json
import os
import resource
import select
import sys
import time
from dataclasses import asdict
from typing import Any

from pbem import robots
from pbem.games import Outcome, Seat, View
from pbem.games.record import parse_record
from pbem.robots import Level
from pbem.robots.analyses import STEPS

IDLE_SECONDS = 60
MAX_CPU_SECONDS = 20
"""Seconds of the processor for one request."""
CHUNK_SECONDS = 2
"""Seconds of the processor after which an analysis is interrupted, to go on in another request."""
MAX_MEMORY_BYTES = 256 * 1024 * 1024
NICENESS = 10


def main() -> None:
    """Answer requests until the input ends, or none has come for a while."""
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    while select.select([sys.stdin], [], [], IDLE_SECONDS)[0] and (line := sys.stdin.readline()):
        used = resource.getrusage(resource.RUSAGE_SELF)
        limit = int(used.ru_utime + used.ru_stime) + MAX_CPU_SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
        sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
        sys.stdout.flush()


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Answer a request for a move, or for a piece of an analysis."""
    return analyse(request) if "do" in request else think(request)


def analyse(request: dict[str, Any]) -> dict[str, Any]:
    """Go on with the analysis of a record for a while, from where its work has got to."""
    began = time.process_time()
    steps = iter(STEPS[request["do"]](parse_record(request["record"]), request["work"]))
    progress = next(steps)
    while progress.result is None and time.process_time() - began < CHUNK_SECONDS:
        progress = next(steps)
    return asdict(progress) | {"seconds": time.process_time() - began}


def think(request: dict[str, Any]) -> dict[str, Any]:
    """Choose a move for a request: a game, a level, a seed and a View as plain data."""
    thought = robots.think(
        request["game"], _view(request["view"]), Level(request["level"]), bytes.fromhex(request["seed"])
    )
    return asdict(thought)


def _view(data: dict[str, Any]) -> View:
    outcome = data["outcome"]
    return View(
        **data
        | {
            "viewer": Seat(data["viewer"]),
            "to_move": tuple(data["to_move"]),
            "moves": tuple(data["moves"]),
            "outcome": outcome and Outcome(tuple(outcome["scores"]), tuple(outcome["winners"])),
        }
    )


if __name__ == "__main__":
    main()
