"""Parser of yes and no in plain words, such as “no thanks, too busy”: only short, clear answers count."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.play.inbox import commands

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_CHARS = 160
"""Maximum characters of a line that is taken for an answer."""
MAX_WORDS = 16
"""Maximum words of such a line."""

_GREETING = (
    r"(?:hi|hello|hey|dear|good (?:morning|evening)|hallo|liebe|lieber(?! nicht)|moin|servus"
    r"|guten (?:tag|morgen|abend))"
    r"(?: (?!no\b|nein\b|nicht\b|yes\b|ja\b|ok\b)\w+){0,2}"
)
_POLITE_START = (
    r"(?:(?:(?:i'm |i am |so )?sorry|unfortunately|many thanks|thanks(?: a lot)?|thank you(?: very much)?|oh|well|but"
    r"|for (?:the invitation|inviting me|asking|the offer)|leider|vielen dank|danke|dankeschön|tut mir (?:sehr )?leid"
    r"|für die (?:einladung|anfrage)|schade|ach|aber)\b[,.!:;\- ]*)*"
)
_END = r"(?= ?[,.!:;]| -| ?$)"
_NO_TIME = r"(?:no time|keine zeit|keine lust|kein interesse|(?:too|very|so) busy|not interested)\b"
_NOT_NOW = (
    r"(?:not|nicht) (?:this time|right now|now|today|for me|diesmal|dieses mal|jetzt|heute)\b"
    r"|(?:diesmal|dieses mal|jetzt|heute|lieber|eher|leider|momentan) (?:leider |eher |lieber )?nicht\b"
    r"|(?:maybe |perhaps |vielleicht )?(?:another time|some other time|next time|ein andermal|ein anderes mal)"
    r"(?: maybe| perhaps| vielleicht)?" + _END
)
_I_DECLINE = (
    r"(?:i'd |i would )?rather not\b|(?:i )?(?:have to |must )?decline\b|i'll pass\b"
    r"|ich (?:lehne ab|muss ablehnen|passe)\b"
    r"|i (?:can't|cannot|can not)" + _END + r"|i (?:can't|cannot|can not) (?:this time|right now|now|today|make it)\b"
    r"|ich (?:kann|möchte|mag|will) (?:leider |lieber |diesmal |gerade |jetzt )*nicht" + _END
)
_NO = re.compile(
    r"(?:(?:no|nope|nah|nein|nee|nö)"
    rf"(?:{_END}| (?:thanks|thank you|thx|sorry|danke|vielen dank|leider|not|nicht|lieber|diesmal)\b)"
    rf"|(?:i'm |i am |i have |i've |ich (?:habe|hab) (?:leider |gerade )*)?{_NO_TIME}|{_NOT_NOW}|{_I_DECLINE})"
    r"(?P<rest>.*)"
)
_YES = re.compile(
    r"(?:yes|yeah|yep|sure|ok|okay|of course|gladly|with pleasure|agreed|(?:i )?(?:accept|agree)|i'm in|count me in"
    r"|let's play|sounds good|ja|klar|gern|gerne|natürlich|einverstanden|in ordnung|ich nehme an|ich bin dabei)\b"
    r"(?P<rest>.*)"
)
_LEAD = re.compile(rf"(?:{_GREETING}[,.!: ]+)?{_POLITE_START}")
_ONLY_GREETING = re.compile(rf"{_GREETING}[,.!: ]*")
_WORD = re.compile(r"[\w']+")
_HARMLESS = re.compile(r"\b(?:why not|no problem|warum nicht|kein problem)\b")
_DOUBT = re.compile(
    r"[?]|\b(?:but|if|unless|wait|however|first|later|think|aber|wenn|falls|warte|moment|erst|später|überlege)\b"
)
_NOT = re.compile(r"\b(?:no|not|nor|never|don't|can't|cannot|nein|nicht|kein|keine)\b")
_POSITIVE = re.compile(r"[?]|\b(?:yes|yeah|ja|accept|love to|happy to|glad to|nehme an|bin dabei)\b")
_POLITE_WORDS = {
    "yes", "please", "thanks", "thank", "you", "of", "course", "sure", "ok", "okay", "gladly", "with", "pleasure",
    "agreed", "i", "agree", "accept", "to", "it", "that", "the", "is", "fine", "by", "me", "good", "great", "all",
    "right", "no", "problem", "why", "not", "draw", "pause", "takeback",
    "ja", "bitte", "danke", "dir", "gern", "gerne", "klar", "natürlich", "einverstanden", "in", "ordnung", "von", "mir",
    "aus", "gut", "kein", "warum", "nicht", "das", "ist", "remis",
}  # fmt: skip
"""Words that add nothing to a yes: one with others may mean something else."""


@dataclass(frozen=True, slots=True)
class PlainAnswer:
    """A yes or no in plain words: `rest` is what a yes says besides, `below` are the lines below it."""

    agrees: bool
    rest: str
    below: tuple[str, ...]


def parse(lines: Sequence[str]) -> PlainAnswer | None:
    """Parse the first typed line, below a greeting, as an answer; return None if it is not clearly one."""
    at = next((at for at, line in enumerate(lines) if line.strip() and not _is_greeting(line)), len(lines))
    text, below = _normalise("".join(lines[at : at + 1])), tuple(lines[at + 1 :])
    if len(text) > MAX_CHARS or len(_WORD.findall(text)) > MAX_WORDS:
        return None
    start = _LEAD.match(text)
    said = text[start.end() :] if start else text
    others = {parsed.command.name for line in below if (parsed := commands.parse([line]))}
    if (refusal := _NO.fullmatch(said)) and not _POSITIVE.search(refusal["rest"]) and not others & {"yes", "accept"}:
        return PlainAnswer(agrees=False, rest="", below=below)
    if (consent := _YES.fullmatch(said)) and not others & {"no", "decline"}:
        rest = consent["rest"].strip(" ,.!:;-")
        plain = _HARMLESS.sub(" ", rest)
        if not _DOUBT.search(plain) and not _NOT.search(plain):
            polite = _POLITE_WORDS.issuperset(_WORD.findall(rest))
            return PlainAnswer(agrees=True, rest="" if polite else rest, below=below)
    return None


def _is_greeting(line: str) -> bool:
    return len(line) <= MAX_CHARS and _ONLY_GREETING.fullmatch(_normalise(line)) is not None


def _normalise(line: str) -> str:
    return commands.fold(line[: 4 * MAX_CHARS]).replace("’", "'")
