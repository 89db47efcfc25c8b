"""Yes and no in plain words: short and clear ones count, everything else is left alone."""

from __future__ import annotations

import pytest

from pbem.play.inbox import plain_answers


@pytest.mark.parametrize(
    "line",
    [
        "no thanks, too busy",
        "Nein danke",
        "Sorry, not this time",
        "No.",
        "No – too busy!",
        "No thanks 😊",
        "Thanks, but no.",
        "Thanks for the invitation, but not this time.",
        "Hi Ann, no thanks",
        "Maybe another time!",
        "I'd rather not",
        "Sorry, I can’t",
        "I am too busy",
        "Hallo Anna, leider nein.",
        "Danke, aber nein danke!",
        "Ich habe leider keine Zeit",
        "Vielen Dank für die Einladung, aber ich habe keine Zeit",
        "Diesmal leider nicht.",
        "Lieber nicht",
        "Vielleicht ein andermal",
        "Ich möchte nicht.",
    ],
)
def test_a_refusal_in_plain_words_is_a_no(line: str) -> None:
    assert plain_answers.parse([line]) == plain_answers.PlainAnswer(agrees=False, rest="", below=())


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("Yes please!", ""),
        ("Yes please! Looking forward to it.", "please! looking forward to it"),
        ("Hi Ann, yes", ""),
        ("Sure, why not", ""),
        ("Ja gerne", ""),
        ("Klar!", ""),
        ("I accept", ""),
        ("Yes, I hold the ace", "i hold the ace"),
    ],
)
def test_a_consent_in_plain_words_is_a_yes_and_what_else_it_says_is_known(line: str, rest: str) -> None:
    assert plain_answers.parse([line]) == plain_answers.PlainAnswer(agrees=True, rest=rest, below=())


@pytest.mark.parametrize(
    "line",
    [
        "no idea what to do",
        "no problem, happy to play",
        "no worries",
        "no rush",
        "no-one can play that",
        "No, wait, yes",
        "no?",
        "No thanks. What are the rules?",
        "I can't see the board",
        "not sure",
        "not bad",
        "Sorry for the delay!",
        "sorry, I was away",
        "next time I will win",
        "Thanks!",
        "Hi Ann",
        "let me think",
        "yes, but not now",
        "ok, but when?",
        "OK, I will read the rules first",
        "okay if you wait",
        "no " + "really " * 20,
        "no, " + "n" * 200,
        "",
    ],
)
def test_what_is_not_clearly_an_answer_is_none(line: str) -> None:
    assert plain_answers.parse([line]) is None


def test_a_greeting_may_stand_above_an_answer() -> None:
    assert plain_answers.parse(["Hi Ann,", "", "no thanks, too busy", "", "Bob"]) == plain_answers.PlainAnswer(
        agrees=False, rest="", below=("", "Bob")
    )


@pytest.mark.parametrize("lines", [["no", "accept"], ["yes please", "", "decline"], ["no thanks", "yes"]])
def test_an_answer_that_the_lines_below_contradict_is_none(lines: list[str]) -> None:
    assert plain_answers.parse(lines) is None
