"""The kinds of mailbox of the service: what each stores, and which of its addresses exist.

A kind finds at RCPT which of some tokens were issued, stores a mail, and reports whether the mail is new, a copy, or to
an unknown token. Both run inside a transaction that is committed before the sender hears 250.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from emails.parsing import bounces as parsing_bounces
from emails.parsing.fingerprint import fingerprint
from emails.parsing.reader import parse_mail
from pbem.play.core import tokens as core_tokens
from pbem.play.core.context import read_only
from pbem.play.deliverability import bounces as deliverability_bounces
from pbem.play.deliverability import loopback
from pbem.play.lobby import lesson_mail
from pbem.play.notifications import smtp_status
from pbem.play.players import preferences
from pbem.play.submissions import bulk_insert

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from sqlalchemy import Engine

    from pbem.config import Config
    from pbem.play.core.context import Context

_DEFAULT_MAILBOX, _POSTMASTER = "games", "postmaster"


class StoreResult(Enum):
    """The result of storing a mail: new, a copy of a stored one, or to an unknown mailbox."""

    NEW = auto()
    COPY = auto()
    UNKNOWN = auto()


@dataclass(frozen=True, slots=True)
class ReceivedMail:
    """One mail for one recipient; `sender` is the envelope's, empty for automatic mail.

    `own` marks our own mail that came back: it is stored, but has no effect.
    """

    raw: bytes
    recipient: str
    token: str
    sender: str
    own: bool = False

    @property
    def stored(self) -> bytes:
        """The mail below its Return-Path, as delivered: the raw mail does not name the envelope's sender."""
        return b"Return-Path: <" + self.sender.encode("ascii", "replace") + b">\r\n" + self.raw

    @property
    def fingerprint(self) -> bytes:
        """Fingerprint by which copies are recognised, whatever transport they came by."""
        return fingerprint(self.raw)


@dataclass(frozen=True, slots=True)
class Mailbox:
    """A kind of mailbox: its name, how its mails are stored, and which of its tokens were issued.

    A kind without a function for tokens has none and always exists. A kind without a function that stores is that of
    the seats, whose mails often arrive at the same time and are stored together. `by_hand` marks kinds that people
    write to: they limit the mails per author and hour.
    """

    name: str
    store: Callable[[Context, ReceivedMail], StoreResult] | None
    issued_tokens: Callable[[Engine, Config, Collection[str]], Collection[str]] | None = None
    by_hand: bool = True

    @property
    def has_tokens(self) -> bool:
        """Whether there is one mailbox of this kind per token."""
        return self.issued_tokens is not None


def is_local_address(config: Config, recipient: str) -> bool:
    """Return whether an address belongs to a domain of this service."""
    return recipient.rpartition("@")[2].lower() in {config.mail_domain, config.reply_domain}


def qualify_postmaster(config: Config, recipient: str) -> str:
    """Return the address behind a bare `Postmaster`, which every mail server must accept (RFC 5321 4.5.1)."""
    if recipient.lower() != _POSTMASTER:
        return recipient
    local = f"{config.mailbox_local_part}+{_POSTMASTER}" if config.mailbox_local_part else _POSTMASTER
    return f"{local}@{config.mail_domain}"


def find_mailbox(config: Config, recipient: str) -> tuple[Mailbox, str] | None:
    """Find the kind of mailbox of one of our addresses, and its token ("" if it has none).

    The token follows a `+`, or a `-` for mail programs and servers that do not support `+`; in the domain for replies
    it is the whole local part. If all mail goes to one mailbox, kind and token follow the `+` of its address.
    """
    local, _, domain = recipient.rpartition("@")
    if domain.lower() == config.reply_domain and local:
        return SEATS, local
    own, _, rest = local.partition("+")
    if config.mailbox_local_part and own.lower() == config.mailbox_local_part:
        local = rest or _DEFAULT_MAILBOX
    elif config.mailbox_local_part and "+" not in local:
        # Another customer's address at the same provider.
        return None
    name, _, token = local.partition("+") if "+" in local else local.partition("-")
    kind = KINDS.get(name.lower())
    if kind is None or bool(token) != kind.has_tokens or (not token and name != local):
        return None
    return kind, token


# -- what each kind stores --------------------------------------------------------------------------


def _each(is_issued: Callable[[Context, str], object]) -> Callable[[Engine, Config, Collection[str]], Collection[str]]:
    """Return a function that finds the issued tokens of a kind by looking each up."""

    def issued(engine: Engine, config: Config, tokens: Collection[str]) -> set[str]:
        with read_only(engine, config) as ctx:
            return {token for token in tokens if is_issued(ctx, token)}

    return issued


