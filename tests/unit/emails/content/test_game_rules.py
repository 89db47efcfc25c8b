"""The rules by mail: what they say, and that none of it can be taken for a move."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from emails.content.game_rules import rules_blocks
from emails.content.plain_text import render_text
from emails.content.safe_wrapping import LINE_WIDTH
from pbem.boards.rules import rules_for, translated
from pbem.games import GAMES, Chance, GameError
from pbem.i18n import LANGUAGES, _, use_locale
from pbem.play.inbox import commands
from pbem.play.submissions.move_finder import MAX_JOINED_LINES
from tests.support.examples import examples, few
from tests.support.games.random_play import Match as Deal
from tests.support.games.random_play import walk

if TYPE_CHECKING:
    from collections.abc import Iterator


TOLD = ("minimax", "martian-whist", "montauk", "martian-trickery", "amazonian-buffet", "middle-card")
POSITIONS = examples(12)
"""About so many positions of each match are looked at, spread over all of it, and its last ones."""


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    with use_locale(request.param):
        yield request.param


def flat(game: str) -> str:
    return " ".join(render_text(tuple(rules_blocks(game))).split())


def joined(lines: list[str]) -> Iterator[str]:
    """Yield each line as a reply quotes it, and bare, alone and with those directly below it."""
    for at, line in enumerate(lines):
        yield f"> {line}"
        text = ""
        for below in lines[at : at + 1 + MAX_JOINED_LINES]:
            if not below:
                break
            text = f"{text}\n{below.strip()}".strip()
            yield text


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize("seed", [b"\1", b"\2"])
@pytest.mark.parametrize("game", TOLD)
def test_no_line_of_the_rules_is_a_move(game: str, seed: bytes) -> None:
    texts = [text for text in few(dict.fromkeys(joined(render_text(tuple(rules_blocks(game))).splitlines()))) if text]
    rules = GAMES[game]
    turns = list(islice(walk(Deal(rules, rules.seats[0], {}, seed * 32), Chance(seed * 32)), 400))
    for turn in [*turns[:: max(1, len(turns) // POSITIONS)], *turns[-3:]]:
        assert is_move(game, turn.before, turn.seat, turn.move)
        for seat in rules.to_move(turn.before):
            assert [text for text in texts if is_move(game, turn.before, seat, text)] == []


def is_move(game: str, position: Any, seat: Any, text: str) -> bool:
    try:
        GAMES[game].read(position, seat, text)
    except GameError:
        return False
    return True


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize("game", TOLD)
def test_the_mail_says_what_the_page_says(game: str) -> None:
    rules, text = translated(rules_for(game)), flat(game)
    lines = render_text(tuple(rules_blocks(game))).splitlines()
    assert all(len(line) <= LINE_WIDTH for line in lines)
    assert "`" not in text
    assert text.count(_("Example: {caption}", caption="")) == len(rules.examples)
    assert lines.count(_("House rules").upper()) == bool(rules.house)
    assert all(line.split("`")[0].strip() in text for line in rules.house)
    for section in rules.sections:
        assert section.heading.upper() in lines
    for option in GAMES[game].options:
        assert rules.options[option] in text
    assert rules.designer in text


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize("game", TOLD)
def test_no_line_of_the_rules_is_a_command(game: str) -> None:
    """One with words behind it, such as “new”, may begin a line: it is read only above all that a reply quotes."""
    lines = filter(None, render_text(tuple(rules_blocks(game))).splitlines())
    found = {line: commands.parse([line]) for line in lines}
    assert not [line for line, one in found.items() if one and not one.text]
    assert not [line for line in found if commands.parse([f"> {line}"])]


def test_an_option_is_told_with_all_its_values() -> None:
    said = flat("martian-trickery")
    assert "* The prizes: One Treehouse set (unless you choose another); Two stashes of pyramids. With two" in said
    assert "* How many hands? Four hands (unless you choose another); One hand; Two hands; Three hands. Fewer" in said


def test_what_may_be_typed_is_never_broken() -> None:
    lines = render_text(tuple(rules_blocks("amazonian-buffet"))).splitlines()
    assert any("“hands AS KS QS JS TS | 9D 9C 9H 4S 2D | 7S 3H”" in line for line in lines)
