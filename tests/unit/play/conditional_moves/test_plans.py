"""Plans as they are typed, understood, shown, stored and followed; without a table."""

from __future__ import annotations

import pytest

from pbem.games import GAMES, Chance, IllegalMove, InvalidMove, Move, NeverMet, Seat, foresight
from pbem.i18n import use_locale
from pbem.play.conditional_moves import matching, parser, plans
from pbem.play.conditional_moves.matching import Turn
from pbem.play.conditional_moves.parser import Grammar
from pbem.play.conditional_moves.plans import Line, Plan, PlanError

CONDITIONS = {"take 3": True, "take 4": False, "JS": False, "seat 2: take 3": True, "gone": None}
ORDERS = ("follow low", "duck")


def meets(condition: str) -> bool:
    if condition.casefold() not in {known.casefold() for known in CONDITIONS}:
        raise InvalidMove("“{condition}” is no condition.", condition=condition)
    met = next(met for known, met in CONDITIONS.items() if known.casefold() == condition.casefold())
    if met is None:
        raise NeverMet("That is over.")
    return met


def form(text: str) -> str:
    if not text.startswith(("take", "swap", "QS", "KS")):
        raise InvalidMove("“{move}” has the form of no move.", move=text)
    return text


TONGUE = Grammar(meets, form, ORDERS)


def read(*lines: str) -> Plan:
    return parser.parse(lines, TONGUE)


def turn(*, playable: str = "take swap QS", concerned: bool = True, answered: bool = True, order: str = "") -> Turn:
    def reads(text: str) -> Move:
        if text.split(maxsplit=1)[0] not in playable.split():
            raise IllegalMove("It is gone.")
        return Move(text)

    return Turn(meets, reads, lambda _order: Move(order) if order else None, concerned=concerned, answered=answered)


class TestTyped:
    @pytest.mark.parametrize(
        "line",
        [
            "if take 3: take 7",
            "If take 3:take 7",
            "  - if take 3: take 7",
            "wenn take 3: take 7",
            "falls take 3 : take 7",
            "when take 3: take 7",
            "if take 3, take 7",
            "if take 3 then take 7",
            "if take 3, then take 7",
            "if take 3 take 7",
            "if take 3：take 7",  # noqa: RUF001 (as some keyboards write it)
        ],
    )
    def test_a_line_is_a_condition_and_a_move(self, line: str) -> None:
        assert read(line) == Plan((Line("take 3", "take 7"),))

    def test_a_condition_may_have_a_colon_of_its_own(self) -> None:
        assert read("if seat 2: take 3: take 7") == Plan((Line("seat 2: take 3", "take 7"),))

    @pytest.mark.parametrize(
        "line", ["when I can: swap", "When I can swap", "sobald ich kann: swap", "wenn ich kann, swap"]
    )
    def test_a_move_may_wait_until_it_can_be_played(self, line: str) -> None:
        assert read(line, line) == Plan(queued=("swap",))

    @pytest.mark.parametrize("line", ["always follow low", "Always: Follow Low.", "immer follow low"])
    def test_an_order_may_stand(self, line: str) -> None:
        assert read(line, line) == Plan(policies=("follow low",))

    @pytest.mark.parametrize(
        "lines",
        [
            ("if take 3: take 7", "  if take 4: take 1", "  if JS: QS", "if take 4: swap"),
            ("- if take 3: take 7", "-- if take 4: take 1", "-- if JS: QS", "- if take 4: swap"),
            ("if take 3: take 7; then if take 4: take 1", "if take 3: take 7; then if JS: QS", "if take 4: swap"),
            ("if take 3: take 7, then if take 4: take 1", "if take 3: take 7 then if JS: QS", "if take 4: swap"),
            ("wenn take 3: take 7; dann wenn take 4: take 1", "wenn take 3: take 7; wenn JS: QS", "wenn take 4: swap"),
            ("if take 3: take 7", "\tthen if take 4: take 1", "\tand then if JS: QS", "", "if take 4: swap"),
        ],
    )
    def test_lines_of_play_are_a_tree(self, lines: tuple[str, ...]) -> None:
        below = Line("take 4", "take 1"), Line("JS", "QS")
        assert read(*lines) == Plan((Line("take 3", "take 7", below), Line("take 4", "swap")))

    def test_the_later_line_for_a_condition_counts(self) -> None:
        assert read("if take 3: take 7", "  if JS: QS", "if TAKE 3: take 8") == Plan((Line("TAKE 3", "take 8"),))

    @pytest.mark.parametrize(
        ("lines", "said"),
        [
            (["if JX: QS"], "You wrote “if JX: QS”. “JX” is no condition."),
            (["if take 3: dance"], "You wrote “if take 3: dance”. “dance” has the form of no move."),
            (["if gone: QS"], "You wrote “if gone: QS”. That is over."),
            (["if take 3:"], "A move is missing after it."),
            (["if : QS"], "Write such a line as"),
            (["if whatever"], "Write such a line as"),
            (["when I can:"], "A move is missing after it."),
            (["when I can: dance"], "“dance” has the form of no move."),
            (["always smile"], "There is no such standing order. There are: follow low, duck."),
            (["hello"], "A line of a plan begins with “if”, “when I can” or “always”."),
            (["if take 3: dance; then if JS: QS"], "“dance” has the form of no move."),
            (["if take 3: take 7", "  when I can: swap"], "Only a line that begins with “if” can stand below"),
            (["if take 3: take 7", "  always duck"], "Only a line that begins with “if” can stand below"),
            (["if take 3: take " + 200 * "7"], "A line of a plan has at most 200 characters."),
            ([f"when I can: take {at}" for at in range(51)], "A plan has at most 50 lines; this one would have 51."),
        ],
    )
    def test_what_is_not_understood_is_said(self, lines: list[str], said: str) -> None:
        with pytest.raises(PlanError) as refused:
            read(*lines)
        assert said in str(refused.value)

    def test_a_long_line_is_quoted_in_part(self) -> None:
        with pytest.raises(PlanError) as refused:
            read("if " + 100 * "x" + ": QS")
        assert "x…”" in str(refused.value)


