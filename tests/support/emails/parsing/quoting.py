"""Our own mails as mail programs send them back when nobody typed anything: one function for each style."""

from __future__ import annotations

import re
import textwrap
from email.message import EmailMessage
from html import escape
from typing import TYPE_CHECKING

from emails.parsing import html_text
from tests.support.house import NUMBERS, address

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.house import Mail

INTRODUCTION = "On Sat, Nov 21, 2026 at 9:12 AM Slow games <games@games.localhost> wrote:"
FORWARDED = "---------- Forwarded message ---------\n"
MARKED = re.compile(r"-{2,} .{9,60} -{2,}\n")


def lines(mail: Mail, front: str = "") -> str:
    return "".join(f"{front}{line}".rstrip() + "\n" for line in mail.text.splitlines())


def headers(mail: Mail, sender: str = "From", sent: str = "Sent", to: str = "To", subject: str = "Subject") -> str:
    return (
        f"{sender}: Slow games <games@games.localhost>\n{sent}: Saturday, November 21, 2026 9:12 AM\n"
        f"{to}: {mail.name} <{address(mail.name)}>\n{subject}: {mail.message['Subject']}\n\n"
    )


def wrapped(mail: Mail, width: int, *, whole_words: bool = False) -> str:
    """Break quoted lines as old mailers do, which leave the rest of a line without its sign."""
    broken = [textwrap.wrap(line, width, break_long_words=not whole_words) for line in lines(mail, "> ").splitlines()]
    return "".join("\n".join(parts) + "\n" for parts in broken)


def body_of(mail: Mail) -> str:
    """Return the inside of the page."""
    found = re.search(r"<body[^>]*>(.*)</body>", mail.html, re.DOTALL)
    assert found
    return found[1]


TEXTS: dict[str, Callable[[Mail], str]] = {
    "Gmail": lambda mail: f"\n{INTRODUCTION}\n\n{lines(mail, '> ')}",
    "signs without blanks": lambda mail: f"{INTRODUCTION}\n{lines(mail, '>')}",
    "quoted twice": lambda mail: f"{INTRODUCTION}\n> {INTRODUCTION}\n{lines(mail, '>> ')}",
    "bars": lambda mail: f"{INTRODUCTION}\n{lines(mail, '| ')}",
    "Yahoo, without signs": lambda mail: f"\n    {INTRODUCTION}\n\n{lines(mail)}",
    "Outlook": lambda mail: "\n" + headers(mail) + lines(mail),
    "Outlook with a rule": lambda mail: "\n________________________________\n" + headers(mail) + lines(mail),
    "Original Message": lambda mail: "\n-----Original Message-----\n" + headers(mail) + lines(mail),
    "German Outlook": lambda mail: headers(mail, "Von", "Gesendet", "An", "Betreff") + lines(mail),
    "Thunderbird in German": lambda mail: f"Am 21.11.26 um 09:12 schrieb Slow games:\n{lines(mail, '> ')}",
    "French": lambda mail: f"Le sam. 21 nov. 2026 à 09:12, Slow games <g@x.example> a écrit :\n{lines(mail, '> ')}",
    "Japanese": lambda mail: f"2026年11月21日(土) 9:12 Slow games <g@x.example>:\n\n{lines(mail, '> ')}",
    "telephone": lambda mail: f"\nSent from my iPhone\n\n> {INTRODUCTION}\n> \n{lines(mail, '> ')}",
    "signature": lambda mail: f"\n-- \n{mail.name} Berg\n\n{INTRODUCTION}\n{lines(mail, '> ')}",
    "a signature below": lambda mail: f"{INTRODUCTION}\n{lines(mail, '> ')}\n-- \n{mail.name} Berg\n",
    "a telephone's signature below": lambda mail: f"{INTRODUCTION}\n{lines(mail, '> ')}\nSent from my iPhone\n",
    "wrapped at 72, whole words": lambda mail: f"{INTRODUCTION}\n{wrapped(mail, 72, whole_words=True)}",
    "forwarded": lambda mail: "Begin forwarded message:\n\n" + headers(mail, "From", "Date") + lines(mail),
    "forwarded by Gmail": lambda mail: FORWARDED + headers(mail, "From", "Date") + lines(mail),
    "wrapped at 60": lambda mail: f"{INTRODUCTION}\n{wrapped(mail, 60)}",
    "wrapped at 40": lambda mail: f"{INTRODUCTION}\n{wrapped(mail, 40)}",
    "echoed as it is": lines,
    "flowed together": lambda mail: textwrap.fill(mail.text, 66),
    "without the marker": lambda mail: f"{INTRODUCTION}\n{MARKED.sub('', lines(mail, '> '))}",
    "without marker and signs": lambda mail: f"{INTRODUCTION}\n\n{MARKED.sub('', lines(mail))}",
    "the page as text": lambda mail: f"{INTRODUCTION}\n\n{html_text.to_text(mail.html)}",
    "the page as text without the marker": lambda mail: MARKED.sub("", html_text.to_text(mail.html) + "\n"),
}  # fmt: skip
PAGES: dict[str, Callable[[Mail], str]] = {
    "Gmail's page": lambda mail: (
        f'<div><br></div><br><div class="gmail_quote"><div class="gmail_attr">{escape(INTRODUCTION)}<br></div>'
        f'<blockquote class="gmail_quote">{body_of(mail)}</blockquote></div>'
    ),
    "Apple's page": lambda mail: (
        f'<html><body><br><div><br><blockquote type="cite"><div>{escape(INTRODUCTION)}</div><br>{body_of(mail)}'
        "</blockquote></div></body></html>"
    ),
    "Thunderbird's page": lambda mail: (
        f'<html><body><div class="moz-cite-prefix">{escape(INTRODUCTION)}<br></div><blockquote type="cite" '
        f'cite="mid:1@games.localhost">{body_of(mail)}</blockquote></body></html>'
    ),
    "Outlook's page": lambda mail: (
        f'<html><body><div><br></div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg">'
        f"{escape(headers(mail)).replace(chr(10), '<br>')}</div>{body_of(mail)}</body></html>"
    ),
    "Yahoo's page": lambda mail: f'<div><br></div><div class="yahoo_quoted">{body_of(mail)}</div>',
    "the page as it is": lambda mail: mail.html,
    "the page without the marker": lambda mail: MARKED.sub("", mail.html.replace(" ---<", " ---\n<")),
}
STYLES = [*TEXTS, *PAGES]


def echo(mail: Mail, style: str, *, below: str = "") -> EmailMessage:
    """Answer a mail in a style, with nothing typed, or one line below it."""
    answer = EmailMessage()
    answer["From"] = address(mail.name)
    answer["To"] = mail.reply_to
    answer["Subject"] = f"Re: {mail.message['Subject']}"
    answer["Message-ID"] = f"<{next(NUMBERS)}.echo@example.org>"
    if style in TEXTS:
        answer.set_content(TEXTS[style](mail) + (f"\n{below}\n" if below else ""))
    else:
        answer.set_content(PAGES[style](mail) + (f"<p>{below}</p>" if below else ""), subtype="html")
    return answer
