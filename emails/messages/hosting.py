"""Mails about a match that waits for players: to its host, to invitees who have not answered, and when it expires."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import BulletList, Button, Footnote
from emails.messages.invitations import open_seat_link
from emails.messages.kinds import MessageKind
from emails.messages.subjects import with_match
from pbem.boards.prose import series
from pbem.i18n import _, marked, several

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _match_waiting(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    unanswered, vacant = [name for _seat, name in facts["unanswered"]], facts["open"]
    missing, ways = [], []
    if unanswered:
        missing.append(
            several("{names} has not answered yet.", "{names} have not answered yet.", len(unanswered),
                    names=series(unanswered))
        )  # fmt: skip
        ways += [
            _("“{word}” to remind everybody who has not answered, once", word=reader.word("remind")),
            _("“{word} {seat} with bob@example.org” to ask somebody else, or “with anybody” to open that seat",
              word=reader.word("replace"), seat=facts["unanswered"][0][0]),
        ]  # fmt: skip
    if vacant:
        missing.append(several("One seat is still open.", "{number} seats are still open.", vacant))
    ways.append(_("“{word}” to call the match off", word=reader.word("decline")))
    return [
        _("Your match of {game} has waited since {day}.", game=reader.game, day=reader.day("made")),
        " ".join(missing),
        _("You can reply with one of these, alone on the first line:"),
        BulletList(tuple(ways)),
        Button(_("Or use the page"), f"{reader.config.base_url}/table/{reader.link}"),
        *(open_seat_link(reader) if vacant else []),
        Footnote((_("If nobody joins, it expires on {day}; you need not do anything.", day=reader.day("ends")),)),
    ]


def _reminder(reader: MessageContext) -> list[Block]:
    return [
        _("{inviter} still waits for your answer: will you play a match of {game}?",
          inviter=reader.facts["inviter"], game=reader.game),
        _("To accept, reply “yes”, alone on the first line. If you would rather not, reply “decline”."),
        Button(_("Accept or decline"), reader.invitation_page),
        Footnote((_("This is the only reminder."),)),
    ]  # fmt: skip


def _reminder_subject(reader: MessageContext) -> str:
    return with_match(_("{inviter} waits for your answer", inviter=reader.facts["inviter"]), reader)


def _reminder_sent(reader: MessageContext) -> list[Block]:
    names = reader.facts["reminded"]
    if not names:
        return [_("Nobody was reminded: everybody gets one reminder at most, and some want none.")]
    return [_("A reminder goes to {names}. It is the only one.", names=series(names))]


def _request_refused(reader: MessageContext) -> list[Block]:
    # The first sentence, which inboxes show, reveals nothing that was typed.
    return [_("Nothing was changed."), reader.facts["reason"]]


def _match_expired(reader: MessageContext) -> list[Block]:
    return [
        _("Your match of {game} expired before it began: not everybody joined within three weeks.", game=reader.game),
        _("In the lobby others may be waiting for a player like you:"),
        Button(_("Go to the lobby"), f"{reader.config.base_url}/lobby"),
    ]


KINDS = (
    MessageKind("waiting", _match_waiting, subject=marked("Your table still waits"), is_unredacted=True),
    MessageKind(
        "reminder",
        _reminder,
        subject=marked("Your answer, please"),
        build_subject=_reminder_subject,
        is_unredacted=True,
    ),
    MessageKind("reminded", _reminder_sent, subject=marked("Reminder sent"), is_unredacted=True),
    MessageKind("not hosted", _request_refused, subject=marked("Nothing was changed"), is_unredacted=True),
    MessageKind("waited", _match_expired, subject=marked("Your table has expired"), is_unredacted=True),
)
