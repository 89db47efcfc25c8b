"""Whole matches played by plans: they end, their records verify, and nobody else can tell that there were plans."""

from __future__ import annotations

import json
import random
import re
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from emails.parsing import html_text
from pbem.db.models import Base, Deadline, LogEntry, Match, OutboxMessage, Player
from pbem.games import Seat, find
from pbem.games.hidden import Eye
from pbem.games.record import parse_record
from pbem.games.verify import verify
from pbem.play.accounts import data_export
from pbem.play.archive import records
from pbem.play.matches.views import player_names, render_view
from pbem.states import MatchState
from tests.support.clockwork import tick
from tests.support.house import NAMES, House, open_house

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from sqlalchemy import Engine

    from tests.support.house import Mail

EVERYTHING = "always lead low\nalways follow low\nalways race"
"""A plan that plays a whole match of Montauk."""
OWN = re.compile(r"\b[0-9a-z]{26}\b|\b[0-9a-f]{16,64}\b|#[0-9a-z]{6}\b|\[[0-9a-z]{5}\]|\b[0-9a-z]{20}\b")
"""What is different in any two matches: tokens, hashes, the marker of a turn, the match itself."""


def moves(house: House, match_id: str) -> list[tuple[int, str]]:
    played = select(LogEntry.seat, LogEntry.move).where(LogEntry.match_id == match_id, LogEntry.move.is_not(None))
    return [(seat, move) for seat, move in house.rows(played.order_by(LogEntry.number))]


def newest(house: House, name: str) -> Mail:
    house.mails(name)
    return [mail for mail in house.every_mail if mail.name == name][-1]


def wait(house: House, match_id: str) -> None:
    """Pass the time until the service plays next."""
    moments = select(Deadline.robot_moves_at).where(Deadline.match_id == match_id, Deadline.robot_moves_at.is_not(None))
    tick(house, min(house.all(moments)) + timedelta(seconds=1))


def must_verify(house: House, match_id: str) -> None:
    """See that the record of a finished match proves itself."""
    with house.transaction() as ctx:
        data = records.build_record(ctx, ctx.session.get_one(Match, match_id)).data()
    assert [*verify(parse_record(json.loads(json.dumps(data))), find)]


def test_two_plans_play_a_match_of_hidden_cards_to_its_end(house: House) -> None:
    match_id = house.start_match("montauk", 2, {"rounds": 1})
    for name in NAMES[:2]:
        house.reply(newest(house, name), EVERYTHING)
    while house.match(match_id).state == MatchState.RUNNING:
        wait(house, match_id)
    must_verify(house, match_id)
    for name in NAMES[:2]:
        kinds = [mail.flat for mail in house.mails(name)]
        assert "Thank you for playing." in kinds[-1]
        assert "Played for you, as you had planned:" in kinds[-1]
        turns = [text for text in kinds if "It is your turn" in text]
        assert turns == []


def test_moves_that_wait_play_most_of_a_match_of_open_pyramids(house: House) -> None:
    match_id = house.start_match("martian-whist", 2, {"sets": 2})
    house.reply(newest(house, "Bob"), "always duck")
    by_hand = 0
    while (match := house.match(match_id)).state == MatchState.RUNNING:
        (seat,) = match.to_move
        now, *later = house.legal(match_id, seat)[:8]
        planned = "\n".join(f"when I can: {move}" for move in later)
        house.reply(newest(house, NAMES[seat - 1]), f"{now}\n{planned}")
        by_hand += 1
    assert by_hand < len(moves(house, match_id)) / 2
    must_verify(house, match_id)


def without_own(text: str) -> str:
    return OWN.sub("…", text)


def seen_by_others(house: House, match_id: str) -> list[str]:
    """Return all that Bob, and whoever watches, are shown of a match: mails, their facts, View and log."""
    mails = [mail for mail in house.every_mail if mail.name == "Bob"]
    written = [f"{mail.message['Subject']}\n{mail.text}\n{html_text.to_text(mail.html)}" for mail in mails]
    facts = (
        select(OutboxMessage.kind, OutboxMessage.render_data)
        .where(OutboxMessage.recipient == "bob@example.org")
        .order_by(OutboxMessage.id)
    )
    kept = [f"{kind} {json.dumps(data, sort_keys=True)}" for kind, data in house.rows(facts)]
    with house.course(match_id) as (table, course):
        names = player_names(table, course.match)
        views = [
            json.dumps(render_view(course, viewer, names), sort_keys=True, default=str)
            for viewer in (Seat(2), Eye.PUBLIC)
        ]
    return [without_own(text) for text in (*written, *kept, *views)]


class TestCanary:
    """A match with plans, and the same one with the moves made by hand, look the same to all others."""

    MOVES = 9

    def begin(self, engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[House, str]:
        """Begin the same match again, in an empty house."""
        with engine.begin() as connection:
            for table in reversed(Base.metadata.sorted_tables):
                connection.execute(delete(table))
        drawn = random.Random("canary")
        monkeypatch.setattr(secrets, "token_bytes", lambda size=32: drawn.randbytes(size))
        house = open_house(engine, folder)
        return house, house.start_match("montauk", 2, {"rounds": 1})

    def play(self, house: House, match_id: str, ann: list[str] | None) -> list[str]:
        """Play some moves: Bob's by hand, Ann's as they are given, else by her plan; gives what Bob is shown."""
        given = iter(ann or ())
        while len(moves(house, match_id)) < self.MOVES:
            (seat,) = house.match(match_id).to_move
            if seat == 2:
                house.reply(newest(house, "Bob"), house.legal(match_id, 2)[0])
            elif ann is None:
                wait(house, match_id)
            else:
                house.reply(newest(house, "Ann"), next(given))
        house.mails("Bob")
        return seen_by_others(house, match_id)

    def test_all_bytes_to_others_are_the_same(
        self, house_engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        house, match_id = self.begin(house_engine, tmp_path / "planned", monkeypatch)
        house.reply(newest(house, "Ann"), EVERYTHING)
        planned = self.play(house, match_id, None)
        ann = [move for seat, move in moves(house, match_id) if seat == 1]
        assert self.exported(house, "Ann").count("follow low") > self.exported(house, "Bob").count("follow low") == 0
        house, match_id = self.begin(house_engine, tmp_path / "by hand", monkeypatch)
        by_hand = self.play(house, match_id, ann)
        assert planned == by_hand
        assert len(planned) > self.MOVES

    def exported(self, house: House, name: str) -> str:
        """Return all that somebody takes along, in text."""
        with house.transaction() as ctx:
            player = ctx.session.scalars(select(Player.id).where(Player.name == name)).one()
            return json.dumps(data_export.build(ctx, player))
