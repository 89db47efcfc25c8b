"""Challenges and rules of ladders in sentences, for pages, feeds and mails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards.prose import possessive
from pbem.events import ladder
from pbem.i18n import _, several
from pbem.states import ChallengeState

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.play.ladders.overview import ChallengeSummary


def describe(one: ChallengeSummary) -> str:
    """Return what has become of a challenge, in a sentence."""
    names = {"name": one.challenger, "other": one.challenged, "place": one.places[1]}
    if one.state == ChallengeState.OFFERED:
        return _("{name} has challenged {other} for place {place}.", **names)
    if one.state == ChallengeState.ACCEPTED:
        return _("{name} plays against {other} for place {place}.", **names)
    if one.state == ChallengeState.TAKEN_BACK:
        return _("{name} took back a challenge to {other} for place {place}.", **names)
    if one.state in {ChallengeState.DECLINED, ChallengeState.LAPSED}:
        return _describe_unplayed(one)
    return _describe_played(one)


def held_for(since: datetime, now: datetime) -> str:
    """Return for how long a place is held, in whole days."""
    days = (now - since).days
    return several("one day", "{count} days", days) if days else _("less than a day")


def rules(places: int) -> list[str]:
    """Return the rules of a ladder of so many places, a sentence each."""
    return [
        _("You can challenge those up to {reach} places above you, one at a time. Each player has one challenge from "
          "below at a time, and each of the first {top} two.", reach=ladder.reach(places), top=ladder.TOP_PLACES),
        _("A challenger who wins takes the place, and those between move one place down. A draw changes nothing."),
        _("A player who loses on time goes {places} places down, and leaves the ladder with the second such loss "
          "in a row.", places=ladder.PLACES_LOST_ON_TIME),
        _("A challenge not answered within {days} days counts as lost, and so does the second one declined in "
          "{decline} days. A vacation gives up to {away} more days to answer.", days=ladder.ANSWER_TIME.days,
          decline=ladder.DECLINES_WITHIN.days, away=ladder.MAX_TIME_AWAY.days),
        _("The same two meet again after {days} days. Nobody challenges, or is challenged, on vacation.",
          days=ladder.REMATCH_AFTER.days),
        several("A player who plays no match for {count} day leaves the ladder.",
                "A player who plays no match for {count} days leaves the ladder.", ladder.OFF_AFTER.days),
    ]  # fmt: skip


def _describe_unplayed(one: ChallengeSummary) -> str:
    called = {"name": one.challenged, "whose": possessive(one.challenger), "place": one.places[1]}
    if one.state == ChallengeState.DECLINED:
        return _("{name} declined {whose} challenge for place {place}.", **called)
    return _("{name} did not answer {whose} challenge for place {place}, so it counted as lost.", **called)


def _describe_played(one: ChallengeSummary) -> str:
    names = {"name": one.challenger, "other": one.challenged, "place": one.places[1]}
    if one.match is None:
        return _("The challenge from {name} to {other} ended, because one of them left the ladder.", **names)
    if one.won is None:
        return _("{name} played against {other} for place {place}: nobody won.", **names)
    if one.on_time:
        sentence = _("{name} won on time against {other} for place {place}.", **names)
        lost = _("{name} lost on time against {other} for place {place}.", **names)
    else:
        sentence = _("{name} won against {other} for place {place}.", **names)
        lost = _("{name} lost against {other} for place {place}.", **names)
    return sentence if one.won else lost
