"""What machines report: deliveries that failed or wait, complaints, and the words of machines that write for people."""

from __future__ import annotations

import pytest

from emails.parsing import delivery_reports
from emails.parsing.delivery_reports import RecipientStatus, Report
from emails.parsing.reader import parse_mail

REPORT = """\
From: Mail System <mailer-daemon@mx.example>
To: games@games.example
Subject: Delivery report
Content-Type: multipart/report; report-type={kind}; boundary=b

--b

This is what happened.
--b
{fields}
--b
Content-Type: message/rfc822

From: games@games.example
To: Anna <Anna@mail.example>
Subject: Your turn

Hello
--b--
"""
FIELDS = """\
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; box17@mx.example
Original-Recipient: rfc822; Anna@mail.example
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {said}
"""
HAPPENED = "This is what happened."
TOLD = """\
From: {sender}
To: games@games.example
Subject: {subject}

{text}
"""


def stated(action: str, status: str, said: str = "") -> Report | None:
    fields = FIELDS.format(action=action, status=status, said=said)
    return delivery_reports.parse(REPORT.format(kind="delivery-status", fields=fields).encode())


def told(text: str, subject: str = "failure notice", sender: str = "mailer-daemon@mx.example") -> Report | None:
    return delivery_reports.parse(TOLD.format(sender=sender, subject=subject, text=text).encode())


@pytest.mark.parametrize(
    ("action", "status", "said", "expected"),
    [
        ("failed", "5.1.1", "550 no such box", ("failed", "5.1.1")),
        ("Delayed", "4.4.1 (no answer)", "", ("delayed", "4.4.1")),
        ("relayed", "2.0.0", "", ("relayed", "2.0.0")),
        ("delivered", "", "", ("delivered", "")),
        ("", "", "550-5.2.2 over quota", ("failed", "5.2.2")),
        ("", "", "452 try later", ("delayed", "4.0.0")),
        ("broken", "", "", ("failed", "")),
    ],
)
def test_a_delivery_report_tells_what_became_of_each_recipient(
    action: str, status: str, said: str, expected: tuple[str, str]
) -> None:
    report = stated(action, status, said)
    text = f"smtp; {said}".strip()
    assert report == Report("delivery", (RecipientStatus("anna@mail.example", *expected, text),))


def test_only_what_was_not_reached_counts_as_unreached() -> None:
    for action in ("failed", "delayed", "delivered", "relayed", "expanded"):
        report = stated(action, "")
        assert report
        assert report.unreached == (("anna@mail.example",) if action in {"failed", "delayed"} else ())
        assert bool(report.failed) == (action == "failed")


def test_a_block_without_an_address_is_passed_over() -> None:
    fields = "Content-Type: message/delivery-status\n\nFinal-Recipient: x400; /cn=anna\nAction: failed\n"
    raw = REPORT.format(kind="delivery-status", fields=fields).encode()
    assert delivery_reports.parse(raw) == Report(
        "delivery", (RecipientStatus("anna@mail.example", "failed", "", HAPPENED),)
    )


def test_a_complaint_names_whom_the_mail_went_to() -> None:
    fields = "Content-Type: message/feedback-report\n\nFeedback-Type: abuse\nVersion: 1\n"
    by_copy = Report("complaint", (RecipientStatus("anna@mail.example", "failed", "", "abuse"),))
    assert delivery_reports.parse(REPORT.format(kind="feedback-report", fields=fields).encode()) == by_copy
    fields += "Original-Rcpt-To: <Bo@mail.example>\nOriginal-Rcpt-To: rfc822;cyd@mail.example\n"
    raw = REPORT.format(kind="feedback-report", fields=fields).encode()
    report = delivery_reports.parse(raw)
    assert report
    assert [one.address for one in report.recipients] == ["bo@mail.example", "cyd@mail.example"]
    assert parse_mail(raw).kind == "automatic"


def test_a_complaint_without_its_fields() -> None:
    raw = REPORT.format(kind="feedback-report", fields="Content-Type: text/plain\n\nabuse\n").encode()
    assert delivery_reports.parse(raw) == Report("complaint", (RecipientStatus("anna@mail.example", "failed", "", ""),))
    assert delivery_reports.parse(b"From: a@x.example\nFeedback-Type: abuse\n\nx\n") == Report("complaint", ())


