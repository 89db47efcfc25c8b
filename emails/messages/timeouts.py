"""Mails about seats that timed out: the vote of the others, the substitute, and how to reclaim the seat."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

from emails.content.blocks import Button, Points, Say, Small
from emails.messages.shared import position, your_turn
from pbem.boards.prose import possessive, series
from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.clocks import time_controls
from pbem.play.inbox import commands
from pbem.play.timeouts import nominations, reclaims, substitutes, votes
from pbem.time_format import moment

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader


def _vote(reader: Reader) -> list[Part]:
    lead = _("{name} does not move in {game}: what shall happen?", name=_whose(reader), game=reader.game)
    how = _("Reply with one of these lines. What most of you want is done; if nobody does by {moment}, the match ends.",
            moment=_until(reader))  # fmt: skip
    word = commands.known()["vote"].word
    lines = tuple(f"“{word} {votes.word(choice)}”: {_(votes.CHOICES[choice])}" for choice in reader.facts["choices"])
    page = Button(_("Vote on a page"), f"{reader.turn_page}/vote")
    return [Say(lead), Say(how), Points(lines), page, *_match(reader)]


def _waits(reader: Reader) -> list[Part]:
    until = _until(reader)
    if reader.facts["whose"] == reader.facts["seat"]:
        lead = _("The others wait for you a day more, until {moment}.", moment=until)
    else:
        lead = _("The table waits for {name} a day more, until {moment}.", name=_whose(reader), moment=until)
    return [Say(lead), *_match(reader)]


def _substituted(reader: Reader) -> list[Part]:
    facts = reader.facts
    if facts["bot"] and facts.get("by") == "operator":
        lead = _("{name} has left, so the robot plays on for them.", name=facts["former"])
    elif facts["bot"]:
        lead = _("{name} does not move, so the robot plays on for them.", name=facts["former"])
    elif facts["back"]:
        lead = _("{name} is back, and the robot has left.", name=_whose(reader))
    else:
        lead = _("{name} has taken {whose} seat and plays on.", name=_whose(reader), whose=possessive(facts["former"]))
    return [Say(lead), *_match(reader)]


def _seated(reader: Reader) -> list[Part]:
    return [Say(seated(reader)), *position(reader)]


def seated(reader: Reader) -> str:
    """Return the sentence that tells a player which seat they have taken."""
    after = reader.facts["former"]
    if reader.facts["back"]:
        return _("Welcome back: this is your seat again.")
    return _("You have taken {whose} seat. Thank you for coming!", whose=possessive(after))


def _name(reader: Reader) -> list[Part]:
    lead = _("{name} does not move in {game}. Would you like to ask somebody else to take the seat?",
             name=_whose(reader), game=reader.game)  # fmt: skip
    line = f"{commands.known()['name'].word} Zoe zoe@example.org"
    how = _("Reply with a name and an address, such as “{line}”, by {moment}. If nobody comes, the robot plays on.",
            line=line, moment=_until(reader))  # fmt: skip
    return [Say(lead), Say(how), Button(_("Name somebody on a page"), f"{reader.turn_page}/name"), *_match(reader)]


def _named_whom(reader: Reader) -> list[Part]:
    return [Say(_("{name} is asked by mail to take the seat.", name=reader.facts["called"])), *_match(reader)]


def _refused(reader: Reader) -> list[Part]:
    return [Say(_("Nothing was done.")), Say(reader.facts["reason"]), *_match(reader)]


def _voted(reader: Reader) -> list[Part]:
    vote = _(votes.CHOICES[reader.facts["choice"]])
    lead = _("Your vote is kept: {choice}. It is done as soon as enough of you want the same.", choice=vote)
    return [Say(lead), *_match(reader)]


def _named(reader: Reader) -> list[Part]:
    """Ask a nominee, who may be new here, to take over a seat."""
    facts = reader.facts
    game, others = GAMES[facts["game"]].name, series(facts["others"])
    lead = _("{host} asks you to take {whose} seat in a match of {game} with {others}.",
             host=facts["host"], whose=possessive(facts["late"]), game=game, others=others)  # fmt: skip
    how = _(
        "The match has begun already, and you would play on. It is played by mail: when it is your turn "
        "you get a mail, and answer it with your move. No account, no password."
    )
    secret = nominations.signed(reader.config, tuple(facts["asked"]), facts["key"])
    return [
        Say(lead),
        Say(how),
        Button(_("Look at it, and take the seat"), f"{reader.config.base_url}/named/{secret}"),
        Say(_("The clock: {clock}.", clock=time_controls.short(facts["clock"]))),
        Small((_("If you do not want to, do nothing: nobody plays in your name."),)),
    ]


def _lost(reader: Reader) -> list[Part]:
    facts = reader.facts
    game, others = GAMES[facts["game"]].name, series(facts["others"])
    if facts["holder"] is None:
        lead = _("{name} has taken your seat in {game} with {others}, because your move did not come.",
                 name=facts["newcomer"], game=game, others=others)  # fmt: skip
        return [Say(lead), Say(_("Your links to this match work no more. We hope to see you at another one."))]
    lead = _("The robot plays for you now in {game} with {others}, because your move did not come.",
             game=game, others=others)  # fmt: skip
    line = f"{commands.known()['come back'].word} {facts['of']}"
    secret = reclaims.signed(reader.config, facts["holder"], facts["key"])
    address = quote(reader.config.service_address, safe="@+")
    how = _("You may come back while the match goes on: on this page, or with “{line}” in a mail to this address.",
            line=line)  # fmt: skip
    return [
        Say(lead),
        Say(how),
        Button(_("Come back"), f"{reader.config.base_url}/back/{secret}"),
        Button(_("Write “{line}”", line=line), f"mailto:{address}?body={quote(line)}"),
        Small((_("Where cards are hidden, you sit there again when the next hand is dealt."),)),
    ]


def _not_seated(reader: Reader) -> list[Part]:
    page = Button(_("Seats to take over"), f"{reader.config.base_url}/seats")
    return [Say(reader.facts["reason"]), page]


def _match(reader: Reader) -> list[Part]:
    """Show the match below a decision about another seat."""
    return your_turn(reader) if reader.their_turn else position(reader)


def _whose(reader: Reader) -> str:
    seat: int = reader.facts["whose"]
    return reader.names[seat - 1]


def _until(reader: Reader) -> str:
    return moment(datetime.fromisoformat(reader.facts["until"]), reader.zone)


LETTERS = {
    "vote": _vote,
    "waits": _waits,
    "substituted": _substituted,
    "seated": _seated,
    "name?": _name,
    "named whom": _named_whom,
    "not decided": _refused,
    "voted": _voted,
    nominations.NAMED: _named,
    substitutes.LOST: _lost,
    substitutes.NOT_SEATED: _not_seated,
}