class TestParted:
    def test_a_plan_is_parted_from_words_and_moves(self) -> None:
        lines = [
            "23",
            "if take 3: take 7",
            "always duck",
            "",
            "Always a pleasure.",
            "If only I knew!",
            "when I can: QS",
        ]
        planned, others = parser.partition(lines, TONGUE)
        assert planned == ["if take 3: take 7", "always duck", "when I can: QS"]
        assert others == ["23", "", "", "", "Always a pleasure.", "If only I knew!", ""]

    def test_a_line_with_a_colon_is_never_words(self) -> None:
        assert parser.partition(["if JX: QS"], TONGUE) == (["if JX: QS"], [""])

    def test_what_a_mail_program_broke_is_joined(self) -> None:
        long = "if take 3: take 7; then if take 4: take 1; then if take 3: take"
        assert parser.partition([long, "8", "Bye"], TONGUE) == ([f"{long} 8"], ["", "", "Bye"])
        hands = ["when I can:", "swap", "swap", "", "Bye"]
        assert parser.partition(hands, TONGUE) == (["when I can: swap swap"], ["", "", "", "", "Bye"])

    def test_whether_a_line_begins_like_one_is_seen_at_once(self) -> None:
        assert parser.may_contain_plan(["23", " - if only"])
        assert not parser.may_contain_plan(["23", "iffy", "", "Bye"])

    def test_a_mail_of_many_lines_costs_little_and_none_of_them_becomes_words(self) -> None:
        asked: list[str] = []

        def costly(condition: str) -> bool:
            asked.append(condition)
            return meets(condition)

        tongue = Grammar(costly, form, ORDERS)
        lines = ["if " + "a " * 95] * 30 + ["if take 3 take 7"]
        planned, others = parser.partition(lines, tongue)
        assert len(asked) <= parser.MAX_CONDITION_CHECKS
        # Some were found to be words before; what was not looked at any more is not taken for such.
        assert len(planned) + len(list(filter(None, others))) == len(lines)
        assert planned[-1] == lines[-1]
        # A line as long as a book is never shown to the game as a whole.
        parser.partition(["if " + "a " * 9999], tongue)
        assert max(map(len, asked)) <= parser.MAX_LINE_CHARS

    def test_what_goes_on_below_a_line_is_joined_only_as_long_as_a_line_may_be(self) -> None:
        (line,), others = parser.partition(["when I can:", *["swap"] * 9999], TONGUE)
        assert parser.MAX_LINE_CHARS < len(line) < parser.MAX_LINE_CHARS + 9
        assert not any(others)

    def test_reading_asks_little_and_refuses_too_many_lines_at_once(self) -> None:
        asked: list[str] = []

        def costly(condition: str) -> bool:
            asked.append(condition)
            return meets(condition)

        tongue = Grammar(costly, lambda text: text, ORDERS)
        with pytest.raises(PlanError, match="at most 50 lines; this one would have 9999"):
            parser.parse(["if take 3: take 7"] * 9999, tongue)
        assert asked == []
        with pytest.raises(PlanError, match="is no condition"):
            parser.parse(["if take 3 " + "a " * 90] * 50, tongue)
        assert len(asked) <= parser.MAX_CONDITION_CHECKS + plans.MAX_LINES


