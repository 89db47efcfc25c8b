"""Which of several things in a mail counts: text before HTML, and the newest of the mails that it refers to."""

from emails.parsing.reader import parse_mail

BOTH = b"""From: ann@example.org
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary=x

--x
Content-Type: text/plain

take 3
--x
Content-Type: text/html

<p>take 7</p>
--x--
"""


def test_the_text_of_a_mail_counts_before_its_html() -> None:
    assert parse_mail(BOTH).typed == ("take 3",)
    assert parse_mail(BOTH.replace(b"take 3", b"")).typed == ("take 7",)


def test_the_newest_of_the_mails_that_a_mail_refers_to_is_the_likeliest() -> None:
    raw = b"From: ann@example.org\nReferences: <first@x> <second@x>\n\ntake 3\n"
    assert parse_mail(raw).answers == ("<second@x>", "<first@x>")
    assert parse_mail(b"In-Reply-To: <first@x>\n" + raw).answers == ("<first@x>", "<second@x>")
