"""Mails about a match that waits for players: to its host, to invitees who have not answered, and when it expires."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from emails.content.blocks import Button, Points, Say, Small
from pbem.boards.prose import series
from pbem.i18n import _, several
from pbem.play.inbox import commands
from pbem.play.lobby import open_tables
from pbem.time_format import day

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader


def _waiting(reader: Reader) -> list[Part]:
    facts, known = reader.facts, commands.known()
    since = day(datetime.fromisoformat(facts["made"]), reader.zone)
    ends = day(datetime.fromisoformat(facts["ends"]), reader.zone)
    unanswered, vacant = [name for _seat, name in facts["unanswered"]], facts["open"]
    lead = _("Your match of {game} has waited since {day}.", game=reader.game, day=since)
    whom = [
        *([several("{names} has not answered yet.", "{names} have not answered yet.", len(unanswered),
                   names=series(unanswered))] if unanswered else []),
        *([several("One seat is still open.", "{number} seats are still open.", vacant)] if vacant else []),
    ]  # fmt: skip
    ways = []
    if unanswered:
        seat = facts["unanswered"][0][0]
        ways += [
            _("“{word}” to remind whoever has not answered, which can be done once", word=known["remind"].word),
            _("“{word} {seat} with bob@example.org” to ask somebody else, or “with anybody” to open that seat",
              word=known["replace"].word, seat=seat),
        ]  # fmt: skip
    ways.append(_("“{word}” to call the match off", word=known["decline"].word))
    parts: list[Part] = [
        Say(lead),
        Say(" ".join(whom)),
        Say(_("You may reply with one of these, alone on the first line:")),
        Points(tuple(ways)),
        Button(_("Or do it on a page"), f"{reader.config.base_url}/table/{reader.link}"),
    ]
    if vacant:
        parts.append(Say(_("Whoever has this address may take an open seat; hand it on to friends:")))
        parts.append(Button(_("Join this table"), open_tables.invitation_link(reader.config, facts["match"])))
    end = _("If nobody comes, it ends of itself on {day}; you need do nothing.", day=ends)
    return [*parts, Small((end,))]


def _reminder(reader: Reader) -> list[Part]:
    inviter, game = reader.facts["inviter"], reader.game
    return [
        Say(_("{inviter} still waits for your answer: will you play a match of {game}?", inviter=inviter, game=game)),
        Say(_("To accept, reply “yes”, alone on the first line. If you would rather not, reply “decline”.")),
        Button(_("Accept or decline"), reader.invitation_page),
        Small((_("You are reminded only this once."),)),
    ]


def _reminded(reader: Reader) -> list[Part]:
    names = reader.facts["reminded"]
    if not names:
        return [Say(_("Nobody was reminded: each is reminded only once, and some take no reminders."))]
    return [Say(_("A reminder goes to {names}. It is the only one.", names=series(names)))]


def _not_hosted(reader: Reader) -> list[Part]:
    # The first sentence, which inboxes show, reveals nothing that was typed.
    return [Say(_("Nothing was changed.")), Say(reader.facts["reason"])]


def _waited(reader: Reader) -> list[Part]:
    return [
        Say(_("Your match of {game} has ended before it began: not everybody came within three weeks.",
              game=reader.game)),
        Say(_("That is nobody’s fault. In the lobby others may wait for somebody like you:")),
        Button(_("To the lobby"), f"{reader.config.base_url}/lobby"),
    ]  # fmt: skip


LETTERS = {
    "waiting": _waiting,
    "reminder": _reminder,
    "reminded": _reminded,
    "not hosted": _not_hosted,
    "waited": _waited,
}
