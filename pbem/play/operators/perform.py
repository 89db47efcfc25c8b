"""What all acts of operators have in common: none is done without a row in the audit log."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from pbem.play.core.actors import ADDRESS, SUBMISSION, Action, ActionError, ActionResult, Actor
from pbem.play.operators import audit
from pbem.play.operators.search.pagination import MAX_ROW_NUMBER
from pbem.play.players.unsubscribes import address_hash
from pbem.telemetry import logs

if TYPE_CHECKING:
    from pbem.play.core.context import Context

MAX_REASON_LENGTH = 500

_Subject = TypeVar("_Subject", str, int)
_Parameters = ParamSpec("_Parameters")
_Act = Callable[Concatenate["Context", Actor, _Subject, str, _Parameters], ActionResult]

ACTS: dict[str, Action] = {}
"""All acts by name, registered as their modules are imported."""


def act(
    name: str, subject: str, *, needs_reason: bool = True
) -> Callable[[_Act[_Subject, _Parameters]], _Act[_Subject, _Parameters]]:
    """Register a function as an act, which gets a reason and is recorded in the same transaction, or not done at all.

    The function takes the context, the actor, the subject, and the reason; it raises ActionError to refuse.
    """
    action = ACTS[name] = Action(name, subject, needs_reason)

    def decorate(function: _Act[_Subject, _Parameters]) -> _Act[_Subject, _Parameters]:
        @wraps(function)
        def perform(
            ctx: Context,
            actor: Actor,
            target: _Subject,
            reason: str,
            /,
            *args: _Parameters.args,
            **kwargs: _Parameters.kwargs,
        ) -> ActionResult:
            if not _can_be_stored(target):
                raise ActionError(f"There is no {subject} of that name here.")
            reason = clean_reason(reason, action)
            with ctx.session.begin_nested():
                result = function(ctx, actor, target, reason, *args, **kwargs)
                detail = {**result.detail, "changed": result.changed}
                audit.write(ctx, actor, name, (subject, audit_key(subject, target)), reason, detail)
            return result

        return perform

    return decorate


def _can_be_stored(target: str | int) -> bool:
    """Return whether a row may have this key; any other would be an error of the database."""
    return 0 < target <= MAX_ROW_NUMBER if isinstance(target, int) else "\0" not in target


def audit_key(subject: str, target: str | int) -> str:
    """Return how the audit log refers to a subject: to an address by its hash, to a submission as in logs."""
    if subject == ADDRESS:
        return address_hash(str(target)).hex()
    return logs.shorten_id(str(target)) if subject == SUBMISSION else str(target)


def clean_reason(typed: str, action: Action) -> str:
    """Return a reason as one clean line; raises ActionError if a required one is missing, or it is too long."""
    reason = _one_line(typed)
    if action.needs_reason and not reason:
        raise ActionError("Give a reason: it is recorded for good.")
    if len(reason) > MAX_REASON_LENGTH:
        raise ActionError(f"The reason is too long: use at most {MAX_REASON_LENGTH} characters.")
    return reason


def clean_sentence(typed: str) -> str:
    """Return the sentence for a player as one clean line; raises ActionError if it is missing or too long."""
    sentence = _one_line(typed)
    if not sentence:
        raise ActionError("Write a message to the player.")
    if len(sentence) > MAX_REASON_LENGTH:
        raise ActionError(f"The message is too long: use at most {MAX_REASON_LENGTH} characters.")
    return sentence


def _one_line(typed: str) -> str:
    return " ".join("".join(letter if letter.isprintable() else " " for letter in typed).split())
