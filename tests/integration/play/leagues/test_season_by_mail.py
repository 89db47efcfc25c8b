"""A season of the league of Montauk with eight people, played by mail alone while time goes on."""

from __future__ import annotations

import os
import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Entrant, Event, EventMatch, Match, SeatHolder
from pbem.games.chain import typed_entropy
from pbem.play.leagues import leaving, season_tables
from pbem.play.matches.seats import holders
from pbem.states import EventState, MatchRole, MatchState
from tests.support import clockwork
from tests.support.house import address
from tests.support.play.events.entering import enter, person
from tests.support.play.leagues import by_mail
from tests.support.play.leagues.drawn import begun

if TYPE_CHECKING:
    from tests.support.house import House, Mail

EIGHT = ("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus", "Hal")
FEBRUARY = datetime(2026, 2, 2, 12, tzinfo=UTC)
DRAW, BEGIN = datetime(2026, 3, 30, 9, 1, tzinfo=UTC), datetime(2026, 4, 1, 9, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def test_a_season_is_played_by_mail_from_entries_to_the_next_one(house: House) -> None:
    by_mail.welcome(house, *EIGHT, "Ida")
    by_mail.run(house, FEBRUARY)
    _enter(house)
    _draw(house)
    first, second = _groups(house)
    _begin(house)
    _play(house, first, second)
    _end(house, first, second)
    _save(house)


def _enter(house: House) -> None:
    (listed,) = by_mail.write(house, "Ann", "leagues", FEBRUARY)
    assert "montauk" in listed.flat.lower()
    assert "reply with a line such as “enter league " in listed.flat
    for name in EIGHT:
        (entered,) = by_mail.write(house, name, "enter league montauk", FEBRUARY)
        assert "You have entered season 1 of the league of Montauk. It begins on Wednesday, 1 April" in entered.flat
    (twice,) = by_mail.write(house, "Ann", "enter league montauk", FEBRUARY)
    assert "You have already entered." in twice.flat
    (none,) = by_mail.write(house, "Ann", "league montauk", FEBRUARY)
    assert "The league of Montauk has no table yet." in none.flat


def _draw(house: House) -> None:
    by_mail.run(house, DRAW - timedelta(minutes=2))
    assert [one.state for one in by_mail.seasons(house)] == [EventState.OPEN]
    by_mail.run(house, DRAW)
    by_mail.run(house, DRAW)
    assert [one.state for one in by_mail.seasons(house)] == [EventState.DRAWN, EventState.OPEN]
    for name in EIGHT:
        season = house.only(name)
        assert season.headers["Subject"] == "Your season: Montauk"
        assert "Your season: four matches, which begin on Wednesday, 1 April" in season.flat
        assert len(re.findall(r"\b[0-9a-f]{64}\b", season.text)) == 4
        assert "friendly and does not count" in season.flat
    (typed,) = by_mail.write(house, "Ann", "enter league montauk  my own  text", DRAW + DAY)
    assert "Your text is part of the deals of your matches." in typed.flat
    entropies = {seat.entropy for match in house.match_ids() for seat in house.match_seats(match)}
    assert entropies == {None, typed_entropy("my own  text")}


def _groups(house: House) -> list[list[str]]:
    """Check that every two of a group meet once; return its people."""
    groups = [house.all(select(Entrant.name).where(Entrant.grp == number).order_by(Entrant.name)) for number in (1, 2)]
    met = Counter(
        frozenset(house.all(select(SeatHolder.email).where(SeatHolder.match_id == match)))
        for match in house.all(select(EventMatch.match_id).where(EventMatch.role == MatchRole.COUNTS))
    )
    pairs = [frozenset(map(address, pair)) for names in groups for pair in combinations(names, 2)]
    assert met == Counter(pairs)
    return groups


def _begin(house: House) -> None:
    assert {*house.all(select(Match.state))} == {MatchState.INVITING}
    by_mail.run(house, BEGIN)
    assert {*house.all(select(Match.state))} == {MatchState.RUNNING}
    assert by_mail.seasons(house)[0].state == EventState.RUNNING
    with clockwork.at(BEGIN):
        turns = [mail for name in EIGHT for mail in house.mails(name)]
    assert turns
    assert all("League of Montauk, season 1, group " in mail.flat for mail in turns)
    (late,) = by_mail.write(house, "Ann", "enter league montauk another text", BEGIN)
    assert "You have already entered." in late.flat
    (waits,) = by_mail.write(house, "Ida", "enter league montauk", BEGIN + DAY)
    assert "You are on the waiting list of season 1 of the league of Montauk." in waits.flat


def _play(house: House, first: list[str], second: list[str]) -> None:
    """Play: somebody leaves and is replaced, somebody falls silent, one match is played, and the others resigned."""
    (asked,) = by_mail.write(house, second[3], "leave league montauk", BEGIN + 2 * DAY)
    assert "When do you want to leave?" in asked.flat
    assert "“leave league montauk now”: you leave at once. Somebody on the waiting list takes your place" in asked.flat
    (left,) = by_mail.write(house, second[3], "leave league montauk now", BEGIN + 2 * DAY)[-1:]
    assert "You have left season 1 of the league of Montauk." in left.flat
    with clockwork.at(BEGIN + 2 * DAY):
        season = next(mail for mail in house.mails("Ida") if mail.headers["Subject"] == "Your season: Montauk")
    assert f"You take the place of {second[3]} in season 1 of the league of Montauk." in season.flat
    at = BEGIN + 3 * DAY
    whole = _match_of(house, *first[:2])
    _play_to_the_end(house, whole, at)
    second[3] = "Ida"
    for group in (first, second):
        for winner, loser in combinations(group, 2):
            match = _match_of(house, winner, loser)
            if second[2] in {winner, loser}:
                _wait_for(house, match, second[2], at)
            elif match != whole:
                _resign(house, match, loser, at)
    (later,) = by_mail.write(house, first[2], "leave league montauk later", at)[-1:]
    assert "You play season 1 of the league of Montauk to its end, and are not entered in the next one." in later.flat
    (table,) = by_mail.write(house, first[0], "league montauk", at)
    assert f"{first[0]} (you)" in table.flat
    assert table.headers["Subject"].startswith("The table of the league")
    for days in (23, 24, 25, 26):
        clockwork.tick(house, BEGIN + days * DAY)
        by_mail.run(house, BEGIN + days * DAY)


def _end(house: House, first: list[str], second: list[str]) -> None:
    season, following = by_mail.seasons(house)
    assert (season.state, following.state) == (EventState.OVER, EventState.OPEN)
    with house.transaction() as ctx:
        top, bottom = season_tables.load(ctx, season)
    assert [top.entrants[row.player].name for row in top.rows][-1] == first[-1]
    assert {one.name: one.place for one in top.entrants.values()} == {
        top.entrants[row.player].name: row.place for row in top.rows
    }
    (withdrawn,) = [one.name for one in bottom.entrants.values() if one.left_reason == "on time"]
    assert withdrawn == second[2]
    entered = house.all(select(Entrant.name).where(Entrant.event_id == following.id).order_by(Entrant.name))
    assert entered == sorted({*first, *second} - {withdrawn, first[2]})
    with clockwork.at(BEGIN + 27 * DAY):
        over = [mail for mail in house.mails(first[0]) if mail.headers["Subject"] == "The season is over: Montauk"]
        (gone,) = [mail for mail in house.mails(withdrawn) if mail.headers["Subject"] == "You left a league: Montauk"]
    assert "Season 1 of the league of Montauk is over. You have place " in over[0].flat
    assert "You are entered in the next season." in over[0].flat
    assert "You lost two matches on time, so you were withdrawn" in gone.flat


def test_two_seasons_at_once_are_listed_joined_and_left_by_mail(house: House) -> None:
    by_mail.welcome(house, *EIGHT, "Ida")
    first = begun(house, *EIGHT)
    second = by_mail.seasons(house)[1]
    assert second.draws_at
    for name in EIGHT[:5]:
        enter(house, second.id, name, BEGIN)
    (typed,) = by_mail.write(house, "Ann", "enter league montauk her own text", BEGIN + DAY)
    assert "You have already entered." not in typed.flat
    by_mail.run(house, second.draws_at)
    at = second.draws_at + timedelta(hours=1)
    (listed,) = by_mail.write(house, "Ann", "leagues", at)
    assert all(f"season {number}" in listed.flat.lower() for number in (1, 2, 3))
    (typed,) = by_mail.write(house, "Ann", "enter league montauk another text", at)
    assert "Your text is part of the deals of your matches." in typed.flat
    (waits,) = by_mail.write(house, "Ida", "enter league montauk", at)
    assert "You are on the waiting list of season 2 of the league of Montauk." in waits.flat
    (asked,) = by_mail.write(house, "Ann", "leave league montauk", at)
    assert "Your matches have not begun." in asked.flat
    alone = next(name for name in EIGHT if name not in EIGHT[:5])
    with house.transaction() as ctx:
        leaving.stay_no_more(ctx, ctx.session.get_one(Event, first), person(ctx, alone).id)
    by_mail.run(house, BEGIN + 91 * DAY)
    (asked,) = by_mail.write(house, alone, "leave league montauk", BEGIN + 91 * DAY)
    assert "When do you want to leave?" in asked.flat


def _match_of(house: House, *names: str) -> str:
    """Return the match in which two people meet."""
    emails = [address(name) for name in names]
    seated = [
        {*house.all(select(SeatHolder.match_id).where(SeatHolder.email == one, SeatHolder.left_at.is_(None)))}
        for one in emails
    ]
    match: str
    (match,) = set.intersection(*seated)
    return str(match)


def _turn_mail(house: House, match: str, name: str) -> Mail:
    """Return the newest mail that somebody has about a match."""
    house.mails(name)
    theirs = (mail for mail in reversed(house.every_mail) if mail.name == name)
    return next(mail for mail in theirs if f"<match.{match}." in str(mail.headers["References"]))


def _resign(house: House, match: str, name: str, at: datetime) -> None:
    """Resign for somebody, once it is their turn or they have a mail of the match."""
    with clockwork.at(at):
        _move_until_mailed(house, match, name)
        house.reply(_turn_mail(house, match, name), "resign yes")
    assert house.match(match).state == MatchState.OVER


def _move_until_mailed(house: House, match: str, name: str) -> None:
    has_mail = any(
        mail.name == name and f"<match.{match}." in str(mail.headers["References"]) for mail in house.every_mail
    )
    if not has_mail:
        _move(house, match)


def _wait_for(house: House, match: str, name: str, at: datetime) -> None:
    """Move for the opponent of somebody, until it is that one's turn."""
    with clockwork.at(at):
        while name not in _movers(house, match):
            _move(house, match)


def _movers(house: House, match: str) -> list[str]:
    with house.course(match) as (ctx, course):
        present = holders(ctx, course.match)
        return [one.email.partition("@")[0].capitalize() for one in present if one.seat in course.match.to_move]


def _move(house: House, match: str) -> None:
    """Play the first suggestion at the seat that is to move, by mail."""
    house.reply(_turn_mail(house, match, _movers(house, match)[0]), "#1")


def _play_to_the_end(house: House, match: str, at: datetime) -> None:
    with clockwork.at(at):
        while house.match(match).state == MatchState.RUNNING:
            _move(house, match)


def _save(house: House) -> None:
    """Save one mail of each subject, if a folder for them is named."""
    folder = os.environ.get("SEASON_MAILS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for mail in house.every_mail:
            subject = re.sub(r"\W+", "-", str(mail.headers["Subject"])).strip("-").lower()[:40]
            Path(folder, f"{subject}.txt").write_text(f"Subject: {mail.headers['Subject']}\n\n{mail.text}")
