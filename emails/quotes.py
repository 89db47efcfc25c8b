"""What of a mail was newly typed: everything else is quoted text, a signature or a program's words.

Line by line, each pattern bounded and each line looked at a fixed number of times. Nothing is cut on a
word alone: an introduction of quoted text must name a time or an address besides, and a block of headers
two labels with an address or a date, so that `From: e2` and `On d4` stay moves.
"""

# ruff: noqa: RUF001 (words of many languages)
from __future__ import annotations

import re

_MARK = re.compile(
    r"reply\s{1,9}above\s{1,9}this\s{1,9}line|oberhalb\s{1,9}dieser\s{1,9}zeile|-{2,3} .{9,80} #[0-9a-z]{6} -{2,3}",
    re.IGNORECASE,
)
_VERBS = (
    r"wrote|writes|schrieb|geschrieben|schreef|geschreven|écrit|ecrit|escribi[óo]|escrib[íi]a|escreveu|scritto|"
    r"scrive|"
    r"skrev|skrifaði|kirjoitti|kirjutas|napisał(?:\(a\)|a)?|napisal[ao]?|napsal[ao]?|napísal[ao]?|je napisal[ao]|"
    r"написал[аи]?|написал\(а\)|написав|написала|пишет|писал[аи]?|написа|írta|yazdı|yazmış|a scris|έγραψε|rakstīja|"
    r"rašė|đã viết|menulis|เขียน|כתב[ה]?|مأخوذ|كتب|نوشت|लिखा|写道|寫道|书写|のメール|のメッセージ|書きました|"
    r"님이 작성|작성"
)
_OPENERS = r"On|Am|Le|El|Em|Il giorno|In data|Il|Op|Den|Dne|Dňa|Dnia|W dniu|På|Pe|Pada|Vào|Στις"
_AT = re.compile(r"[\w.+-]@[\w\[]")
_AT_END = re.compile(r"[\w.+-]@[^\s<>@]{1,100}[>)\]]{0,3}\s?[:：]\*?$")
_VERB = re.compile(rf"(?<!\w)(?:{_VERBS})(?!\w)|写道|寫道|のメッセージ", re.IGNORECASE)
_VERB_AT_END = re.compile(rf"(?:{_VERBS})(?: het volgende| le contenu suivant)?[\s:：*_<>)-]{{0,80}}$", re.IGNORECASE)
_AT_AND_VERB = re.compile(rf"@[^\s<>@]{{1,100}}[>)]\s{{0,3}}(?:\w{{1,10}}\s)?(?:{_VERBS})(?!\w)", re.IGNORECASE)
_QUOTING = re.compile(r"(?:Quoting|Zitat von|Citando|Citation de|Citazione di) ")
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\d)\d{1,2}[./-]\s?\d{1,2}[./-]\s?\d{2,4}(?!\d)")
_TIME = re.compile(r"(?<!\d)\d{1,2}[:.h]\d\d(?!\d)")
_OPENER = re.compile(
    rf"(?<!\S)(?:{_OPENERS})\s{{1,3}}(?:[^\W\d_]{{2,12}}[.,]{{0,2}}\s{{1,3}}){{0,2}}\d{{1,4}}",
)
_WORDED_OPENER = re.compile(
    rf"(?<!\S)(?:{_OPENERS})\s{{1,3}}(?:[^\W\d_]{{2,12}}[.,]{{0,2}}\s{{1,3}}){{1,2}}\d{{1,4}}",
)
_DECORATION = " \t\xa0-–—_*>"
_COLONS = (":", "：", ":*", "：*")
_LONGEST = 400
_SPAN = 4
"""An introduction is broken into so many lines at the most."""

