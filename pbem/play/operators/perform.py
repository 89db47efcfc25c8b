"""What all acts of operators have in common: none is done without a row in the audit log."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from pbem.play.core.actors import ADDRESS, SUBMISSION, Action, ActionError, ActionResult, Actor
from pbem.play.operators import audit
from pbem.play.players.unsubscribes import address_hash
from pbem.telemetry import logs

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.play.core.context import Context

MAX_REASON_LENGTH = 500
MAX_ROW_NUMBER = 2**63 - 1
"""Maximum number of a row."""

_Subject = TypeVar("_Subject", str, int)
_Parameters = ParamSpec("_Parameters")

ACTS: dict[str, Action] = {}
"""All acts by name, registered as their modules are imported."""


def act(
    name: str, subject: str, *, needs_reason: bool = True
) -> Callable[
    [Callable[Concatenate[Context, Actor, _Subject, str, _Parameters], ActionResult]],
    Callable[Concatenate[Context, Actor, _Subject, str, _Parameters], ActionResult],
]:
    """Register a function as an act, which gets a reason and is recorded in the same transaction, or not done at all.

    The function takes the context, the actor, the subject, and the reason; it raises ActionError to refuse.
    """
    known = ACTS[name] = Action(name, subject, needs_reason)

    def made(
        do: Callable[Concatenate[Context, Actor, _Subject, str, _Parameters], ActionResult],
    ) -> Callable[Concatenate[Context, Actor, _Subject, str, _Parameters], ActionResult]:
        @wraps(do)
        def done(
            ctx: Context,
            actor: Actor,
            whom: _Subject,
            reason: str,
            /,
            *more: _Parameters.args,
            **named: _Parameters.kwargs,
        ) -> ActionResult:
            if not _is_plausible(whom):
                raise ActionError(f"There is no {subject} of that name here.")
            reason = clean_reason(reason, known)
            with ctx.session.begin_nested():
                found = do(ctx, actor, whom, reason, *more, **named)
                detail = {**found.detail, "changed": found.changed}
                audit.write(ctx, actor, name, (subject, audit_key(subject, whom)), reason, detail)
            return found

        return done

    return made


def audit_key(subject: str, whom: str | int) -> str:
    """Return how the audit log refers to a subject: to an address by its hash, to a submission as in logs."""
    if subject == ADDRESS:
        return address_hash(str(whom)).hex()
    return logs.shorten_id(str(whom)) if subject == SUBMISSION else str(whom)


def clean_reason(typed: str, known: Action) -> str:
    """Return a reason as one clean line; raises ActionError if a required one is missing, or it is too long."""
    reason = _one_line(typed)
    if known.needs_reason and not reason:
        raise ActionError("Say why: this needs a reason, which is kept for good.")
    if len(reason) > MAX_REASON_LENGTH:
        raise ActionError(f"The reason is too long: at most {MAX_REASON_LENGTH} characters.")
    return reason


def clean_sentence(typed: str) -> str:
    """Return the sentence for a player as one clean line; raises ActionError if it is missing or too long."""
    sentence = _one_line(typed)
    if not sentence:
        raise ActionError("Write the sentence that they are told.")
    if len(sentence) > MAX_REASON_LENGTH:
        raise ActionError(f"The sentence is too long: at most {MAX_REASON_LENGTH} characters.")
    return sentence


def _is_plausible(whom: str | int) -> bool:
    """Return whether this could be the name or number of anything."""
    return 0 < whom <= MAX_ROW_NUMBER if isinstance(whom, int) else "\0" not in whom


def _one_line(typed: str) -> str:
    return " ".join("".join(letter if letter.isprintable() else " " for letter in typed).split())
