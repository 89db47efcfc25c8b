"""Rules pinned for each match: one that was begun with an edition goes on with it when a newer one is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

import pbem.games
from pbem.db.models import LogEntry, Match, Submission
from pbem.games import GAMES, Eye, find
from pbem.games.verify import verify
from pbem.play.archive import replay_check, replays
from pbem.play.archive.records import build_record
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.matches.seats import holders
from pbem.play.matches.views import player_names
from pbem.web import create_app
from tests.packages.middle_card import MiddleCard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pbem.games import Move, Seat
    from tests.packages.middle_card import Position
    from tests.support.house import House

KEY = "middle-card"


class MustSwap(MiddleCard):
    """The second edition, in which the first player has to swap a card."""

    edition = 2

    def moves(self, position: Position, seat: Seat) -> Iterator[Move]:
        return (move for move in super().moves(position, seat) if move != "stay")


@pytest.fixture
def deploy(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """What brings the second edition into the service, as a newer version of the package does."""

    def deployed() -> None:
        second = MustSwap()
        monkeypatch.setitem(pbem.games._editions(), (KEY, 2), second)
        monkeypatch.setitem(GAMES, KEY, second)

    return deployed


def moves(house: House, match_id: str) -> list[str]:
    return house.all(select(LogEntry.move).where(LogEntry.match_id == match_id).order_by(LogEntry.number))


def test_a_match_goes_on_with_the_edition_that_it_was_begun_with(house: House, deploy: Callable[[], None]) -> None:
    match_id = house.start_match(KEY, 3)
    mail = house.last("Ann")
    deploy()

    # Its page offers what its own edition allows, and its mail is judged by that.
    page = create_app(house.config, house.engine).test_client().get(f"/m/{mail.token}")
    assert page.status_code == 200
    assert "stay" in page.text
    house.reply(mail, "stay")
    assert moves(house, match_id) == ["stay"]
    assert "Ann: stay." in house.last("Bob").text

    # A match that begins now has the newer rules.
    newer = house.start_match(KEY, 3)
    assert house.match(newer).edition == 2
    house.reply(house.last("Ann"), "stay")
    assert moves(house, newer) == []
    assert house.all(select(Submission.status).where(Submission.match_id == newer)) == ["rejected"]

    # Replay and record of the older one are by its own rules.
    with house.transaction() as ctx:
        course = load_match(ctx, lock_match(ctx, match_id))
        endings.resign(ctx, course, holders(ctx, course.match)[1])
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        walked = list(replays.steps(load_match(ctx, match), Eye.OPEN, player_names(ctx, match)))
        assert [step.number for step in walked] == [0, 1, 2]
        assert "stay" in walked[0].moves[0].moves
        record = build_record(ctx, match)
        assert record.edition == 1
        assert next(verify(record, find)) == "The rules are known: Middle Card, edition 1."
        assert list(verify(record, find))[-1].startswith("The result follows from the log: resigned")
        assert replay_check.find_differences(ctx, sorted([match_id, newer])) == []


def test_an_edition_may_not_be_taken_away_while_matches_have_it(
    house: House, deploy: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = house.start_match(KEY, 3)
    deploy()
    newer = house.start_match(KEY, 3)
    monkeypatch.delitem(pbem.games._editions(), (KEY, 1))
    with house.transaction() as ctx:
        (found,) = replay_check.find_differences(ctx, sorted([match_id, newer]))
    assert str(found) == f"{match_id} (middle-card, edition 1): this edition is not installed"