_NOUN = re.compile(
    r"messag|messagg|nachricht|mensaje|mensagem|bericht|meddel|melding|viesti|wiadomo|сообщени|повідомлен|съобщени|"
    r"zpráv|správ|üzenet|mesaj|ileti|μήνυμα|メッセージ|邮件|郵件|메시지|원본|original|weitergeleitet|forward",
    re.IGNORECASE,
)
_SEPARATOR_WORDS = 80
_SEPARATOR_LEFT = 5
_FORWARDED = re.compile(
    r"(?:Begin forwarded message|Anfang der weitergeleiteten (?:Nachricht|E-Mail)|Début du message (?:réexpédié|"
    r"transféré)|"
    r"Inicio del mensaje reenviado|Início da mensagem (?:re)?encaminhada|Inizio messaggio inoltrato|"
    r"Begin doorgestuurd bericht|Start på vidarebefordrat .{0,20}|Początek przekazywanej wiadomości)\s?:$",
    re.IGNORECASE,
)
_RULE = re.compile(r"\s{0,9}[_-]{10,998}\s{0,9}$")
_LABEL = re.compile(r"[\s*>_]{0,9}([^\W\d_][\w .'’/()-]{0,24}?)[\s*_]{0,3}[:：](?!//)")
_FROM = re.compile(
    r"(?:from|von|de|da|van|från|fra|lähettäjä|od|от|від|kimden|gönderen|feladó|de la|από|差出人|送信者|"
    r"发件人|寄件者|寄件人|보낸\s?사람|từ|dari|จาก|מאת|من)$",
    re.IGNORECASE,
)
_BLOCK = 8

_PHONE = re.compile(
    r"(?:sent|posted) (?:from|via|using|with) (?:my |iphone|ipad|android|windows|the |yahoo|outlook|mail|gmail|"
    r"proton|samsung|typeapp|blue|nine|spark|"
    r"mobile|an? |[\w-]{1,20} (?:for|on) )|sent via |get outlook for|gesendet (?:von|mit|über|aus)|"
    r"von meinem .{1,40} gesendet|"
    r"diese nachricht wurde von meinem|envoyé (?:de|depuis|à partir|avec)|enviado (?:desde|do|de|a partir|via|"
    r"con|com|pelo)|"
    r"obtener outlook|obter o outlook|télécharger outlook|inviato (?:da|con)|ottieni outlook|(?:verstuurd|"
    r"verzonden) (?:vanaf|van|met|via)|"
    r"skickat från|sendt fra|lähetetty |wysłan[eoy] (?:z|za)|отправлено (?:с|из)|надіслано (?:з|із)|odesláno |"
    r"poslan[eo] (?:z|iz)|"
    r"gönderildi|iphone.{0,3}umdan|trimis de pe|στάλθηκε από|.{1,30}から送信|发自我|發自我|从我的.{1,20}发送|"
    r"傳送自|나의 .{1,20}에서 보냄",
    re.IGNORECASE,
)
_PHONE_LENGTH = 90
_BANNER = re.compile(
    r"\W{0,9}(?:(?:caution|warning|notice|attention|achtung|vorsicht|atenci[óo]n|aten[çc][ãa]o|attenzione|"
    r"let op|varning|uwaga|"
    r"external|extern\w*|\[ext\w*\])\b.{0,200}(?:e-?mail|mail|message|nachricht|sender|absender|courriel|correo|"
    r"extern)"
    r"|\[ext(?:ern\w*)?\]\W*$|(?:this|diese|cet|este) (?:e-?mail|mail|message|nachricht|courriel|correo) .{0,80}"
    r"(?:outside|außerhalb|extern|extérieur|fuera)|you don['’]t often get e?-?mail from|"
    r"sie erhalten nicht (?:oft|häufig) e-mails? von)",
    re.IGNORECASE,
)
_WRAPPED = 40
_REMAINDER = 60
_QUOTE_SIGNS = (">", "＞", "&gt;")


def typed(lines: list[str]) -> tuple[str, ...]:
    """Give the newly typed lines in order, "" between paragraphs; nothing where all of it is quoted."""
    return _paragraphs(_Cut(_unsigned(_above_marker([line.strip() for line in lines]))).kept())


