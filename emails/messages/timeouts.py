"""Mails about seats that timed out: the vote of the others, the substitute, and how to reclaim the seat."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from emails.content.blocks import BulletList, Button, Footnote
from emails.messages.kinds import MessageKind
from emails.messages.shared import current_position, position
from pbem.boards.prose import possessive, series
from pbem.games import GAMES
from pbem.i18n import _, marked
from pbem.play.clocks import time_controls
from pbem.play.lifecycle import resigning, seat_changes
from pbem.play.timeouts import nominations, reclaims, substitutes, votes

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _vote(reader: MessageContext) -> list[Block]:
    lead = _("{name} has not moved in {game}. What should happen?", name=_late_player(reader), game=reader.game)
    how = _("Reply with one of these lines. The majority decides; if nobody votes by {moment}, the match ends.",
            moment=reader.moment("until"))  # fmt: skip
    word = reader.word("vote")
    lines = tuple(
        f"“{word} {votes.choice_word(choice)}”: {_(votes.CHOICES[choice])}" for choice in reader.facts["choices"]
    )
    page = Button(_("Vote on the page"), f"{reader.turn_page}/vote")
    return [lead, how, BulletList(lines), page, *current_position(reader)]


def _one_more_day(reader: MessageContext) -> list[Block]:
    until = reader.moment("until")
    if reader.facts["whose"] == reader.facts["seat"]:
        lead = _("The others wait for you one more day, until {moment}.", moment=until)
    else:
        lead = _("The table waits for {name} one more day, until {moment}.", name=_late_player(reader), moment=until)
    return [lead, *current_position(reader)]


def _substituted(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    if facts["bot"] and (facts.get("by") == "operator" or facts.get("withdrawn")):
        lead = _("{name} has left, so the robot plays on for them.", name=facts["former"])
    elif facts["bot"]:
        lead = _("{name} has not moved, so the robot plays on for them.", name=facts["former"])
    elif facts["back"]:
        lead = _("{name} is back, and the robot has left.", name=_late_player(reader))
    else:
        lead = _(
            "{name} has taken {whose} seat and plays on.", name=_late_player(reader), whose=possessive(facts["former"])
        )
    return [lead, *current_position(reader)]


def _seated(reader: MessageContext) -> list[Block]:
    return [seat_sentence(reader), *position(reader)]


def seat_sentence(reader: MessageContext) -> str:
    """Return the sentence that tells a player which seat they have taken."""
    after = reader.facts["former"]
    if reader.facts["back"]:
        return _("Welcome back: this is your seat again.")
    return _("You have taken {whose} seat. Thank you for joining!", whose=possessive(after))


def _ask_to_nominate(reader: MessageContext) -> list[Block]:
    lead = _("{name} has not moved in {game}. Do you want to ask somebody else to take the seat?",
             name=_late_player(reader), game=reader.game)  # fmt: skip
    line = f"{reader.word('name')} Zoe zoe@example.org"
    how = _("Reply with a name and an address, such as “{line}”, by {moment}. If nobody joins, the robot plays on.",
            line=line, moment=reader.moment("until"))  # fmt: skip
    return [lead, how, Button(_("Name somebody on the page"), f"{reader.turn_page}/name"), *current_position(reader)]


def _nominee_asked(reader: MessageContext) -> list[Block]:
    return [_("We asked {name} by mail to take the seat.", name=reader.facts["called"]), *current_position(reader)]


def _refused(reader: MessageContext) -> list[Block]:
    return [_("Nothing was done."), reader.facts["reason"], *current_position(reader)]


def _voted(reader: MessageContext) -> list[Block]:
    vote = _(votes.CHOICES[reader.facts["choice"]])
    lead = _("Your vote: {choice}. It is done as soon as enough of you agree.", choice=vote)
    return [lead, *current_position(reader)]


def _nomination(reader: MessageContext) -> list[Block]:
    """Ask a nominee, who may be new here, to take over a seat."""
    facts = reader.facts
    game, others = GAMES[facts["game"]].name, series(facts["others"])
    lead = _("{host} asks you to take {whose} seat in a match of {game} with {others}.",
             host=facts["host"], whose=possessive(facts["late"]), game=game, others=others)  # fmt: skip
    how = _(
        "The match has already begun, and you would play on. You play by mail: when it is your turn you get a mail, "
        "and reply with your move. No account, no password."
    )
    secret = nominations.sign(reader.config, tuple(facts["asked"]), facts["key"])
    return [
        lead,
        how,
        Button(_("Look at it and take the seat"), f"{reader.config.base_url}/named/{secret}"),
        _("The clock: {clock}.", clock=time_controls.short_description(facts["clock"])),
        Footnote((_("If you do not want to, ignore this mail: nobody plays in your name."),)),
    ]


def _seat_lost(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    game, others = GAMES[facts["game"]].name, series(facts["others"])
    lead = _("The robot now plays for you in {game} with {others}, because you did not move in time.",
             game=game, others=others)  # fmt: skip
    if not facts["bot"]:
        lead = _("{name} has taken your seat in {game} with {others}, because you did not move in time.",
                 name=facts["newcomer"], game=game, others=others)  # fmt: skip
    if facts.get("resigned"):
        lead = _("You have resigned in {game} with {others}.", game=game, others=others)
        return [lead, _(resigning.PLAYED_ON)]
    if facts["holder"] is None:
        return [lead, _("Your links to this match no longer work. We hope to see you in another one.")]
    line = f"{reader.word('come back')} {facts['of']}"
    secret = reclaims.sign(reader.config, facts["holder"], facts["key"])
    address = quote(reader.config.service_address, safe="@+")
    how = _("You can come back while the match goes on: on this page, or by writing “{line}” to this address.",
            line=line)  # fmt: skip
    return [
        lead,
        how,
        Button(_("Come back"), f"{reader.config.base_url}/back/{secret}"),
        Button(_("Write “{line}”", line=line), f"mailto:{address}?body={quote(line)}"),
        Footnote((_("Where cards are hidden, you get your seat back when the next hand is dealt."),)),
    ]


def _not_seated(reader: MessageContext) -> list[Block]:
    page = Button(_("Seats to take over"), f"{reader.config.base_url}/seats")
    return [reader.facts["reason"], page]


def _late_player(reader: MessageContext) -> str:
    seat: int = reader.facts["whose"]
    return reader.names[seat - 1]


KINDS = (
    MessageKind(
        "vote",
        _vote,
        subject=marked("Your vote, please"),
        summary=marked("Somebody has not moved in {game}. The page asks you what should happen."),
    ),
    MessageKind("waits", _one_more_day, subject=marked("One more day")),
    MessageKind("substituted", _substituted, subject=marked("New player at the table")),
    MessageKind("seated", _seated, subject=marked("Your seat")),
    MessageKind(
        "name?",
        _ask_to_nominate,
        subject=marked("Who takes the seat?"),
        summary=marked("Somebody has not moved in {game}. On the page you can name another player for the seat."),
    ),
    MessageKind("named whom", _nominee_asked, subject=marked("Substitute invited")),
    MessageKind("not decided", _refused, subject=marked("Nothing was done")),
    MessageKind("voted", _voted, subject=marked("Your vote")),
    MessageKind(nominations.NOMINATION_MAIL, _nomination, subject=marked("A seat at a table")),
    MessageKind(seat_changes.SEAT_LOST, _seat_lost, subject=marked("Your seat at a table")),
    MessageKind(substitutes.NOT_SEATED, _not_seated, subject=marked("A seat at a table")),
)
