"""How many statements a judged move costs: what is known in a transaction is not read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.games import Seat
from pbem.play.lifecycle import acceptance
from pbem.play.matches.match_state import load_match, lock_match, play_move
from pbem.play.matches.seats import holders
from pbem.states import MatchState
from tests.support.db.statements import statements
from tests.support.house import NAMES, address, reply

if TYPE_CHECKING:
    from tests.support.house import House


@pytest.mark.parametrize("clock", ["none", "3 days"])
def test_a_move_by_mail_is_judged_in_few_statements(house: House, clock: str) -> None:
    match_id = house.make("martian-whist", 2, {}, clock=clock)
    for name in NAMES[:2]:
        house.reply(house.only(name), "yes")
    (seat,) = house.match(match_id).to_move
    mail = house.last(NAMES[seat - 1])
    answer = reply(mail, house.legal(match_id, seat)[0])
    assert house.send(answer.as_bytes(), mail.reply_to, address(mail.name)).code == 250
    with statements(house.engine) as asked:
        assert house.judge(match_id) == 1
    assert house.match(match_id).log_length == 1
    # There were 60 when deadlines were read ten times, and the log three times.
    assert len(asked) <= 18, "\n".join(asked)
    assert (
        sum("FROM log_entries WHERE log_entries.match_id" in each and "log_entries.salt" in each for each in asked) == 1
    )


def test_a_match_is_made_and_begun_in_few_statements(house: House) -> None:
    with statements(house.engine) as asked:
        match_id = house.make("middle-card", 3)
    made = len(asked)
    with statements(house.engine) as asked, house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        for holder in holders(ctx, match):
            acceptance.accept(ctx, match, holder, "")
    assert house.match(match_id).state == MatchState.RUNNING
    # There were 32 and 42 when each mail was written by itself, and each player asked for.
    assert made <= 22
    assert len(asked) <= 26, "\n".join(asked)


def test_a_move_that_is_not_kept_after_all_leaves_nothing_behind(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        before = load_match(ctx, match)
        assert load_match(ctx, match) is before
        seat, move = Seat(1), before.game.suggest(before.position, Seat(1))[0]
        inner = ctx.session.begin_nested()
        after = play_move(ctx, before, seat, move, ctx.now)
        assert load_match(ctx, match) is after
        inner.rollback()
        assert load_match(ctx, match).log == before.log == ()
        assert load_match(ctx, match).position == before.position