class _Cut:
    """Walks over the lines once and keeps what was typed."""

    __slots__ = ("_began", "_introductions", "_kept", "_lines", "_quoted", "_strict")

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._introductions = _introductions(lines)
        self._kept: list[str] = []
        self._began = False
        """Whether there was anything of the sender's above, if only a phone's signature."""
        self._quoted = False
        """Whether the line before was quoted, with no blank line since."""
        self._strict = False
        """Whether a quotation follows typed text: then only what is set off from it by a blank line counts."""

    def kept(self) -> list[str]:
        at: int | None = 0
        while at is not None and at < len(self._lines):
            at = self._step(at)
        return self._kept

    def _step(self, at: int) -> int | None:  # noqa: PLR0911 (one for each thing that a line can be)
        """Judge the line; give the next one to judge, or None where all the rest is quoted."""
        line = self._lines[at]
        if at in self._introductions:
            return self._introduced(at)
        if line.startswith(_QUOTE_SIGNS):
            self._quoted, self._strict = True, self._strict or self._began
            return at + 1
        if _separates(line) or (_RULE.match(line) and _header_block(self._lines, at + 1)):
            return None
        if end := _header_block(self._lines, at):
            return None if self._began else end
        if line == "--":
            return None if self._kept else self._next_quotation(at)
        if _PHONE.match(line) and len(line) <= _PHONE_LENGTH:
            self._began = True
            return None if self._kept else at + 1
        if not self._began and _BANNER.match(line):
            return _end_of_banner(self._lines, at)
        self._keep(at)
        return at + 1

    def _introduced(self, at: int) -> int | None:
        before, after = self._introductions[at]
        if before:
            self._keep_line(before)
        following = next((line for line in self._lines[after : after + _SPAN] if line), "")
        self._quoted, self._strict = False, self._began
        return after if not self._began or following.startswith(_QUOTE_SIGNS) else None

    def _next_quotation(self, at: int) -> int | None:
        later = range(at + 1, len(self._lines))
        return next((i for i in later if i in self._introductions or self._lines[i].startswith(_QUOTE_SIGNS)), None)

    def _keep(self, at: int) -> None:
        line = self._lines[at]
        if not line:
            self._quoted = False
        elif self._quoted and (self._strict or _is_remainder(self._lines, at)):
            return
        self._keep_line(line)

    def _keep_line(self, line: str) -> None:
        self._began = self._began or bool(line)
        if line or self._kept:
            self._kept.append(line)


def _above_marker(lines: list[str]) -> list[str]:
    for at in range(len(lines)):
        window = [line.lstrip("> \t|*") for line in lines[at : at + 3]]
        found = _MARK.search(" ".join(window))
        if found and found.start() < len(window[0]):
            before = "" if lines[at].startswith(_QUOTE_SIGNS) else window[0][: found.start()]
            return [*lines[:at], before.rstrip(_DECORATION)]
    return lines


def _unsigned(lines: list[str]) -> list[str]:
    """Take a text out of its OpenPGP signature (RFC 9580 section 7), which puts `- ` before leading dashes."""
    if not any(lines) or next(filter(None, lines)) != "-----BEGIN PGP SIGNED MESSAGE-----":
        return lines
    body = lines[_next_blank(lines, lines.index("-----BEGIN PGP SIGNED MESSAGE-----")) :]
    return [line[2:] if line.startswith("- -") else line for line in body]


def _separates(line: str) -> bool:
    """Tell a line like `-----Original Message-----`, in any language, from a typed one."""
    left = len(line) - len(line.lstrip("-_=*"))
    words = line.strip("-_=*: ")
    right = len(line.rstrip(": ")) - len(line.rstrip(": ").rstrip("-_=*"))
    ruled = min(left, right) > 1 and len(words) <= _SEPARATOR_WORDS
    certain = left >= _SEPARATOR_LEFT and right > 2 and any(map(str.isalpha, words))  # noqa: PLR2004
    return (ruled and (certain or _NOUN.search(words) is not None)) or _FORWARDED.match(line) is not None


def _introductions(lines: list[str]) -> dict[int, tuple[str, int]]:
    """Find the lines that introduce quoted text: where each begins, what was typed before it there, where it ends."""
    found: dict[int, tuple[str, int]] = {}
    free = 0
    for last, line in enumerate(lines):
        if not line or line.startswith(_QUOTE_SIGNS):
            free = last + 1
            continue
        first = last
        while first >= max(free, last - _SPAN + 1) and not _introduces(" ".join(lines[first : last + 1])):
            first -= 1
        if first < max(free, last - _SPAN + 1):
            continue
        first = _opening(lines, max(free, last - _SPAN + 1), first, last)
        found[first] = (_shared(lines[first], " ".join(lines[first : last + 1])), last + 1)
        free = last + 1
    return found