def _named_steps(engine: Engine, config: Config, named: Collection[str]) -> set[str]:  # noqa: ARG001 (no row is kept)
    return {token for token in named if lesson_mail.names_step(token)}


def _store_bounce(ctx: Context, incoming: ReceivedMail) -> StoreResult:
    """Record a delivery report; anything else, such as an out-of-office reply, is accepted and discarded."""
    message = deliverability_bounces.find_message(ctx, incoming.token)
    if message is None:
        return StoreResult.UNKNOWN
    found = parsing_bounces.parse_bounce(incoming.raw)
    if found is None or incoming.own:
        return StoreResult.NEW
    new = deliverability_bounces.record_bounce(ctx, message, found.kind, found.status, found.text, lost=found.lost)
    return StoreResult.NEW if new else StoreResult.COPY


def _store_loopback(ctx: Context, incoming: ReceivedMail) -> StoreResult:
    if not loopback.was_sent(ctx, incoming.token):
        return StoreResult.UNKNOWN
    new = loopback.store_returned(ctx, incoming.token, incoming.stored, incoming.fingerprint)
    return StoreResult.NEW if new else StoreResult.COPY


def _unsubscribe(ctx: Context, incoming: ReceivedMail) -> StoreResult:
    """Unsubscribe, whatever the text and the author of the mail: a mail program wrote it."""
    found = core_tokens.find_unsubscribe(ctx, incoming.token)
    if found is None:
        return StoreResult.UNKNOWN
    preferences.stop_mail(ctx, preferences.affected_holders(ctx, found))
    return StoreResult.NEW


def _store_service_mail(ctx: Context, incoming: ReceivedMail) -> StoreResult:
    from pbem.play.inbox import service_mail  # noqa: PLC0415 -- it takes 5 MB, and nearly all mail is to seats

    reading = parse_mail(incoming.stored, ctx.config.authserv_id)
    # Automatic mail is stored but not forwarded: another robot could answer it, in an endless loop.
    by_hand = not incoming.own and reading.kind == "reply"
    if not by_hand and not incoming.own:
        _record_complaint(ctx, incoming)
    to, once = incoming.recipient.lower(), incoming.fingerprint
    new = service_mail.store(ctx, to, incoming.sender, incoming.stored, once, reading, forward=by_hand)
    return StoreResult.NEW if new else StoreResult.COPY


def _store_lesson_answer(ctx: Context, incoming: ReceivedMail) -> StoreResult:
    """Store a reply to a step of a lesson as a mail to the service, which is read by what its address names."""
    return _store_service_mail(ctx, incoming) if lesson_mail.names_step(incoming.token) else StoreResult.UNKNOWN


def _record_complaint(ctx: Context, incoming: ReceivedMail) -> None:
    """Record a complaint that a provider sent here, if it names one of our mails.

    Other reports that arrive here have no effect, since anybody can forge them.
    """
    found = parsing_bounces.parse_bounce(incoming.raw)
    if found is None or found.kind != smtp_status.COMPLAINT:
        return
    references = parsing_bounces.find_references(ctx.config, incoming.raw)
    for message in deliverability_bounces.find_messages(ctx, *references):
        deliverability_bounces.record_bounce(ctx, message, found.kind, found.status, found.text)


SEATS = Mailbox("play", None, bulk_insert.find_valid)
"""The mailboxes of seats, one for each stage: `play+<token>@`."""

KINDS = {
    kind.name: kind
    for kind in (
        SEATS,
        # Delivery reports: one mailbox for each mail that was sent.
        Mailbox("bounce", _store_bounce, _each(deliverability_bounces.find_message), by_hand=False),
        # The service's test mails to itself, one for each.
        Mailbox(loopback.KIND, _store_loopback, _each(loopback.was_sent), by_hand=False),
        # Replies to the steps of lessons; who may answer one is known when the mail is read.
        Mailbox(lesson_mail.LEARN, _store_lesson_answer, _named_steps),
        # For mail programs that unsubscribe by mail.
        Mailbox("unsub", _unsubscribe, _each(core_tokens.find_unsubscribe), by_hand=False),
        # The service's own address, and those that every mail domain has.
        *(Mailbox(name, _store_service_mail) for name in (_DEFAULT_MAILBOX, _POSTMASTER, "abuse")),
    )
}
"""The kinds of mailbox by name."""
