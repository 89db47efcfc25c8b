"""A season of eight people on the running service, by SMTP and Maildir alone, while its time is moved on."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.live_service import until
from tests.support.service.moved_clock import service_at
from tests.support.service.season_by_mail import Season, flat

if TYPE_CHECKING:
    Groups = tuple[list[str], list[str]]

EIGHT = ("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus", "Hal")
FEBRUARY = datetime(2026, 2, 2, 12, tzinfo=UTC)
DRAW, BEGIN = datetime(2026, 3, 30, 9, 1, tzinfo=UTC), datetime(2026, 4, 1, 9, 1, tzinfo=UTC)
NEXT_DRAW = datetime(2026, 6, 29, 9, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def test_a_season_is_played_by_mail_on_the_running_service(tmp_path: Path) -> None:
    with service_at(tmp_path / "data", FEBRUARY) as service:
        season = Season(service, (*EIGHT, "Ida"))
        service.wake()
        season.welcome()
        enter(season)
        groups = draw(season)
        leaver = begin(season, groups)
        play(season, groups, leaver)
        end(season, groups)
        begin_next(season, groups)
        if folder := os.environ.get("SEASON_MAILS"):
            season.save(Path(folder))


def enter(season: Season) -> None:
    """Enter eight people."""
    assert "Season 1 begins on Wednesday, 1 April 2026. Nobody has entered yet." in season.write("Ann", "leagues")
    for name in EIGHT:
        entered = season.write(name, "enter league whist")
        assert "You have entered season 1 of the league of Martian Whist." in entered
    assert "You have already entered." in season.write("Ann", "enter league whist")


def draw(season: Season) -> Groups:
    """Draw the season, and return the members of its groups as their mails name them."""
    season.service.move_to(DRAW)
    groups: Groups = ([], [])
    for name in EIGHT:
        (mail,) = season.mails(name, "Your season: Martian Whist")
        text = flat(mail)
        assert "four matches, which begin on Wednesday, 1 April 2026" in text
        found = re.search(r"Your matches in group ([12]),", text)
        assert found
        groups[int(found[1]) - 1].append(name)
    assert [len(group) for group in groups] == [4, 4]
    assert "Your text is part of the deals of your matches." in season.write("Ann", "enter league whist my own words")
    return groups


def begin(season: Season, groups: Groups) -> str:
    """Begin the season; somebody waits, and takes the place of one who leaves, whose name is returned."""
    season.service.move_to(BEGIN)
    for name in EIGHT:
        season.mails(name, "Your turn: Martian Whist")
    assert "You are on the waiting list of season 1" in season.write("Ida", "enter league whist")
    leaver = groups[1].pop()
    assert "Somebody on the waiting list takes your place" in season.write(leaver, "leave league whist")
    season.post(leaver, "leave league whist now")
    assert "You have left season 1" in flat(season.mails(leaver, "You left a league: Martian Whist")[0])
    taken = flat(season.mails("Ida", "Your season: Martian Whist")[0])
    assert f"You take the place of {leaver} in season 1 of the league of Martian Whist." in taken
    groups[1].append("Ida")
    return leaver


def play(season: Season, groups: Groups, leaver: str) -> None:
    """Play the first group's matches; in the second one somebody is silent, and somebody resigns."""
    first, second = groups
    silent, resigning = second[0], second[1]
    for opponent in second[2:]:
        season.resign(resigning, meeting(season, resigning, opponent))
    pairs = [pair for group in groups for pair in combinations(group, 2) if silent not in pair]
    season.play({meeting(season, *pair) for pair in pairs}, silent=[silent, leaver])
    assert f"{first[0]} (you): " in season.write(first[0], "league whist")
    stays = season.write(first[2], "leave league whist later")
    assert "You play season 1 of the league of Martian Whist to its end, and are not entered in the next one." in stays


def end(season: Season, groups: Groups) -> None:
    """End the season by the silent one's time, which runs out and withdraws them."""
    silent = groups[1][0]
    for days in (23, 25, 27):
        season.service.move_to(BEGIN + days * DAY)
    others = [name for name in groups[1] if name != silent]
    for name in others:
        until(partial(season.is_over, meeting(season, silent, name)))
    season.service.wake()
    gone = flat(season.mails(silent, "You left a league: Martian Whist")[0])
    assert "You lost two matches on time, so you were withdrawn from season 1" in gone
    season.service.wake()
    for name in (*groups[0], *others):
        over = flat(season.mails(name, "The season is over: Martian Whist")[0])
        assert "Season 1 of the league of Martian Whist is over. You have place " in over
        stays = name != groups[0][2]
        assert ("You are entered in the next season. It begins on Wednesday, 1 July 2026." in over) == stays


def begin_next(season: Season, groups: Groups) -> None:
    """Draw the next season, among those who stay."""
    season.service.move_to(NEXT_DRAW)
    staying = [*groups[0][:2], groups[0][3], *groups[1][1:]]
    for name in staying:
        until(partial(plays_next, season, name))
    assert not any(plays_next(season, name) for name in (groups[0][2], groups[1][0]))


def plays_next(season: Season, name: str) -> bool:
    """Return whether somebody is mailed their matches of the next season."""
    return any("This is season 2 of the league" in flat(mail) for mail in season.mails(name, "Your season"))


def meeting(season: Season, first: str, second: str) -> str:
    """Return the match in which two of a group meet."""
    theirs = [{*season.matches(season.mails(name, "Your season")[0])} for name in (first, second)]
    (match,) = theirs[0] & theirs[1]
    return match
