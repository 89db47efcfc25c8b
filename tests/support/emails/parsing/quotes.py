"""What tests of quotes share."""

# ruff: noqa: RUF001 (words of many languages)
from __future__ import annotations

from email.parser import BytesParser
from email.policy import compat32

from emails.parsing import body
from emails.parsing.quotes_and_signatures import typed_lines
from emails.parsing.reply_marker import MARKER
from tests.support.places import DATA

MAILS = DATA / "mails"
QUOTED = "> Hello all,\n> shall we start at eight?"
INTRODUCTIONS = [
    "On Sat, Nov 21, 2026 at 9:12 AM Gil <gil@x.example> wrote:",
    "On Saturday, November 21,\n2026 at 9:12 AM Gil Roth <\ngil@x.example> wrote:",
    "On Nov 21, 2026, at 9:12 AM, Gil Roth\n<gil@x.example>\nwrote:",
    "On Saturday, 21\nNovember at 9:12 Gil <gil@x.example> wrote:",
    "*On 21.11.2026 09:12, Gil wrote:*",
    "---- On Sat, 21 Nov 2026 09:12:00 +0100 gil@x.example wrote ----",
    "Gil Roth <gil@x.example> wrote:",
    "Quoting Gil Roth <gil@x.example>:",
    "Am 21.11.2026 um 09:12 schrieb Gil Roth:",
    'Am 21.11.2026 09:12 schrieb "Gil Roth" <gil@x.example',
    "Gil Roth <gil@x.example> schrieb am Sa., 21. Nov. 2026, 09:12:",
    "Le 21/11/2026 à 09:12, Gil Roth a écrit\xa0:",
    "El 21 nov 2026, a las 9:12, Gil <gil@x.example> escribió:",
    "Em sáb., 21 de nov. de 2026 às 09:12, Gil <gil@x.example>\nescreveu:",
    "Il giorno 21 nov 2026, alle ore 09:12, Gil ha scritto:",
    "Op 21 nov. 2026 om 09:12 heeft Gil <gil@x.example> het volgende geschreven:",
    "Den 21. nov. 2026 kl. 09.12 skrev Gil <gil@x.example>:",
    "På 21 november 2026 på 09:12:18, Gil (gil@x.example) skrev:",
    "W dniu 21.11.2026 o 09:12, Gil pisze:\nGil <gil@x.example> napisał(a):",
    "21 нояб. 2026 г., 9:12 пользователь Gil <gil@x.example> написал:",
    "21 листопада 2026 р. о 09:12 <gil@x.example> написав:",
    "so 21. 11. 2026 v 9:12 odesílatel Gil <gil@x.example> napsal:",
    "la 21. marrask. 2026 klo 9.12 Gil (gil@x.example) kirjoitti:",
    "Gil <gil@x.example> ezt írta (időpont: 2026. nov. 21., Szo, 9:12):",
    "Στις Σάβ 21 Νοε 2026 στις 9:12 ο χρήστης Gil <gil@x.example> έγραψε:",
    "2026年11月21日(土) 9:12 Gil <gil@x.example>:",
    "在 2026年11月21日,上午9:12,Gil <gil@x.example> 写道:",
    "2026년 11월 21일 (토) 오전 9:12, Gil <gil@x.example>님이 작성:",
    "2026-11-21 9:12 GMT+01:00 Gil <\ngil@x.example>:",
    "2026/11/21 Gil <gil@x.example>",
    '09:12 AM, November 21, 2026, "Gil" <gil@x.example>:',
    "On 21 Nov 2026 at 09:12, Gil:",
    "Gil Roth wrote on 11/21/26 09:12:",
    "Gil Roth skrev den 21 november 2026 09:12:",
    "Gil Roth, 21.11.2026 09:12:",
    "Gil Roth, 2026-11-21 09:12:33 PM:",
    "* Gil Roth <gil@x.example> [2026-11-21 09:12]:",
    "* Gil Roth [2026-11-21 09:12 +0100]:",
    "Gil Roth schrieb am 21.11.26 um 09:12 Uhr:",
    "Quoting Gil Roth (2026-11-21 09:12:33)",
]  # fmt: skip
BLOCKS = [
    "-----Original Message-----\nFrom: Gil\n\nHello all,",
    "-------- Weitergeleitete Nachricht --------\n\nHello all,",
    "------------------ 原始邮件 ------------------\n\nHello all,",
    "*** Forwarded --\n\nHello all,",
    "Anfang der weitergeleiteten Nachricht:\n\nHello all,",
    "________________________________\nFrom: Gil <gil@x.example>\nSent: Saturday 9:12\n\nHello all,",
    "From: Roth, Gil\nSent: Saturday, November 21, 2026 9:12 AM\nTo: Berg, Anna\nSubject: x\n\nHello all,",
    "*Von:* Gil [mailto:\n  gil@x.example]\n*Gesendet:* Samstag, 21. November 2026 09:12\n*An:* Anna\n\nHallo",
    "Date: Sat, 21 Nov 2026 09:12:00 +0100\nTo: anna@x.example\n\nHello all,",
    "De : Gil <gil@x.example>\n\nEnvoyé : samedi 21 novembre 2026 09:12\n\nBonjour",
    "-- \nAnna Berg",
    "Sent from my iPhone",
    "Gesendet von Outlook für Android<https://aka.ms/x>",
    "Envoyé de mon iPhone",
    "iPhoneから送信",
    "Sent with [Proton Mail](https://proton.me/mail/home) secure email.",
    "Von meinem/meiner Galaxy gesendet",
    "Az én Samsung Galaxy készülékemről küldve",
    "Yahoo Mail: Search, Organize, Conquer",
    "Get BlueMail for Android",
    "Télécharger BlueMail pour Android",
    MARKER + "\nHello all,",
    "> " + MARKER + "\n> Hello all,",
]


def cut(text: str) -> tuple[str, ...]:
    return typed_lines(text.split("\n"))


def tails() -> list[str]:
    """Everything that stands below the typed lines in the mails of this folder."""
    found = []
    for path in sorted(MAILS.glob("*.eml")):
        lines = body.lines(BytesParser(policy=compat32).parsebytes(path.read_bytes()))
        found.append("\n".join(lines))
        words = [line.strip() for line in lines]
        found.extend("\n".join(lines[words.index(line) + 1 :]) for line in cut("\n".join(lines))[-1:] if line in words)
    return found