def _introduces(text: str) -> bool:  # noqa: PLR0911 (one for each form of introduction)
    if len(text) > _LONGEST:
        return False
    bare = text.strip(_DECORATION)
    address, date = bool(_AT.search(bare)), bool(_DATE.search(bare))
    moment, opened = date or bool(_TIME.search(bare)), bool(_OPENER.match(bare) or _DATE.match(bare))
    if not (address or moment):
        return False
    colon = bare.endswith(_COLONS)
    if _VERB_AT_END.search(bare):
        return (colon and (address or date)) or (moment and bool(_OPENER.search(bare)))
    if _VERB.search(bare):
        known = opened or bool(_AT_END.search(bare) or (moment and _AT_AND_VERB.search(bare)))
        return (colon and known) or (address and moment and opened)
    if colon:
        if _QUOTING.match(bare) and address:
            return True
        return moment and bool(_AT_END.search(bare) or (opened and date and _TIME.search(bare)))
    return address and bool(_DATE.match(bare)) and text.endswith(">")


def _opening(lines: list[str], floor: int, first: int, last: int) -> int:
    """Find an introduction's first line, where its end alone was enough to know it by."""
    text = " ".join(lines[first : last + 1])
    if _OPENER.search(text):
        return first
    dated = _DATE.search(text) is not None
    for before in range(first - 1, floor - 1, -1):
        if _WORDED_OPENER.search(lines[before]):
            return before
        if not dated and _DATE.search(lines[before]):
            first, dated = before, True
    return first


def _shared(line: str, text: str) -> str:
    """Give what was typed in the line in front of the introduction that begins in it."""
    date = _DATE.search(text) or _TIME.search(text)
    openers = [found.start() for found in _OPENER.finditer(line) if date is None or found.start() <= date.start()]
    before = line[: openers[-1]].rstrip() if openers else ""
    quoting = not before.strip(_DECORATION) or before.endswith("(") or _AT.search(before) or _VERB.search(before)
    return "" if quoting else before


def _header_block(lines: list[str], at: int) -> int:
    """Give the line after a block of a quoted mail's headers, or 0 where none begins."""
    block = [(i, line) for i, line in enumerate(lines[at : at + 2 * _BLOCK], at) if line][:_BLOCK]
    first = _LABEL.match(block[0][1]) if block else None
    named = first is not None and _FROM.match(first[1]) and not any(map(str.isdigit, block[0][1]))
    if first is None or not (named or _AT.search(block[0][1]) or _DATE.search(block[0][1])):
        return 0
    labels: list[str] = []
    end, gap = at, 0
    for i, line in block:
        label = _LABEL.match(line)
        gap = 0 if label else gap + 1
        if gap > 1:
            break
        if label:
            labels.append(label[1].lower())
            end = i + 1
    text = " ".join(lines[at:end])
    known = bool(_AT.search(text)) + bool(_DATE.search(text)) + bool(_TIME.search(text))
    two = len(labels) > 1 and known > (len(labels) == 2)  # noqa: PLR2004 (two labels need two proofs)
    return end if two and labels.count(labels[0]) == 1 else 0


def _next_blank(lines: list[str], at: int) -> int:
    return next((i for i in range(at, len(lines)) if not lines[i]), len(lines))


def _end_of_banner(lines: list[str], at: int) -> int:
    """Give the line after a gateway's warning: it runs on while lines are long and end no sentence."""
    while at + 1 < len(lines) and len(lines[at]) >= _WRAPPED and not lines[at].endswith((".", "!", "]", "*", "?")):
        at += 1
    return at + 1


def _is_remainder(lines: list[str], at: int) -> bool:
    """Tell a quoted line's end, which some mailer wrapped and left without its sign."""
    between = lines[at - 1].startswith(_QUOTE_SIGNS) and at + 1 < len(lines) and lines[at + 1].startswith(_QUOTE_SIGNS)
    return between and len(lines[at - 1]) >= _REMAINDER


def _paragraphs(lines: list[str]) -> tuple[str, ...]:
    kept = [line for line, before in zip(lines, ["", *lines], strict=False) if line or before]
    return tuple(kept[:-1] if kept and not kept[-1] else kept)
