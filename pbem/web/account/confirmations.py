"""Pages where players confirm a mail or an address as theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, abort, redirect, render_template, request, url_for

from emails.parsing.reader import parse_mail
from pbem.db.models import Match
from pbem.games import GAMES
from pbem.i18n import _, marked
from pbem.play.accounts import email_confirmation, guests, profile
from pbem.play.accounts.guests import GuestClaim
from pbem.play.accounts.profile import ClaimResult
from pbem.play.core.errors import Refused
from pbem.play.players import registry
from pbem.play.submissions import queue, sender_policy
from pbem.web.common.messages import UNKNOWN_LINK
from pbem.web.common.page_reload import reload_seconds
from pbem.web.request import csrf
from pbem.web.request.context import service, transaction
from pbem.web.request.current_user import visitor
from pbem.web.request.locale import use_language_of

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.db.models import Submission
    from pbem.play.accounts.email_confirmation import Claim
    from pbem.play.core.context import Context


pages = Blueprint("confirmations", __name__)

MAX_LINES = 8
_REFUSALS = {
    ClaimResult.OTHER_OWNER: marked(
        "This address already has its own account, which somebody has signed in to. Its owner can sign in with it."
    ),
    ClaimResult.SHARED_MATCH: marked(
        "This address plays in one of your matches, and nobody can hold two seats. Open this link again when that "
        "match is over."
    ),
    ClaimResult.SHARED_FIELD: marked(
        "This address plays in the same field as you, with the same cards. Open this link again when that field is "
        "over."
    ),
}


@pages.get("/confirm/<signed>")
def mail(signed: str) -> str:
    """Show a mail that came from another address, or its result; looking changes nothing."""
    with transaction() as ctx:
        return _mail_page(ctx, _find_submission(ctx, signed), signed)


@pages.post("/confirm/<signed>")
def confirm(signed: str) -> ResponseReturnValue:
    """Confirm the mail; if the player wants, mail its address a link to add it to the account."""
    with transaction() as ctx:
        found = _find_submission(ctx, signed)
        if not csrf.is_valid(f"confirm {signed}"):
            return _mail_page(ctx, found, signed, wrong=_(csrf.OLD_FORM)), 400
        email_confirmation.confirm(ctx, found)
        sender = _sender_address(found)
        asked = bool(
            request.form.get("always") and sender and not sender_policy.is_own_address(ctx, found.holder, sender)
        )
        if asked:
            email_confirmation.send_verification(ctx, found.holder.player, found.holder.name, sender)
    return redirect(url_for("confirmations.mail", signed=signed, asked=1 if asked else None), 303)


@pages.get("/address/<signed>")
def address(signed: str) -> str:
    """Show the form to confirm an address; looking changes nothing."""
    with transaction() as ctx:
        return _address_page(ctx, _find_claim(ctx, signed), signed)


@pages.post("/address/<signed>")
def verify(signed: str) -> ResponseReturnValue:
    """Confirm an address; some claims need the claimant to be signed in."""
    with transaction() as ctx:
        claim = _find_claim(ctx, signed)
        if not _may_confirm(claim):
            return redirect(url_for("confirmations.address", signed=signed), 303)
        if not csrf.is_valid(f"address {signed}"):
            return _address_page(ctx, claim, signed, wrong=_(csrf.OLD_FORM)), 400
        if claim.guest and not email_confirmation.is_verified(ctx, claim):
            return _verify_guest(ctx, claim, signed)
        taken = profile.claim_address(ctx, claim)
        if taken is not ClaimResult.CLAIMED:
            return _address_page(ctx, claim, signed, wrong=_(_REFUSALS[taken])), 409
    return redirect(url_for("confirmations.address", signed=signed), 303)


def _verify_guest(ctx: Context, claim: Claim, signed: str) -> ResponseReturnValue:
    """Confirm a guest's first address."""
    signed_in = visitor()
    here = signed_in is not None and signed_in.player == claim.player.id
    result = guests.claim_address(ctx, claim.player, claim.email, same_browser=here)
    if result is GuestClaim.REFUSED:
        return _address_page(ctx, claim, signed, wrong=_(_REFUSALS[ClaimResult.OTHER_OWNER])), 409
    if result is GuestClaim.MERGED:
        # The guest is gone, and the link with it.
        return render_template("account/guest_merged.html", email=claim.email)
    return redirect(url_for("confirmations.address", signed=signed), 303)


def _find_submission(ctx: Context, signed: str) -> Submission:
    found = email_confirmation.submission_from_link(ctx, signed)
    if found is None or found.raw is None:
        abort(404, description=UNKNOWN_LINK)
    use_language_of(found.holder.player)
    return found


def _find_claim(ctx: Context, signed: str) -> Claim:
    found = email_confirmation.claim_from_link(ctx, signed)
    if found is None:
        abort(404, description=UNKNOWN_LINK)
    use_language_of(found.player)
    return found


def _may_confirm(claim: Claim) -> bool:
    """Return whether the visitor may confirm that an address is its claimant's."""
    signed_in = visitor()
    return not claim.signed_in or (signed_in is not None and signed_in.player == claim.player.id)


def _sender_address(found: Submission) -> str:
    try:
        return registry.normalise_email(parse_mail(found.raw or b"").sender)
    except Refused:
        return ""


def _mail_page(ctx: Context, found: Submission, signed: str, wrong: str = "") -> str:
    reading, match = parse_mail(found.raw or b""), ctx.session.get_one(Match, found.match_id)
    verdict = queue.find_status(ctx, found.id)
    judging = verdict is not None and verdict.status == "pending" and not verdict.reason
    since = found.confirmed_at if judging else None
    return render_template(
        "account/confirm_sender.html",
        signed=signed,
        sender=reading.sender,
        possible=_sender_address(found) and not sender_policy.is_own_address(ctx, found.holder, reading.sender),
        lines=[line for line in reading.typed if line][:MAX_LINES],
        confirmed=found.confirmed_at is not None,
        reload_after=since and reload_seconds(since, ctx.now),
        asked="asked" in request.args,
        verdict=verdict,
        game=GAMES[match.game],
        wrong=wrong,
    )


def _address_page(ctx: Context, claim: Claim, signed: str, wrong: str = "") -> str:
    return render_template(
        "account/confirm_address.html",
        signed=signed,
        claim=claim,
        theirs=email_confirmation.is_verified(ctx, claim),
        may=_may_confirm(claim),
        host=service().config.host,
        wrong=wrong,
    )
