"""Mails about a match that waits for players: to its host, to invitees who have not answered, and when it expires."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from emails.content.blocks import BulletList, Button, Footnote
from emails.messages.kinds import MessageKind
from pbem.boards.prose import series
from pbem.i18n import _, several
from pbem.play.inbox import commands
from pbem.play.lobby import open_tables
from pbem.time_format import format_day

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _match_waiting(reader: MessageContext) -> list[Block]:
    facts, known = reader.facts, commands.by_name()
    since = format_day(datetime.fromisoformat(facts["made"]), reader.zone)
    ends = format_day(datetime.fromisoformat(facts["ends"]), reader.zone)
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
    parts: list[Block] = [
        lead,
        " ".join(whom),
        _("You may reply with one of these, alone on the first line:"),
        BulletList(tuple(ways)),
        Button(_("Or do it on a page"), f"{reader.config.base_url}/table/{reader.link}"),
    ]
    if vacant:
        parts.append(_("Whoever has this address may take an open seat; hand it on to friends:"))
        parts.append(Button(_("Join this table"), open_tables.invitation_link(reader.config, facts["match"])))
    end = _("If nobody comes, it ends of itself on {day}; you need do nothing.", day=ends)
    return [*parts, Footnote((end,))]


def _reminder(reader: MessageContext) -> list[Block]:
    inviter, game = reader.facts["inviter"], reader.game
    return [
        _("{inviter} still waits for your answer: will you play a match of {game}?", inviter=inviter, game=game),
        _("To accept, reply “yes”, alone on the first line. If you would rather not, reply “decline”."),
        Button(_("Accept or decline"), reader.invitation_page),
        Footnote((_("You are reminded only this once."),)),
    ]


def _reminder_sent(reader: MessageContext) -> list[Block]:
    names = reader.facts["reminded"]
    if not names:
        return [_("Nobody was reminded: each is reminded only once, and some take no reminders.")]
    return [_("A reminder goes to {names}. It is the only one.", names=series(names))]


def _request_refused(reader: MessageContext) -> list[Block]:
    # The first sentence, which inboxes show, reveals nothing that was typed.
    return [_("Nothing was changed."), reader.facts["reason"]]


def _match_expired(reader: MessageContext) -> list[Block]:
    return [
        _("Your match of {game} has ended before it began: not everybody came within three weeks.",
              game=reader.game),
        _("That is nobody’s fault. In the lobby others may wait for somebody like you:"),
        Button(_("To the lobby"), f"{reader.config.base_url}/lobby"),
    ]  # fmt: skip


KINDS = (
    MessageKind("waiting", _match_waiting, is_unredacted=True),
    MessageKind("reminder", _reminder, is_unredacted=True),
    MessageKind("reminded", _reminder_sent, is_unredacted=True),
    MessageKind("not hosted", _request_refused, is_unredacted=True),
    MessageKind("waited", _match_expired, is_unredacted=True),
)
