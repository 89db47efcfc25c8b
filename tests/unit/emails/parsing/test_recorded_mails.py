"""What mails say, whole: a match of each game and answers to commands are kept as text, to show every change."""

from __future__ import annotations

import pytest

from emails.content.safe_wrapping import LINE_WIDTH
from pbem.boards.prose import COLUMNS
from pbem.games import GAMES
from pbem.i18n import LANGUAGES, use_locale
from tests.support.emails.parsing.recorded_mails import ANSWERED, FOLDER, Recorded, recorded

MAILS = {mail.path: mail for mail in recorded()}
KINDS = {"turn", "receipt", "rejected", "final", "invitation", "looking", "lesson"}
ANSWERS = {(ANSWERED, kind) for kind in ("noted", "not", "notes", "seat")}
ANSWERS |= {("", kind) for kind in ("lesson", "lessons", "seat")}
UNWRAPPED = ("Subject:", "http", "mailto:", "“sow")
"""What a line may be longer for: it must not be broken."""
ORDER = (
    "It is your turn",
    "Suggested moves:",
    "Choose your move on its page:",
    "Reply with your move on a line",
    "Fairness check:",
)
"""What a mail that asks for a move says one after the other."""


@pytest.mark.parametrize("mail", MAILS.values(), ids=lambda mail: f"{mail.game}-{mail.name}")
def test_mails_read_as_they_are_kept(mail: Recorded) -> None:
    assert mail.path.read_text(encoding="utf-8") == mail.text, (
        "python -m tests.support.emails.parsing.recorded_mails writes them anew"
    )


def test_every_kind_of_mail_of_every_game_of_ours_is_kept() -> None:
    assert set(FOLDER.glob("*/*.txt")) == set(MAILS)
    games = {key for key, game in GAMES.items() if type(game).__module__.startswith("pbem.games.")}
    kept = {(mail.game, mail.name.partition("-")[0]) for mail in MAILS.values()}
    # Whoever plays alone is always to move again, and gets no receipt that is not the next turn.
    assert kept == {(game, kind) for game in games for kind in KINDS} - {("minimax", "receipt")} | ANSWERS


@pytest.mark.parametrize("language", LANGUAGES)
def test_lines_fit_a_narrow_window_in_every_language(language: str) -> None:
    with use_locale(language):
        mails = [*recorded()]
    assert len(mails) == len(MAILS)
    for mail in mails:
        lines = [line for line in mail.text.splitlines() if not any(said in line for said in UNWRAPPED)]
        assert max(map(len, lines)) <= LINE_WIDTH
        if mail.game:
            board = mail.text.partition(f"{GAMES[mail.game].name}\n")[2].partition("\n\n")[0]
            assert all(len(line) <= COLUMNS for line in board.splitlines())


@pytest.mark.parametrize(
    "mail", [mail for mail in MAILS.values() if mail.name.startswith("turn-") and "again" not in mail.name],
    ids=lambda mail: f"{mail.game}-{mail.name}",
)  # fmt: skip
def test_what_to_do_stands_first_and_help_last(mail: Recorded) -> None:
    places = [mail.text.index(words) for words in ORDER]
    assert places == sorted(places)
