"""What tests of permissions share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.play.lifecycle.match_requests import Invitee
from pbem.states import MatchState
from tests.support.creating import create_match

if TYPE_CHECKING:
    from tests.support.house import House, Mail


LINES = {
    "accept": "accept a text of somebody else's",
    "always": "always duck",
    "avoid": "avoid Bob",
    "avoid no more": "avoid no more Bob",
    "away": "away 5 days",
    "back": "back",
    "board": "board",
    "challenge": "challenge 1 martian-whist",
    "come back": "come back",
    "decline": "decline",
    "decline for ever": "decline for ever",
    "draw": "draw",
    "abandon": "abandon",
    "takeback": "take back",
    "par": "par",
    "par off": "par off",
    "par on": "par on",
    "pause": "pause",
    "resume": "resume",
    "more time": "more time 3",
    "enter field": "enter field montauk",
    "enter ladder": "enter ladder martian-whist",
    "enter league": "enter league montauk",
    "fields": "fields",
    "forced": "forced on",
    "forget": "forget all",
    "fork": "fork 1 robots",
    "help": "help",
    "history": "history",
    "if": "if take 2: swap",
    "join": "join {lobby}",
    "ladder": "ladder martian-whist",
    "league": "league montauk",
    "leagues": "leagues",
    "learn": "learn montauk",
    "leave field": "leave field montauk",
    "leave ladder": "leave ladder martian-whist",
    "leave league": "leave league montauk",
    "list": "list",
    "lobby": "lobby",
    "look back": "look back",
    "moves": "moves",
    "mute": "mute Bob",
    "my cards": "my cards",
    "name": "name Zoe zoe@example.org",
    "new": "new martian-whist with third@example.org",
    "no": "no",
    "note": "note he bluffs",
    "notes": "notes",
    "nudge": "nudge",
    "plan": "plan",
    "preview": "preview take 1",
    "rating": "rating",
    "rematch": "rematch",
    "remind": "remind",
    "replace": "replace 2 with third@example.org",
    "replay": "replay",
    "report": "report Bob rude",
    "resign": "resign yes",
    "rules": "rules",
    "say": "say I am not she.",
    "seat me": "seat me",
    "start": "start",
    "stop": "stop all yes",
    "take over": "take over {match}",
    "undo": "undo",
    "unmute": "unmute Bob",
    "vote": "vote end",
    "weekly": "weekly",
    "weekly next": "weekly next a text",
    "weekly off": "weekly off",
    "weekly on": "weekly on",
    "what": "what deck",
    "when I can": "when I can: take 9",
    "why": "why",
    "yes": "yes",
}
"""For each command a line that would do it; a new one needs a line here."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match in which Ann has moved: what she has been mailed, and tokens of each age."""

    match: str
    lobby: str
    invitation: Mail
    turn: Mail


def invited_and_moved(house: House) -> Played:
    """Begin a match at which Ann was mailed an invitation and a turn, plays it, and is offered a draw by Bob."""
    with house.transaction() as ctx:
        guests = [Invitee("Dee", "dee@example.org"), None]
        lobby = create_match(ctx, "martian-whist", {}, guests, creator=1).id
    match_id = house.make("martian-whist", 2, clock="3 days")
    invitation = house.only("Ann")
    house.reply(invitation, "accept")
    house.reply(house.only("Bob"), "accept")
    turn = house.last("Ann")
    house.reply(turn, "take 1")
    house.mails("Ann")
    house.reply(house.last("Bob"), "draw")
    house.mails("Ann")
    return Played(match_id, lobby, invitation, turn)


def over(house: House, played: Played) -> None:
    house.reply(house.every_mail[-1] if house.every_mail[-1].name == "Bob" else house.last("Bob"), "resign yes")
    assert house.match(played.match).state == MatchState.OVER
    house.mails("Ann")


def running(_house: House, _played: Played) -> None:
    """Leave the match as it is."""
