"""The command that sends a finished match as one file."""

from __future__ import annotations

from typing import Any

from pbem.i18n import _, marked
from pbem.play.archive import records
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, hit
from pbem.play.inbox.commands.base import OVER, RUNNING, Command, Invocation
from pbem.play.matches import access
from pbem.play.notifications.replies import answer
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.verdicts import Verdict
from pbem.states import SubmissionStatus

MAX_FILES_PER_DAY = 20
"""Maximum files mailed per player and day: one takes as long to make as dozens of mails."""


def _replay(wish: Invocation) -> Verdict:
    ctx, match, submission = wish.ctx, wish.match, wish.submission
    refused = _refusal_reason(wish)
    if refused:
        answer(ctx, match, submission, "no replay", reason=refused)
        return Verdict(SubmissionStatus.REJECTED, refused)
    key: dict[str, Any] = {} if match.public else {"shared": access.shared_key(match)}
    answer(ctx, match, submission, "replay", **key)
    return Verdict(SubmissionStatus.DONE, _("The match comes as one file by mail."))


def _refusal_reason(wish: Invocation) -> str:
    """Return why there is no file, or an empty string."""
    if wish.match.state != OVER:
        return _("The match still runs; it becomes a file when it is over.")
    try:
        records.build_record(wish.ctx, wish.match)
    except records.NoRecordYetError as early:
        return str(early)
    player = str(wish.submission.holder.player_id)
    if wish.ctx.config.limits is not None and hit(
        wish.ctx, Limit("replay by mail", player, MAX_FILES_PER_DAY, SECONDS_PER_DAY)
    ):
        return _("You were mailed many such files today. Please ask again tomorrow.")
    return ""


COMMANDS = (
    Command(
        "replay",
        {"en": ("replay",), "de": ("wiedergabe",)},
        marked("to get a finished match as one file that shows every step and needs no network"),
        _replay,
        Right.ASK,
        frozenset({RUNNING, OVER}),
    ),
)
