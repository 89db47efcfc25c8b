"""Confirmation by mailed links: of a mail that came from another address, and of a player's new address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from itsdangerous import BadSignature, URLSafeTimedSerializer

from pbem.db.models import Address, Player, Submission
from pbem.db.session import send_after_commit
from pbem.play.matches.match_state import lock_match
from pbem.play.notifications import fresh_links, outbox
from pbem.play.players import registry
from pbem.play.submissions.queue import JUDGE_TASK
from pbem.play.submissions.sender_policy import may_ask_player
from pbem.states import SubmissionStatus

if TYPE_CHECKING:
    from pbem.config import Config
    from pbem.db.models import Match
    from pbem.play.core.context import Context

KIND = "wrong sender"
MAIL_LINK_DAYS = 14
"""Days for which a mail can be confirmed."""
ADDRESS_LINK_DAYS = 3
"""Days for which an address can be verified by the mail that asks for it."""

_GUEST = "guest"
_MAIL_SALT, _ADDRESS_SALT = "pbem confirm mail", "pbem confirm address"


@dataclass(frozen=True, slots=True)
class Claim:
    """A player's claim to an address, by a link mailed to it.

    They must be `signed_in` to confirm it; a `guest` need not be, since the address is their first one.
    """

    player: Player
    email: str
    signed_in: bool
    guest: bool = False


def ask_player(ctx: Context, match: Match, submission: Submission, sender: str) -> None:
    """Ask the seat's player, only at their own address, whether a mail from another address was theirs."""
    holder = submission.holder
    if not may_ask_player(ctx, holder.email):
        return
    more = {"sender": sender, "confirm": _signer(ctx.config, _MAIL_SALT).dumps(submission.id)}
    facts = outbox.match_facts(ctx, match, holder) | more
    outbox.enqueue(ctx, KIND, holder, match, facts, once=f"answer {submission.id}")


def submission_from_link(ctx: Context, signed: str) -> Submission | None:
    """Return the submission that a link asks about; None for an invalid or expired link."""
    found = _load(ctx.config, _MAIL_SALT, signed, MAIL_LINK_DAYS)
    return ctx.session.get(Submission, found) if isinstance(found, str) else None


def confirm(ctx: Context, submission: Submission) -> None:
    """Confirm a submission: it is judged again, once, with its original time of receipt."""
    lock_match(ctx, submission.match_id)
    ctx.session.refresh(submission)
    if submission.confirmed_at is None:
        submission.confirmed_at, submission.status, submission.judged_at = ctx.now, SubmissionStatus.PENDING, None
        send_after_commit(ctx.session, JUDGE_TASK, submission.match_id)


def send_verification(ctx: Context, player: Player, name: str, email: str, *, signed_in: bool = False) -> None:
    """Mail a verification link to an address; `name` is how the mail addresses the player.

    An address that is verified or another player's gets no mail, unless the player must be `signed_in` to confirm it:
    then only the link shows what can be done.
    """
    email = registry.normalise_email(email)
    address = ctx.session.get(Address, email)
    if not signed_in and address and (address.player_id != player.id or address.verified_at):
        return
    signed = _signer(ctx.config, _ADDRESS_SALT).dumps([player.id, email, signed_in])
    facts = {"name": name, "language": player.language, "confirm": signed, "account": signed_in}
    once = f"address {player.id} {email} {ctx.now.date()}"
    if signed_in:
        once += f" {int(ctx.now.timestamp()) // fresh_links.WINDOW_SECONDS}"
    outbox.enqueue_mail(ctx, "address", email, facts, once=once)


def send_guest_verification(ctx: Context, guest: Player, email: str) -> None:
    """Mail a guest's verification link to an address, whether or not another player has it."""
    signed = _signer(ctx.config, _ADDRESS_SALT).dumps([guest.id, email, _GUEST])
    facts = {"name": guest.name, "language": guest.language, "confirm": signed, "guest": True}
    window = int(ctx.now.timestamp()) // fresh_links.WINDOW_SECONDS
    outbox.enqueue_mail(ctx, "address", email, facts, once=f"address {guest.id} {email} {window}")


def claim_from_link(ctx: Context, signed: str) -> Claim | None:
    """Return the claim that a mailed link makes; None for an invalid or expired link, or a deleted player."""
    found = _load(ctx.config, _ADDRESS_SALT, signed, ADDRESS_LINK_DAYS)
    if not isinstance(found, list):
        return None
    player = ctx.session.get(Player, found[0])
    if player is None or player.deleted_at:
        return None
    return Claim(player, found[1], signed_in=found[2:] == [True], guest=found[2:] == [_GUEST])


def is_verified(ctx: Context, claim: Claim) -> bool:
    """Return whether an address is already verified as its claimant's."""
    address = ctx.session.get(Address, claim.email)
    return address is not None and address.player_id == claim.player.id and address.verified_at is not None


def _signer(config: Config, salt: str) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(list(config.secret_keys), salt=salt)


def _load(config: Config, salt: str, signed: str, days: int) -> object:
    try:
        return _signer(config, salt).loads(signed, max_age=days * 24 * 3600)
    except BadSignature:
        return None
