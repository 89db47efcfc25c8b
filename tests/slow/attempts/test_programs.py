"""Programs get no answer, and move nobody: answers of machines, bounces, lists and loops end here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.slow.attempts.houses import NUMBERS, answer_to, reply_to
from tests.support.live_service import text_of

if TYPE_CHECKING:
    from email.message import EmailMessage

    from tests.slow.attempts.houses import House, Player, Table

SIGNS = {
    "answered automatically": {"Auto-Submitted": "auto-replied"},
    "generated automatically": {"Auto-Submitted": "auto-generated"},
    "notified automatically": {"Auto-Submitted": "auto-notified; owner-email=x@example.org"},
    "in capitals": {"AUTO-SUBMITTED": "AUTO-REPLIED"},
    "with a comment before": {"Auto-Submitted": "(really) auto-replied"},
    "of a kind yet to come": {"Auto-Submitted": "auto-imagined"},
    "in bulk": {"Precedence": "bulk"},
    "a list's precedence": {"Precedence": "List"},
    "junk": {"Precedence": "junk"},
    "an answer's precedence": {"Precedence": "auto_reply"},
    "of a list": {"List-Id": "A list <list.example.org>"},
    "of a list to leave": {"List-Unsubscribe": "<mailto:leave@example.org>"},
    "answered for Exchange": {"X-Autoreply": "yes"},
    "answered for Lotus": {"X-Autorespond": "away"},
    "answered from": {"X-Autoreply-From": "x@example.org"},
    "answered by a mailbox": {"X-Mail-Autoreply": "yes"},
    "answered by vacation": {"X-Vacation": "yes"},
    "by an inbox rule": {"X-MS-Exchange-Inbox-Rules-Loop": "x@example.org"},
    "by cron": {"X-Cron-Env": "<SHELL=/bin/sh>"},
    "feedback": {"Feedback-Type": "abuse"},
    "away": {"Subject": "Out of Office: Re: your turn"},
    "away in German": {"Subject": "Abwesenheitsnotiz: Re: your turn"},
    "away in French": {"Subject": "Réponse automatique : Re: your turn"},
    "away, suppressing answers": {"Subject": "I am on vacation", "X-Auto-Response-Suppress": "All"},
    "from a daemon": {"From": "MAILER-DAEMON@p1.example.org"},
    "from nobody who reads": {"From": "no-reply@p1.example.org"},
}
TWICE = {
    "no, then answered": ("Auto-Submitted: no", "Auto-Submitted: auto-replied"),
    "answered, then no": ("Auto-Submitted: auto-replied", "Auto-Submitted: no"),
    "first-class, then bulk": ("Precedence: first-class", "Precedence: bulk"),
    "false, then a list": ("List-Id: no", "List-Id: <list.example.org>"),
    "around for ever": tuple(f"Received: from a by b; Mon, 23 Nov 2026 09:00:{each:02} +0000" for each in range(55)),
}
REPORT = """\
Content-Type: multipart/report; report-type={kind}; boundary=b

--b
Content-Type: text/plain

{move}
--b
Content-Type: message/{kind}

Final-Recipient: rfc822; {address}
Action: {action}
Status: {status}

