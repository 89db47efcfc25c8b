"""docs/play/conditional-moves.md: each condition is one of its game and some time met; all standing orders are told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pbem.games import GAMES, NeverMet, View
from pbem.games.foresight import FORCED
from tests.support.games.random_play import Match, walk
from tests.support.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = (ROOT / "docs" / "play" / "conditional-moves.md").read_text()
SECTIONS = {part.partition("\n")[0]: part for part in PAGE.split("\n## ")}
OURS = {game.name: game for key, game in GAMES.items() if type(game).__module__.startswith("pbem.")}
MATCHES = 60
"""So many matches are played at most until all has come true."""


def rows(section: str, head: str) -> list[str]:
    """Find what stands in backticks in the first column of the tables with this head."""
    tables = re.findall(rf"\| {head} \|[^\n]*\n\|[-|]+\n((?:\|[^\n]*\n)+)", section)
    return [said for table in tables for line in table.splitlines() for said in _quoted(line.split("|")[1])]


def _quoted(cell: str) -> list[str]:
    return re.findall("`([^`]+)`", cell)


def views(name: str) -> Iterator[View]:
    game = OURS[name]
    for number in range(MATCHES):
        for turn in walk(Match(game, game.seats[0], {}, bytes([number] * 32))):
            yield game.view(turn.before, turn.seat)


@pytest.mark.parametrize("name", OURS)
def test_every_condition_can_be_said_and_some_time_is_met(name: str) -> None:
    waiting = dict.fromkeys(rows(SECTIONS[name], "You write"))
    assert waiting
    game = OURS[name]
    for view in views(name):
        for condition in [*waiting]:
            try:
                if game.meets(view, condition):
                    del waiting[condition]
            except NeverMet:
                continue
        if not waiting:
            break
    assert not waiting


@pytest.mark.parametrize("name", OURS)
def test_every_standing_order_is_told(name: str) -> None:
    assert {FORCED, *rows(SECTIONS[name], "Standing order")} == set(OURS[name].policies)


def test_what_is_said_in_every_game() -> None:
    section = SECTIONS["In every game"]
    view = next(view for view in views("Martian Whist") if len(view.log) > 1)
    met = {condition: OURS["Martian Whist"].meets(view, condition) for condition in rows(section, "You write")}
    assert met["always"]
    assert met["take 3"] == met["seat 2: take 3"] != met["not take 3"]
    assert rows(section, "Standing order") == [FORCED]
