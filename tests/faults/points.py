"""The faults that are made: where in whose work, what is killed there, and what is promised of it."""

from __future__ import annotations

from dataclasses import dataclass

POINTS = {
    "accept-before-commit": "a mail has come and is not kept: its sender hears no 250, and sends it again",
    "accept-after-commit": "a mail is kept and its sender has not heard so: sent again it is the same mail",
    "accept-after-answer": "the sender has heard 250: the mail is never lost again",
    "page-before-commit": "a move has come by HTTP and is not kept: whoever asked hears nothing, and asks again",
    "page-after-commit": "the move is kept and nobody has heard so: asked again it is the same submission",
    "judge-before-lock": "a worker is about to take a match: another one does",
    "judge-after-lock": "a worker has a match's row: the database lets go of it with the worker's connection",
    "judge-before-commit": "a move is judged and not kept: it is judged anew, and comes to the same",
    "judge-after-commit": "a move is played and nobody has been told to send its mails: the sweep finds them",
    "task-before-work": "a task is taken off the broker and not begun: the sweep finds what it was for",
    "task-after-work": "the work is done and no other is taken: nothing is missing",
    "relay-after-claim": "a relay has a shard of recipients: the lock goes with its connection",
    "relay-before-data": "a mail is written and has not gone: it goes later",
    "relay-after-data": "a mail has gone and is not marked: it may go once more, the same to the byte",
    "mark-before-commit": "the mark is not kept: the mail may go once more, the same to the byte",
    "mark-after-commit": "the mail is marked: it does not go again",
    "clock-before-commit": "the clock has not noted that it beats: it beats again in five seconds",
    "clock-after-commit": "the clock has noted that it beats: what it found is found again",
    "think-before-commit": "a robot's thought is claimed or had, and not kept: it is had again, and comes to the same",
    "think-after-commit": "a thought is claimed or kept and nobody goes on with it: the sweep finds it",
    "analyse-before-commit": "a chunk of an analysis is claimed or made, and not kept: made again, it is the same",
    "analyse-after-commit": "a chunk is claimed or kept and nobody goes on with it: the sweep finds it",
    "beat-before-dispatch": "a recurring task was not named: it is when beat lives again",
    "beat-after-dispatch": "a recurring task was named: nobody minds if it comes twice",
}
"""Where a fault can be, and why it does no harm there."""

STORES = (
    "accept-before-commit",
    "accept-after-commit",
    "page-before-commit",
    "page-after-commit",
    "judge-before-commit",
    "judge-after-commit",
    "relay-after-data",
    "mark-after-commit",
    "task-before-work",
)
"""Where database and broker are killed, restarted or emptied under those who work with them."""

MANNERS = ("refuses", "421", "451", "slow", "cuts")
"""How the mail server that takes our mails behaves badly for some seconds."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: what happens to whom, and at which point of the work; without a point it happens at once."""

    victim: str
    deed: str
    point: str = ""

    @property
    def name(self) -> str:
        """Name it in the table."""
        return f"{self.victim} {self.deed}" + (f" at {self.point}" if self.point else "")


def whose(point: str) -> str:
    """Return which part comes past a point."""
    parts = {"accept": "mail", "page": "web"}
    return parts.get(point.partition("-")[0], "worker")


def faults() -> tuple[Fault, ...]:
    """List every fault that is made."""
    return (
        *(Fault(whose(point), "killed", point) for point in POINTS),
        *(Fault("database", deed, point) for deed in ("killed", "restarted") for point in STORES),
        *(Fault("broker", deed, point) for deed in ("killed", "emptied") for point in STORES),
        *(Fault("mail server", manner) for manner in MANNERS),
    )