class TestKept:
    TREE = read("if take 3: take 7", "  if take 4: take 1", "if JS: QS", "when I can: swap", "always duck")

    def test_it_is_said_as_it_was_understood(self) -> None:
        assert plans.sentences(self.TREE) == [
            "1: if “take 3”, you play “take 7”.",
            "1.1: then, if “take 4”, you play “take 1”.",
            "2: if “JS”, you play “QS”.",
            "3: as soon as you can, you play “swap”.",
            "4: always “duck”, until you delete it.",
        ]

    def test_it_can_be_written_and_read_again(self) -> None:
        assert read(*plans.to_text(self.TREE).splitlines()) == self.TREE
        assert plans.from_data(plans.to_data(self.TREE)) == self.TREE
        assert bool(self.TREE)
        assert not Plan()

    @pytest.mark.parametrize(
        ("number", "left"),
        [
            ("1", ["JS", "", "duck"]),
            ("1.1", ["take 3", "JS", "", "duck"]),
            ("2", ["take 3", "take 4", "", "duck"]),
            ("3", ["take 3", "take 4", "JS", "duck"]),
            ("4", ["take 3", "take 4", "JS", ""]),
        ],
    )
    def test_a_line_can_be_taken_out(self, number: str, left: list[str]) -> None:
        assert [one.condition for one in plans.numbered_lines(plans.without(self.TREE, number))] == left

    @pytest.mark.parametrize("number", ["5", "1.2", "0", "2.1", "1."])
    def test_a_line_that_is_not_there_cannot(self, number: str) -> None:
        with pytest.raises(PlanError, match=f"Your plan has no line {number}."):
            plans.without(self.TREE, number)

    def test_more_lines_join_those_that_stand(self) -> None:
        more = read("if take 3: take 7; then if JS: KS", "if JS: KS", "when I can: take 9", "always duck")
        assert plans.merged(self.TREE, more) == Plan(
            (Line("take 3", "take 7", (Line("take 4", "take 1"), Line("JS", "KS"))), Line("JS", "KS")),
            ("swap", "take 9"),
            ("duck",),
        )


class TestFollowed:
    def test_the_first_line_that_fits_is_played_and_what_follows_it_stays(self) -> None:
        plan = read("if take 4: swap", "if take 3: take 7; then if JS: QS", "always duck")
        step = matching.next_step(plan, turn())
        assert (step.move, step.missed) == ("take 7", "")
        assert step.plan == read("if JS: QS", "always duck")

    def test_where_no_line_fits_they_are_dropped(self) -> None:
        step = matching.next_step(read("if take 4: swap", "if JS: QS"), turn())
        assert (step.move, step.plan) == (None, Plan())
        assert step.missed == "None of its lines fits what happened."

    def test_a_line_that_cannot_be_played_is_dropped_with_the_reason(self) -> None:
        step = matching.next_step(read("if take 3: KS", "when I can: KS"), turn())
        assert (step.move, step.plan) == (None, Plan(queued=("KS",)))
        assert step.missed == "“KS” could not be played. It is gone."

    def test_a_line_that_resigns_leaves_no_other_lines(self) -> None:
        step = matching.next_step(read("if take 3: resign", "if JS: QS", "always duck"), turn())
        assert (step.move, step.missed, step.plan) == (plans.RESIGN, "", read("always duck"))
        assert matching.next_step(read("if take 4: resign"), turn()).move is None

    def test_lines_wait_until_somebody_has_answered(self) -> None:
        plan = read("if JS: QS")
        assert matching.next_step(plan, turn(answered=False)) == matching.Step(None, plan)
        assert matching.next_step(plan, turn(concerned=False)) == matching.Step(None, plan)

    def test_a_condition_that_is_over_is_not_met(self) -> None:
        assert matching.next_step(Plan((Line("gone", "QS"),)), turn()).move is None

    def test_a_move_that_waited_is_played_once(self) -> None:
        step = matching.next_step(read("when I can: KS", "when I can: QS", "always duck"), turn(order="take 1"))
        assert (step.move, step.plan) == ("QS", read("when I can: KS", "always duck"))

    def test_an_order_stands(self) -> None:
        plan = read("if take 4: swap", "always duck")
        step = matching.next_step(plan, turn(order="take 1"))
        assert (step.move, step.plan, bool(step.missed)) == ("take 1", read("always duck"), True)
        assert matching.next_step(read("always duck"), turn()).move is None

    def test_a_move_by_hand_may_follow_the_line(self) -> None:
        plan = read("if take 3: take 7; then if JS: QS", "always duck")
        assert matching.after_own_move(plan, "take 7") == read("if JS: QS", "always duck")
        assert matching.after_own_move(plan, "take 8") is None

    def test_a_move_by_hand_that_several_lines_have_follows_none_of_them_unless_they_agree(self) -> None:
        plan = read("if take 3: QS; then if JS: KS", "if take 4: QS; then if JS: swap")
        assert matching.after_own_move(plan, "QS") is None
        assert matching.after_own_move(read("if take 3: QS; then if JS: KS", "if take 4: QS"), "QS") is None
        plan = read("if take 3: QS; then if JS: KS", "if take 4: QS; then if JS: KS")
        assert matching.after_own_move(plan, "QS") == read("if JS: KS")


