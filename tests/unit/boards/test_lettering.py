import re
import textwrap
from random import Random

import pytest

from pbem.boards import DARK_CSS
from pbem.boards.glyphs import GLYPHS
from pbem.boards.palette import DARK_RULES, TONES, tone
from pbem.boards.prose import clean_name, format_list, series, wrap_sentences
from pbem.boards.stroke_font import fitting_size, label, strokes, text_width
from pbem.i18n import several


def test_a_text_is_as_wide_as_its_letters_and_the_gaps_between() -> None:
    assert text_width("", 10) == 0
    assert text_width("H", 10) == GLYPHS["H"][0]
    assert text_width("HH", 20) == 2 * (2 * GLYPHS["H"][0] + 3)


def test_a_text_is_fitted_by_size_and_never_enlarged() -> None:
    assert fitting_size("Ann", 20, 500) == 20
    assert text_width("Wolfeschlegel", fitting_size("Wolfeschlegel", 20, 100)) == pytest.approx(100)


def test_a_label_is_placed_by_its_anchor() -> None:
    at = [
        re.search(r"translate\(([\d.-]+) ", label("HH", 100, 0, 10, anchor=anchor))
        for anchor in ("start", "middle", "end")
    ]
    assert [float(found[1]) for found in at if found] == [100, 90.5, 81]


@pytest.mark.parametrize(
    "text", ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyzß", "0123456789", ".,:;!?'\"-/()<>"]
)
def test_the_alphabet_is_drawn_without_boxes(text: str) -> None:
    box = GLYPHS["\N{REPLACEMENT CHARACTER}"][1][0][2]
    assert box not in strokes(text)


@pytest.mark.parametrize("letter", "ÄÖÜäöüéèêñçåőčřžşęậ")
def test_an_accent_adds_strokes_to_its_letter(letter: str) -> None:
    box = GLYPHS["\N{REPLACEMENT CHARACTER}"][1][0][2]
    assert box not in strokes(letter)
    assert strokes(letter).count("M") > 1


def test_an_accent_takes_the_place_of_the_dot() -> None:
    assert strokes("í").count("M") == strokes("i").count("M")


def test_ligatures_and_crossed_letters_are_spelled_otherwise() -> None:
    assert strokes("Æøœ") == strokes("AEooe")


def test_a_picture_in_a_name_is_left_out_unless_the_name_is_nothing_else() -> None:
    family = "\N{MAN}\N{EMOJI MODIFIER FITZPATRICK TYPE-3}\N{ZERO WIDTH JOINER}\N{WOMAN}"
    assert strokes(f"Ann {family}") == strokes("Ann")
    assert strokes("\N{BLACK CHESS PAWN}") == strokes("\N{REPLACEMENT CHARACTER}")


def test_unknown_characters_are_boxes_and_a_stray_accent_is_nothing() -> None:
    assert strokes("漢") == strokes("\N{REPLACEMENT CHARACTER}")
    assert not strokes("\N{COMBINING ACUTE ACCENT}")


def test_dark_colours_stand_under_the_classes_of_the_light_ones() -> None:
    assert DARK_CSS.startswith("@media (prefers-color-scheme: dark) {")
    for name, (what, light, dark) in TONES.items():
        assert tone(name) == f'class="{name}" {what}="{light}"'
        assert f".{name} {{ {what}: {dark} }}" in DARK_RULES.splitlines()


def test_names_are_cut_and_cleaned() -> None:
    assert clean_name("  Ann\n\tB.\u202e ") == "Ann B."
    assert clean_name("Wolfeschlegelsteinhausen") == "Wolfeschlegelsteinh…"
    assert clean_name("\u200b") == "Nobody"


def test_parts_of_sentences_are_joined() -> None:
    assert [series(parts) for parts in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]
    assert [several("one point", "{number} points", count) for count in (0, 1, 12, 13)] == [
        "no points",
        "one point",
        "twelve points",
        "13 points",
    ]


def test_long_lists_and_sentences_go_on_below() -> None:
    assert format_list("Card: ", ["aaaa", "bbbb", "cccc"], 14) == ["Card: aaaa,", " also bbbb,", " also cccc"]
    assert wrap_sentences(["one two", "three"], 4) == "one\ntwo\nthre\ne"


@pytest.mark.parametrize("seed", range(40))
def test_sentences_are_wrapped_as_the_standard_library_wraps_them(seed: int) -> None:
    chosen = Random(seed)
    for _ in range(50):
        words = ["".join(chosen.choices("abé-–.\N{EM SPACE}", k=chosen.randrange(1, 9))) for _ in range(12)]
        between = chosen.choices([" ", "  ", "\t", "\n"], [30, 1, 1, 1], k=12)
        sentence = "".join(map("".join, zip(words, between, strict=True))).removesuffix(chosen.choice([" ", ""]))
        width = chosen.randrange(8, 40)
        assert wrap_sentences([sentence], width).split("\n") == textwrap.wrap(sentence, width, break_on_hyphens=False)
