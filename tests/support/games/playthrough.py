"""Playthroughs: a match printed with every View, to be read by people and compared by tests."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from hashlib import sha256
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any

from pbem.games.chance import Chance
from pbem.games.hidden import Eye, Seat, Viewer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pbem.games.game import Game, Json, Move, View

MAX_COUNTED_MOVES = 5000
"""Maximum number of legal moves that is printed exactly."""
MAX_LINE_WIDTH = 110
"""Maximum length of a line; longer values are broken into their parts."""
FINGERPRINT_DIGITS = 8
DONE = "."


def playthrough(
    game: Game[Any],
    seats: int,
    options: Mapping[str, object],
    seed: bytes,
    moves: Iterable[tuple[Seat, Move]] | None = None,
) -> Iterator[str]:
    """Yield a match line by line: the moves given, or else moves drawn from the seed until it is over.

    Every move has its number, its stage if that is another number, its entry in the log, and before it a fingerprint
    of each viewer's View. The Views themselves are printed in full before moves 1, 2, 4, 8 and so on, and at the end
    of the playthrough.
    """
    chance = Chance(seed)
    position = game.setup(seats, options, chance)
    viewers: tuple[Viewer, ...] = (Eye.PUBLIC, *map(Seat, range(1, seats + 1)))
    yield f"{game.name}, edition {game.edition}, seats: {seats}"
    yield f"options: {_compact(dict(game.settle(seats, options)))}"
    yield f"seed: {seed.hex()}"
    played = iter(moves) if moves is not None else None
    ply = 1
    while True:
        views = [game.view(position, viewer) for viewer in viewers]
        drawn = next(played, None) if played else _random_move(game, position, seed, ply)
        yield ""
        if drawn is None or ply & (ply - 1) == 0:
            yield from _full_views(views)
        yield "  views: " + ", ".join(f"{_viewer_name(view.viewer)} {_fingerprint(view)}" for view in views)
        if drawn is None:
            return
        seat, move = drawn
        stage = game.stage(position)
        sealed = "" if stage == ply else f"stage {stage}, "
        yield f"{ply}. {sealed}seat {seat} of {_count_moves(game, position, seat)}: {move}"
        position = game.apply(position, seat, move, chance)
        added = {view.viewer: _new_entries(view.log, game.log(position, view.viewer)) for view in views}
        for text, seen in _group_viewers((viewer, entry) for viewer, log in added.items() for entry in log).items():
            yield f"  log{_viewers_suffix(seen, len(views))}: {text}"
        ply += 1


def _random_move(game: Game[Any], position: Any, seed: bytes, ply: int) -> tuple[Seat, Move] | None:
    acting = game.to_move(position)
    if not acting:
        return None
    below = Chance(seed).stream(f"playthrough/{ply}").below
    seat = acting[below(len(acting))]
    chosen: tuple[str, ...] = ()
    while chosen[-1:] != (DONE,) and (pieces := game.steps(position, seat, chosen)):
        chosen += (pieces[below(len(pieces))],)
    return seat, game.read(position, seat, " ".join(piece for piece in chosen if piece != DONE))


def _new_entries(before: list[Json], after: list[Json]) -> list[Json]:
    """Return the log without the part that is unchanged; a sealed step may also change old entries."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False))
    return after[sum(1 for _ in same) :]


def _count_moves(game: Game[Any], position: Any, seat: Seat) -> str:
    count = sum(1 for _ in islice(game.moves(position, seat), MAX_COUNTED_MOVES + 1))
    if count == 1:
        return "1 move"
    return f"{count} moves" if count <= MAX_COUNTED_MOVES else f"more than {MAX_COUNTED_MOVES} moves"


def _full_views(views: list[View]) -> Iterator[str]:
    shown = views[0]
    outcome = None if shown.outcome is None else {k: list(v) for k, v in asdict(shown.outcome).items()}
    yield f"  to move: {_compact(list(shown.to_move))}, outcome: {_compact(outcome)}"
    for name in dict.fromkeys(name for view in views for name in view.board):
        yield from _part_lines(name, [(view.viewer, view.board[name]) for view in views if name in view.board])


def _part_lines(name: str, values: list[tuple[Viewer, Json]]) -> Iterator[str]:
    for text, seen in _group_viewers(values).items():
        yield from _break_value(f"{name}{_viewers_suffix(seen, len(values))}: ", json.loads(text), "  ")


def _group_viewers(values: Iterable[tuple[Viewer, Json]]) -> dict[str, list[Viewer]]:
    """Group the viewers who see the same."""
    groups: dict[str, list[Viewer]] = {}
    for viewer, value in values:
        groups.setdefault(_compact(value), []).append(viewer)
    return groups


def _viewers_suffix(viewers: list[Viewer], of: int) -> str:
    return "" if len(viewers) == of else f" ({', '.join(map(_viewer_name, viewers))})"


def _break_value(label: str, value: Any, indent: str) -> Iterator[str]:
    line = f"{indent}{label}{_compact(value)}"
    if len(line) <= MAX_LINE_WIDTH or not value or not isinstance(value, (dict, list)):
        yield line
        return
    yield f"{indent}{label}".rstrip()
    parts = [(f"{key}: ", part) for key, part in value.items()] if isinstance(value, dict) else []
    for name, part in parts or [("- ", part) for part in value]:
        yield from _break_value(name, part, indent + "  ")


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _fingerprint(view: View) -> str:
    shown = {field.name: getattr(view, field.name) for field in fields(view)} | {"viewer": _viewer_name(view.viewer)}
    return sha256(json.dumps(shown, sort_keys=True, default=asdict).encode()).hexdigest()[:FINGERPRINT_DIGITS]


def _viewer_name(viewer: Viewer) -> str:
    return viewer.value if isinstance(viewer, Eye) else f"seat {viewer}"