--b--
"""
REPORTS = {
    "failed": ("delivery-status", "failed", "5.1.1"),
    "delayed": ("delivery-status", "delayed", "4.4.1"),
    "delivered": ("delivery-status", "delivered", "2.0.0"),
    "read": ("disposition-notification", "displayed", "2.0.0"),
    "complaint": ("feedback-report", "failed", "5.7.1"),
}


@dataclass(frozen=True)
class Turn:
    """A turn that somebody has yet to play."""

    table: Table
    player: Player
    mail: EmailMessage
    move: str

    def goes_on_unheard(self, raw: EmailMessage | bytes, sender: str = "", *to: str) -> None:
        """Send a mail of a program, and find that nothing is played and that nobody is mailed."""
        self.table.house.settle()
        before, view = [len(each.mails) for each in self.table.players], self.table.view
        code = self.table.house.post(raw, sender or self.player.address, *(to or [reply_to(self.mail)]))
        self.table.house.settle()
        assert code in {250, 554}
        assert self.table.view == view
        assert [len(each.mails) for each in self.table.players] == before

    def raw(self, headers: str, body: str = "") -> bytes:
        head = f"From: {self.player.address}\nTo: {reply_to(self.mail)}\nMessage-ID: <p{next(NUMBERS)}@example.org>\n"
        return (head + headers + (body or f"\n{self.move}\n")).replace("\n", "\r\n").encode()


MATCHES: dict[str, Turn] = {}


@pytest.fixture
def turn(here: House) -> Turn:
    """A turn that nobody has played yet: an attempt that did not hold spoils no other."""
    found = MATCHES.get("here")
    if found is None or found.table.mover != found.player:
        table = here.table("martian-whist", "Ann", "Bob")
        mail = table.turn(table.mover)
        found = MATCHES["here"] = Turn(table, table.mover, mail, table.seen_by(mail)["moves"][0])
    return found


@pytest.mark.parametrize("headers", SIGNS.values(), ids=SIGNS.keys())
def test_a_program_moves_nobody_and_is_not_answered(turn: Turn, headers: dict[str, str]) -> None:
    mail = answer_to(turn.player, turn.mail, turn.move)
    for name, value in headers.items():
        del mail[name]
        mail[name] = value
    turn.goes_on_unheard(mail)


@pytest.mark.parametrize("line", ["help", "no such move", "board", "resign yes", "draw", "say Hello.", ""])
def test_no_program_is_answered_whatever_it_says(turn: Turn, line: str) -> None:
    turn.goes_on_unheard(answer_to(turn.player, turn.mail, line, Auto_Submitted="auto-replied"))


@pytest.mark.parametrize("lines", TWICE.values(), ids=TWICE.keys())
def test_one_sign_among_several_is_enough(turn: Turn, lines: tuple[str, ...]) -> None:
    turn.goes_on_unheard(turn.raw("".join(f"{line}\n" for line in lines)))


def test_what_comes_from_the_null_sender_is_no_move(turn: Turn) -> None:
    turn.goes_on_unheard(turn.raw(""), "<>")


@pytest.mark.parametrize(("kind", "action", "status"), REPORTS.values(), ids=REPORTS.keys())
def test_no_report_is_a_move_or_answered(turn: Turn, kind: str, action: str, status: str) -> None:
    said = REPORT.format(kind=kind, action=action, status=status, move=turn.move, address=turn.player.address)
    turn.goes_on_unheard(turn.raw(said.partition("\n\n")[0] + "\n", "\n" + said.partition("\n\n")[2]), "<>")


@pytest.mark.parametrize("headers", SIGNS.values(), ids=SIGNS.keys())
def test_no_letter_of_a_program_is_answered(turn: Turn, headers: dict[str, str]) -> None:
    house = turn.table.house
    letter = answer_to(turn.player, turn.mail, "help", **headers)
    del letter["To"]
    letter["To"] = house.own_address
    turn.goes_on_unheard(letter, "", house.own_address)


@pytest.mark.parametrize("which", ["turn", "invitation"])
def test_a_mail_of_ours_that_comes_back_whole_goes_no_further(turn: Turn, which: str) -> None:
    mail = turn.mail if which == "turn" else turn.table.invitation(turn.player)
    turn.goes_on_unheard(mail.as_bytes(), turn.player.address)


def test_a_mail_of_ours_sent_to_ourselves_goes_no_further(turn: Turn) -> None:
    house = turn.table.house
    turn.goes_on_unheard(turn.mail.as_bytes(), house.own_address, house.own_address)


def test_robots_that_answer_each_other_stop(there: House) -> None:
    """A robot that sends something new each time is answered so often and no more."""
    table = there.table("martian-whist", "Ann", "Bob")
    player = table.mover
    mail, known = table.turn(player), len(player.mails)
    for number in range(30):
        assert player.reply(mail, f"I am robot {number}", Subject=f"Robot {number}") in {250, 450}
    there.settle()
    answered = len(player.mails) - known
    assert 0 < answered < 15


def test_a_move_of_a_person_is_played(turn: Turn) -> None:
    assert turn.player.reply(turn.mail, turn.move, Auto_Submitted="no") == 250
    turn.table.house.settle()
    assert turn.table.mover != turn.player
    assert turn.move in text_of(turn.player.mails[-1]) + text_of(turn.table.players[1].mails[-1])
