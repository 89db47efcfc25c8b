"""Mails about ladders: challenges and what became of them, the places, and who is off."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from emails.content.blocks import BulletList, Button, Footnote, TitledList
from emails.messages.kinds import MessageKind
from emails.messages.shared import operator_reason
from pbem.boards.prose import possessive
from pbem.events import ladder
from pbem.games import GAMES
from pbem.i18n import _, marked, several
from pbem.play.clocks import time_controls, timeout_policies
from pbem.play.inbox import ladder_mail
from pbem.play.ladders import entering, ladder_mails, open_ladders
from pbem.play.ratings import wording as rating_wording
from pbem.time_format import format_moment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emails.content.blocks import Block
    from emails.messages.context import MessageContext

_SUBJECT = marked("A challenge on the ladder")


def _challenged(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    challenger_place, place = facts["places"]
    lead = _("{name} challenges you for place {place} on the ladder of {game}. Their place is {theirs}.",
             name=facts["challenger"], place=place, theirs=challenger_place, game=_game(reader))  # fmt: skip
    return [lead, *_how_to_answer(reader)]


def _reminder(reader: MessageContext) -> list[Block]:
    lead = _("{name} still waits for your answer to a challenge on the ladder of {game}.",
             name=reader.facts["challenger"], game=_game(reader))  # fmt: skip
    return [lead, *_how_to_answer(reader)]


def _how_to_answer(reader: MessageContext) -> list[Block]:
    accept, decline = reader.word("accept"), reader.word("decline")
    lines = (
        _("“{word}”: the match begins.", word=accept),
        _("“{word}”: you do not play. One challenge in {days} days can be declined; a second one counts as lost.",
          word=decline, days=ladder.DECLINES_WITHIN.days),
    )  # fmt: skip
    return [
        _("Reply with one of these lines by {moment}. Without an answer the challenge counts as lost, and your place "
          "goes to {name}.", moment=reader.moment("until"), name=reader.facts["challenger"]),
        BulletList(lines),
        Button(_("Answer on its page"), _challenge_page(reader)),
        _match_terms(),
    ]  # fmt: skip


def _sent(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    lead = _("You have challenged {name} for place {place} on the ladder of {game}.",
             name=facts["challenged"], place=facts["places"][1], game=_game(reader))  # fmt: skip
    return [lead, *_how_it_goes_on(reader)]


def _how_it_goes_on(reader: MessageContext) -> list[Block]:
    return [
        _("{name} can answer until {moment}. Without an answer the challenge counts as won, and the place is yours.",
          name=reader.facts["challenged"], moment=reader.moment("until")),
        _("Reply “{word}” to take it back.", word=reader.word("takeback")),
        Button(_("The challenge on its page"), _challenge_page(reader)),
        _match_terms(),
    ]  # fmt: skip


def _restored(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    lost = _("The service was restored from a backup, and may have lost what happened since.")
    called = {"place": facts["places"][1], "game": _game(reader)}
    if facts["is_challenger"]:
        waits = _("Your challenge to {name} for place {place} on the ladder of {game} waits for an answer.",
                  name=facts["challenged"], **called)  # fmt: skip
        return [f"{lost} {waits}", *_how_it_goes_on(reader)]
    waits = _("The challenge of {name} for place {place} on the ladder of {game} waits for your answer, even if you "
              "have answered it already.", name=facts["challenger"], **called)  # fmt: skip
    return [f"{lost} {waits}", *_how_to_answer(reader)]


def _accepted(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    if facts["is_challenger"]:
        lead = _("{name} has accepted your challenge on the ladder of {game}. The match has begun.",
                 name=facts["challenged"], game=_game(reader))  # fmt: skip
    else:
        lead = _("You have accepted {whose} challenge on the ladder of {game}. The match has begun.",
                 whose=possessive(facts["challenger"]), game=_game(reader))  # fmt: skip
    how = _("The seats were drawn by lot. When it is your turn you get a mail, and reply with your move.")
    return [lead, how, _match_button(reader), _match_terms()]


def _declined(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    if facts["is_challenger"]:
        lead = _("{name} has declined your challenge on the ladder of {game}.",
                 name=facts["challenged"], game=_game(reader))  # fmt: skip
    else:
        lead = _("You have declined {whose} challenge on the ladder of {game}.",
                 whose=possessive(facts["challenger"]), game=_game(reader))  # fmt: skip
    counts = _("It was the second one declined in {days} days, so it counts as lost.", days=ladder.DECLINES_WITHIN.days)
    return [lead, *([counts, *_place_now(reader)] if facts["counts"] else [_("No place changes.")]), _page(reader)]


def _lapsed(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    if facts["is_challenger"]:
        lead = _("{name} has not answered your challenge on the ladder of {game} in time, so it counts as won.",
                 name=facts["challenged"], game=_game(reader))  # fmt: skip
    else:
        lead = _("You have not answered {whose} challenge on the ladder of {game} in time, so it counts as lost.",
                 whose=possessive(facts["challenger"]), game=_game(reader))  # fmt: skip
    return [lead, *_place_now(reader), _page(reader)]


def _taken_back(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    if facts["is_challenger"]:
        lead = _("You have taken back your challenge to {name} on the ladder of {game}.",
                 name=facts["challenged"], game=_game(reader))  # fmt: skip
    else:
        lead = _("{name} has taken back the challenge to you on the ladder of {game}.",
                 name=facts["challenger"], game=_game(reader))  # fmt: skip
    return [lead, _("No place changes."), _page(reader)]


def _ended(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    other = facts["challenged"] if facts["is_challenger"] else facts["challenger"]
    lead = _("{name} is no longer on the ladder of {game}, so the challenge between you is over.",
             name=other, game=_game(reader))  # fmt: skip
    return [lead, *_place_now(reader), _page(reader)]


def _result(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    players = facts["challenger"], facts["challenged"]
    other = players[1] if facts["is_challenger"] else players[0]
    called = {"name": other, "game": _game(reader)}
    if facts["won"] is None:
        lead = _("Your match with {name} on the ladder of {game} does not count.", **called) if facts["void"] else _(
            "Your match with {name} on the ladder of {game} was a draw.", **called)  # fmt: skip
    elif facts["won"] == facts["is_challenger"]:
        lead = _("You won your match with {name} on the ladder of {game}.", **called)
    else:
        lead = _("You lost your match with {name} on the ladder of {game}.", **called)
    return [lead, *_changes(reader)]


def _annulled(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    other = facts["challenged"] if facts["is_challenger"] else facts["challenger"]
    lead = _("The operator has annulled the result of your match with {name} on the ladder of {game}. The places that "
             "it changed are changed back.", name=other, game=_game(reader))  # fmt: skip
    return [lead, *operator_reason(reader), *_changes(reader)]


def _changes(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    players = facts["challenger"], facts["challenged"]
    lines = tuple(_change(name, *moved) for name, moved in zip(players, facts["moved"], strict=True))
    return [TitledList(_("The places:"), lines), _page(reader), _match_button(reader)]


def _change(name: str, before: int | None, after: int | None) -> str:
    if before is None or after is None:
        return _("{name}: not on the ladder", name=name)
    if before == after:
        return _("{name}: place {place}, as before", name=name, place=after)
    return _("{name}: place {place}, before {before}", name=name, place=after, before=before)


def _warning(reader: MessageContext) -> list[Block]:
    lead = _("You have played no match on the ladder of {game} for {days} days. Do you want to stay?",
             game=_game(reader), days=ladder.ASKED_AFTER.days)  # fmt: skip
    how = _("If so, challenge somebody, or accept a challenge. Those who play no match for {days} days leave the "
            "ladder; for you that is on {day}.", days=ladder.OFF_AFTER.days, day=reader.day("until"))  # fmt: skip
    return [lead, how, _how_to_challenge(reader), _page(reader)]


def _off(reader: MessageContext) -> list[Block]:
    if reader.facts["reason"] == entering.IDLE:
        lead = _("You are no longer on the ladder of {game}: you have played no match there for {days} days.",
                 game=_game(reader), days=ladder.OFF_AFTER.days)  # fmt: skip
    else:
        lead = _("You are no longer on the ladder of {game}: you lost two matches on time, one after the other.",
                 game=_game(reader))  # fmt: skip
    line = f"{reader.word(ladder_mail.ENTER)} {reader.facts['ladder']}"
    return [lead, _("You can enter again, in the last place: write “{line}”.", line=line), _page(reader)]


def _list(reader: MessageContext) -> list[Block]:
    lines = tuple(_ladder_line(one) for one in reader.facts["ladders"])
    line = f"{reader.word(ladder_mail.SHOW)} {open_ladders.games()[0].key}"
    enter = f"{reader.word(ladder_mail.ENTER)} {open_ladders.games()[0].key}"
    return [
        _("There is a ladder of each game for two. Win against somebody above you, and you take their place."),
        TitledList(_("The ladders:"), lines),
        _("Write “{line}” to see the places around yours, and “{enter}” to enter.", line=line, enter=enter),
        Button(_("The ladders on a page"), f"{reader.config.base_url}/ladders"),
    ]


def _ladder_line(one: Mapping[str, Any]) -> str:
    game = GAMES[one["game"]].name
    if not one["count"]:
        return _("{game}: nobody yet.", game=game)
    line = several("{game}: one player; {first} is first.", "{game}: {count} players; {first} is first.",
                   one["count"], game=game, first=one["first"])  # fmt: skip
    return f"{line} {_('Your place is {place}.', place=one['own'])}" if one["own"] else line


def _places(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    if not facts["count"]:
        lead = _("Nobody is on the ladder of {game} yet.", game=_game(reader))
    elif facts["own"]:
        lead = _("Your place on the ladder of {game} is {place} of {count}.",
                 game=_game(reader), place=facts["own"], count=facts["count"])  # fmt: skip
    else:
        lead = several("One player is on the ladder of {game}.", "{count} players are on the ladder of {game}.",
                       facts["count"], game=_game(reader))  # fmt: skip
    return [lead, *_listed(reader), _page(reader)]


def _entered(reader: MessageContext) -> list[Block]:
    lead = _("You have entered the ladder of {game}. Your place is {place} of {count}.",
             game=_game(reader), place=reader.facts["own"], count=reader.facts["count"])  # fmt: skip
    shown = _("Everybody can see your name and your place.")
    stays = _("Those who play no match for {days} days leave the ladder.", days=ladder.OFF_AFTER.days)
    return [lead, *_listed(reader), _page(reader), Footnote((shown, stays))]


def _listed(reader: MessageContext) -> list[Block]:
    """Return the places that a mail lists, the open challenges, and how to challenge or to enter."""
    facts = reader.facts
    rows = tuple(_place_line(facts["own"], *row) for row in facts["rows"])
    open_ones = tuple(_open_line(reader, one) for one in facts["challenges"])
    enter = _("Write “{line}” to enter, in the last place.", line=f"{reader.word(ladder_mail.ENTER)} {facts['ladder']}")
    return [
        *([TitledList(_("Places:"), rows, has_places=True)] if rows else []),
        *([TitledList(_("Challenges now:"), open_ones)] if open_ones else []),
        _how_to_challenge(reader) if facts["own"] else enter,
    ]


def _place_line(own: int | None, place: int, name: str, can_challenge: bool) -> str:  # noqa: FBT001 -- a fact
    line = _("{place}. {name}", place=place, name=name)
    if place == own:
        return f"{line} {_('(you)')}"
    return f"{line} {_('(you can challenge)')}" if can_challenge else line


def _open_line(reader: MessageContext, one: Mapping[str, Any]) -> str:
    called = {"name": one["challenger"], "other": one["challenged"]}
    if not one["lapses"]:
        return _("{name} and {other}: they play now.", **called)
    until = format_moment(datetime.fromisoformat(one["lapses"]), reader.zone)
    return _("{name} has challenged {other}, who can answer until {moment}.", moment=until, **called)


def _left(reader: MessageContext) -> list[Block]:
    lead = _("You have left the ladder of {game}.", game=_game(reader))
    return [lead, _("A match that has begun goes on, but changes no place of yours."), _page(reader)]


def _refused(reader: MessageContext) -> list[Block]:
    return [
        _("Nothing was done."),
        reader.facts["reason"],
        Button(_("The ladders on a page"), f"{reader.config.base_url}/ladders"),
    ]


def _how_to_challenge(reader: MessageContext) -> str:
    place = next((place for place, _name, can_challenge in reader.facts.get("rows", ()) if can_challenge), 3)
    line = f"{reader.word(ladder_mail.CHALLENGE)} {place} {reader.facts['ladder']}"
    return _("To challenge somebody, write “{line}”, with their place or their name.", line=line)


def _match_terms() -> str:
    clock = time_controls.short_description(open_ladders.CLOCK)
    policy = timeout_policies.describe_policy(open_ladders.CLOCK, timeout_policies.LOSS)
    terms = _("Everybody can watch the match. The clock: {clock}.", clock=clock)
    return f"{rating_wording.rated_sentence()} {terms} {policy}"


def _place_now(reader: MessageContext) -> list[Block]:
    place = reader.facts["place"]
    return [_("Your place is {place} now.", place=place)] if place else []


def _game(reader: MessageContext) -> str:
    return GAMES[reader.facts["ladder"]].name


def _page(reader: MessageContext) -> Button:
    return Button(_("The ladder"), f"{reader.config.base_url}/ladders/{reader.facts['ladder']}")


def _match_button(reader: MessageContext) -> Button:
    return Button(_("The match"), f"{reader.config.base_url}/matches/{reader.facts['played']}")


def _challenge_page(reader: MessageContext) -> str:
    facts = reader.facts
    signed = ladder_mails.sign(reader.config, facts["challenge"], facts["player"], facts["key"])
    return f"{reader.config.base_url}/challenges/{signed}"


KINDS = (
    MessageKind(ladder_mails.CHALLENGED, _challenged, subject=_SUBJECT, game_fact="ladder"),
    MessageKind(
        ladder_mails.REMINDER, _reminder, subject=marked("A challenge waits for your answer"), game_fact="ladder"
    ),
    MessageKind(ladder_mails.SENT, _sent, subject=_SUBJECT, game_fact="ladder"),
    MessageKind(ladder_mails.RESTORED, _restored, subject=_SUBJECT, game_fact="ladder"),
    MessageKind(ladder_mails.ACCEPTED, _accepted, subject=_SUBJECT, game_fact="ladder"),
    MessageKind(ladder_mails.DECLINED, _declined, subject=_SUBJECT, game_fact="ladder"),
    MessageKind(ladder_mails.LAPSED, _lapsed, subject=_SUBJECT, game_fact="ladder"),
    MessageKind(ladder_mails.TAKEN_BACK, _taken_back, subject=_SUBJECT, game_fact="ladder"),
    MessageKind(ladder_mails.ENDED, _ended, subject=_SUBJECT, game_fact="ladder"),
    MessageKind(ladder_mails.RESULT, _result, subject=marked("Your match on the ladder"), game_fact="ladder"),
    MessageKind(
        ladder_mails.ANNULLED,
        _annulled,
        subject=marked("Result annulled"),
        game_fact="ladder",
    ),
    MessageKind(
        ladder_mails.WARNING, _warning, subject=marked("Do you want to stay on the ladder?"), game_fact="ladder"
    ),
    MessageKind(ladder_mails.OFF, _off, subject=marked("Your place on the ladder"), game_fact="ladder"),
    MessageKind(ladder_mail.LIST, _list, subject=marked("Ladders"), is_answer=True),
    MessageKind(ladder_mail.PLACES, _places, subject=marked("The ladder"), game_fact="ladder", is_answer=True),
    MessageKind(
        ladder_mail.ENTERED, _entered, subject=marked("Your place on the ladder"), game_fact="ladder", is_answer=True
    ),
    MessageKind(
        ladder_mail.LEFT, _left, subject=marked("Your place on the ladder"), game_fact="ladder", is_answer=True
    ),
    MessageKind(ladder_mail.REFUSED, _refused, subject=marked("Nothing was done")),
)