class TestResigned:
    @pytest.mark.parametrize("line", ["if take 3: resign", "if take 3: Resign.", "wenn take 3: aufgeben"])
    def test_a_line_may_resign(self, line: str) -> None:
        assert read(line) == Plan((Line("take 3", plans.RESIGN),))

    def test_it_is_shown_with_a_warning_and_read_again(self) -> None:
        plan = read("if take 3: take 7; then if JS: resign", "if take 4: resign")
        assert plans.sentences(plan) == [
            "1: if “take 3”, you play “take 7”.",
            "1.1: then, if “JS”, you resign.",
            "2: if “take 4”, you resign.",
        ]
        assert read(*plans.to_text(plan).splitlines()) == plan
        warned = plans.resignation_warning([one.move for one in plans.numbered_lines(plan)])
        assert warned.startswith("With this plan you would resign")
        assert plans.resignation_warning(["take 7"]) == ""

    @pytest.mark.parametrize("line", ["always resign", "when I can: resign", "immer aufgeben", "if always: resign"])
    def test_without_a_condition_it_is_refused(self, line: str) -> None:
        grammar = Grammar(lambda _condition: True, form, ORDERS)
        with pytest.raises(PlanError, match="A plan resigns only by a line with a condition"):
            parser.parse([line], grammar)

    @pytest.mark.parametrize("lines", [["if take 3: resign; then if JS: QS"], ["if take 3: resign", "  if JS: QS"]])
    def test_nothing_can_follow_it(self, lines: list[str]) -> None:
        with pytest.raises(PlanError, match="After “resign” no other line can follow"):
            read(*lines)

    @pytest.mark.parametrize(
        ("condition", "met"),
        [
            ("always", True), ("If I can", True), ("immer", True), ("take 3 or always", True), ("not not always", True),
            ("always and anything", True), ("not always", False), ("take 3", False), ("take 3 and always", False),
            ("not take 3", False),
        ],
    )  # fmt: skip
    def test_a_condition_that_says_always_is_none(self, condition: str, *, met: bool) -> None:
        assert foresight.is_unconditional(condition) is met


def test_it_is_said_in_the_readers_language() -> None:
    with use_locale("de"):
        assert plans.sentences(TestKept.TREE)[0] == "1: wenn „take 3“, spielst du „take 7“."


def test_every_game_can_be_planned_in_its_own_words() -> None:
    for game in GAMES.values():
        seats = game.seats[0]
        position = game.setup(seats, {}, Chance(bytes(32)))
        view = game.view(position, Seat(1))
        for condition in game.conditions(view):
            tongue = Grammar(lambda said, game=game, view=view: game.meets(view, said), str, game.policies)  # type: ignore[misc]
            assert parser.parse([f"if {condition}: x"], tongue).lines[0].condition == condition