def test_the_copy_may_be_headers_alone() -> None:
    fields = "Content-Type: text/rfc822-headers\n\nTo: Bo <bo@mail.example>\nSubject: Your turn\n"
    report = delivery_reports.parse(REPORT.format(kind="delivery-status", fields=fields).encode())
    assert report == Report("delivery", (RecipientStatus("bo@mail.example", "failed", "", HAPPENED),))


@pytest.mark.parametrize(
    ("text", "address", "action", "status"),
    [
        ("It did not arrive.\n\n<Anna@mail.example>:\n550 5.1.1 no such box\n", "anna@mail.example",
         "failed", "5.1.1"),
        ("Recipient: anna@mail.example\nReason: box full (452 4.2.2)\n", "anna@mail.example", "delayed", "4.2.2"),
        ("Your mail to anna@mail.example failed; write to help@games.example\n", "anna@mail.example", "failed", ""),
        ("It could not be sent, says anna@mail.example. Ask bo@mail.example.\n", "anna@mail.example", "failed", ""),
        ("No luck with <games@games.example>: anna@games.example is unknown\n", "anna@games.example", "failed", ""),
        ("This is a warning only, the mail waits.\n\n  anna@mail.example\n", "anna@mail.example", "delayed", ""),
    ],
)  # fmt: skip
def test_reports_written_for_people(text: str, address: str, action: str, status: str) -> None:
    report = told(text + "\n--- Below this line is a copy of the mail.\n\nTo: dee@mail.example\n")
    assert report
    assert [(one.address, one.action, one.status) for one in report.recipients] == [(address, action, status)]
    assert (
        parse_mail(TOLD.format(sender="mailer-daemon@mx.example", subject="failure notice", text=text).encode()).typed
        == ()
    )


@pytest.mark.parametrize(("actions", "action"), [(("failed", "delayed"), "failed"), (("delayed", "failed"), "failed")])
def test_an_address_that_a_report_names_twice_is_one_recipient(actions: tuple[str, str], action: str) -> None:
    fields = FIELDS.format(action=actions[0], status="", said="")
    again = f"\nFinal-Recipient: rfc822; anna@mail.example\nAction: {actions[1]}\n"
    report = delivery_reports.parse(REPORT.format(kind="delivery-status", fields=fields + again).encode())
    assert report
    assert [(one.address, one.action) for one in report.recipients] == [("anna@mail.example", action)]


@pytest.mark.parametrize("original", ["rfc822;", "unknown; unknown", "rfc822; <>"])
def test_an_original_recipient_without_an_address_names_the_final_one(original: str) -> None:
    fields = FIELDS.format(action="failed", status="5.1.1", said="").replace("rfc822; Anna@mail.example", original)
    report = delivery_reports.parse(REPORT.format(kind="delivery-status", fields=fields).encode())
    assert report
    assert report.unreached == ("box17@mx.example",)


def test_a_french_report_has_its_verdict_behind_the_subject() -> None:
    text = "Votre message n'a pas pu etre delivre a\nanna@mail.example\n"
    report = told(text, subject="RE: Your turn : non remis (delivery failed)", sender="server@mx.example")
    assert report
    assert report.unreached == ("anna@mail.example",)


def test_a_report_may_name_nobody() -> None:
    assert told("Something went wrong.\n") == Report("delivery", ())
    raw = TOLD.format(sender="anna@mail.example", subject="Undeliverable: Your turn", text="Sorry.").encode()
    assert parse_mail(raw).kind == "bounce"


def test_named_in_a_header() -> None:
    raw = b"From: a@mx.example\nX-Failed-Recipients: anna@mail.example,\n  bo@mail.example\n\nbo@mail.example: 550 no\n"
    report = delivery_reports.parse(raw)
    assert report
    assert [(one.address, one.status) for one in report.recipients] == [
        ("anna@mail.example", "5.0.0"),
        ("bo@mail.example", "5.0.0"),
    ]


@pytest.mark.parametrize(
    "raw",
    [
        b"From: anna@mail.example\nSubject: Re: Your turn\n\ntake 7\n",
        b"From: mailer-daemon@mx.example\nContent-Type: multipart/report; report-type=disposition-notification\n\nx\n",
        b"",
        b"\xff\0",
    ],
)
def test_what_is_no_report(raw: bytes) -> None:
    assert delivery_reports.parse(raw) is None


def test_reports_within_parts_without_end_are_not_followed() -> None:
    deep = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(20))
    raw = f"From: mailer-daemon@mx.example\n{deep}{FIELDS.format(action='failed', status='5.0.0', said='')}"
    assert delivery_reports.parse(raw.encode()) is not None
