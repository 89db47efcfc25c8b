"""How long it takes to read and verify the record of a whole match of each game, in both forms: `make bench-verify`."""

from __future__ import annotations

import json
import statistics
import time
from typing import TYPE_CHECKING

from benchmarks.options import Options
from pbem.games import GAMES, find
from pbem.games.record_text import format_text
from pbem.games.verify import verify
from pbem.records.file_parsing import read_bytes
from tests.support.games.small_record import random_match

if TYPE_CHECKING:
    from pbem.games.record import Record

GOAL, GOAL_OF_THE_LONGEST = 50, 200
"""Milliseconds: for any game, and for Montauk with twelve rounds."""


def main() -> None:
    """Print the median for each game."""
    options = Options(__doc__)
    options.number("--times", 30, 1, "how often each is read")
    options.number("--longest", 5000, 40, "the most moves of a match")
    wanted = options.told()
    for key in GAMES:
        record = random_match(key, wanted.longest)
        goal = GOAL_OF_THE_LONGEST if key == "montauk" else GOAL
        forms = {"JSON": json.dumps(record.data()).encode(), "text": format_text(record).encode()}
        taken = {form: _milliseconds(raw, record, wanted.times) for form, raw in forms.items()}
        said = ", ".join(f"{time_:.1f} ms as {form} of {len(forms[form]):,} bytes" for form, time_ in taken.items())
        over = " TOO SLOW" if max(taken.values()) > goal else ""
        print(f"verified: {key}, {len(record.log)} entries, {record.result['ending']}: {said}{over}")


def _milliseconds(raw: bytes, record: Record, turns: int) -> float:
    times = []
    for _ in range(turns):
        begun = time.perf_counter()
        read = read_bytes(raw)
        list(verify(read, find))
        times.append((time.perf_counter() - begun) * 1000)
    if read != record:
        raise RuntimeError(f"{record.game}: it was read otherwise than it was written")
    return statistics.median(times)


if __name__ == "__main__":
    main()
