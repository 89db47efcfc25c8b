"""The command that looks back at a finished match, answered at once if a robot has done so already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.analysis import looking_back, looking_back_mails, requests
from pbem.play.analysis.looking_back import KIND
from pbem.play.core.errors import Refused
from pbem.play.inbox.commands.base import OVER, RUNNING, Command, Invocation, done, refuse_on_page
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.queue import MAIL

if TYPE_CHECKING:
    from pbem.play.submissions.verdicts import Verdict


def _look_back(call: Invocation) -> Verdict:
    if call.submission.via != MAIL:
        return refuse_on_page()
    ctx, match, holder = call.ctx, call.match, call.holder
    done_already = next((one for one in looking_back.find_all(ctx, match) if one.result is not None), None)
    if done_already is not None:
        more = looking_back_mails.key_facts(match) | looking_back_mails.found_facts(ctx, done_already)
        call.answer(looking_back_mails.KIND, **more)
        return done(_("Looking back at this match is on its way by mail."))
    try:
        asked = requests.ask(ctx, match, KIND, holder.player_id, anew=True)
    except requests.LimitReachedError as limit:
        return call.reject("no looking back", str(limit), until=limit.until.isoformat())
    except Refused as refused:
        return call.reject("no looking back", str(refused))
    looking_back_mails.hold(ctx, match, holder, asked, call.submission.message_id)
    call.answer("looks back")
    return done(_("A robot looks back at this match. You will get a mail when it is ready."))


COMMANDS = (
    Command(
        "look back",
        {"en": ("look back",), "de": ("rückblick", "zurückblicken", "rueckblick")},
        marked("to see what each move of a finished match was worth, and what was luck"),
        _look_back,
        Right.ASK,
        frozenset({RUNNING, OVER}),
    ),
)
