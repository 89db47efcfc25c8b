"""What all acts of operators have in common: none is done without a row in the audit log."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from pbem.play.core.actors import ADDRESS, SUBMISSION, Act, ActError, Actor, Done
from pbem.play.operators import audit
from pbem.play.players.unsubscribes import key_of
from pbem.telemetry import logs

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.play.core.context import Context

LONGEST_REASON = 500
LARGEST = 2**63 - 1
"""Maximum number of a row."""

_Whom = TypeVar("_Whom", str, int)
_More = ParamSpec("_More")

ACTS: dict[str, Act] = {}
"""All acts by name, registered as their modules are imported."""


def act(
    name: str, subject: str, *, needs_reason: bool = True
) -> Callable[
    [Callable[Concatenate[Context, Actor, _Whom, str, _More], Done]],
    Callable[Concatenate[Context, Actor, _Whom, str, _More], Done],
]:
    """Register a function as an act, which gets a reason and is recorded in the same transaction, or not done at all.

    The function takes the context, the actor, the subject, and the reason; it raises ActError to refuse.
    """
    known = ACTS[name] = Act(name, subject, needs_reason)

    def made(
        do: Callable[Concatenate[Context, Actor, _Whom, str, _More], Done],
    ) -> Callable[Concatenate[Context, Actor, _Whom, str, _More], Done]:
        @wraps(do)
        def done(
            ctx: Context, actor: Actor, whom: _Whom, reason: str, /, *more: _More.args, **named: _More.kwargs
        ) -> Done:
            if not _can_be(whom):
                raise ActError(f"There is no {subject} of that name here.")
            reason = tidy_reason(reason, known)
            with ctx.session.begin_nested():
                found = do(ctx, actor, whom, reason, *more, **named)
                detail = {**found.detail, "changed": found.changed}
                audit.write(ctx, actor, name, (subject, kept_as(subject, whom)), reason, detail)
            return found

        return done

    return made


def kept_as(subject: str, whom: str | int) -> str:
    """Return how the audit log refers to a subject: to an address by its hash, to a submission as in logs."""
    if subject == ADDRESS:
        return key_of(str(whom)).hex()
    return logs.short(str(whom)) if subject == SUBMISSION else str(whom)


def tidy_reason(typed: str, known: Act) -> str:
    """Return a reason as one clean line; raises ActError if a required one is missing, or it is too long."""
    reason = _one_line(typed)
    if known.needs_reason and not reason:
        raise ActError("Say why: this needs a reason, which is kept for good.")
    if len(reason) > LONGEST_REASON:
        raise ActError(f"The reason is too long: at most {LONGEST_REASON} characters.")
    return reason


def tidy_sentence(typed: str) -> str:
    """Return the sentence for a player as one clean line; raises ActError if it is missing or too long."""
    sentence = _one_line(typed)
    if not sentence:
        raise ActError("Write the sentence that they are told.")
    if len(sentence) > LONGEST_REASON:
        raise ActError(f"The sentence is too long: at most {LONGEST_REASON} characters.")
    return sentence


def _can_be(whom: str | int) -> bool:
    """Return whether this could be the name or number of anything."""
    return 0 < whom <= LARGEST if isinstance(whom, int) else "\0" not in whom


def _one_line(typed: str) -> str:
    return " ".join("".join(letter if letter.isprintable() else " " for letter in typed).split())
