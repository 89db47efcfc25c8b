"""Whether tables finish: matches of people who sleep, travel, vanish and come back, in minutes: `make simulate`.

The whole service runs in one process: its pages take moves, its door takes mail, its tasks judge, remind and let time
run out, and its mails are read by the people who play; only the time is not the present. Beside it a ledger is kept
of what everybody was asked and did, and from it the clock is reckoned again: no time may run out before that, and no
reminder may come for a turn that is over.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial, reduce
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, update

from benchmarks.lives import DAY, HOUR, people
from benchmarks.options import Options
from benchmarks.rows import database
from benchmarks.world import World
from pbem.db.models import (
    ClockPause,
    Deadline,
    LogEntry,
    Match,
    MatchSeat,
    OutboxMessage,
    Player,
    SeatHolder,
    Submission,
)
from pbem.play.clocks import time_controls
from pbem.play.clocks.calculation import Availability, Interval, TurnStart, compute_due_time
from pbem.play.deadlines.turn_deadlines import CLOCK_DELAY
from pbem.play.lifecycle import create
from pbem.play.lifecycle.match_requests import Invitee, MatchRequest, Terms
from pbem.states import DeadlinePhase, MatchState, OutboxState, PauseReason, SubmissionStatus

if TYPE_CHECKING:
    from benchmarks.lives import Person
    from benchmarks.world import Arrived
    from pbem.play.core.context import Context

BEGIN = datetime(2027, 1, 4, 9, tzinfo=UTC)
LONGEST = 3 * 365 * DAY
GAMES: tuple[tuple[str, int, dict[str, object]], ...] = (
    ("martian-whist", 2, {"sets": 2}),
    ("montauk", 2, {"rounds": 1}),
    ("martian-trickery", 3, {"hands": 1}),
    ("amazonian-buffet", 2, {}),
)
CLOCKS = ("1 day", "3 days", "3 days", "weekend", "relaxed", "7 days")
ON_TIME = ("loss", "substitute", "vote")
OUTAGES = 6
"""So many times a year the service is down, for hours."""
ANSWERS = {
    "invitation": ("accept",),
    "vote": ("vote wait", "vote robot", "vote end"),
    "name?": ("name Zoe zoe{number}@example.org", ""),
    "offer": ("yes", "yes", "no"),
}
"""What people answer to mails that ask something else than a move."""
ASKS = ("takeback", "pause", "more time", "draw", "nudge", "say hello", "resign yes", "if anything: nonsense")
"""What people send instead of a move now and then."""
SELDOM, TAKEN = 0.03, 0.3
PROGRESS = 15
"""Every so many days it is told how far it has come."""
SERVICE = "games@games.localhost"


@dataclass(slots=True)
class Simulation:
    """People at their matches, and the ledger."""

    world: World
    chosen: Random
    persons: dict[str, Person]
    count: int
    outages: list[tuple[datetime, datetime]] = field(default_factory=list)
    away: dict[str, list[tuple[datetime, datetime]]] = field(default_factory=dict)
    waits: dict[tuple[str, str], int] = field(default_factory=dict)
    judged: int = 0
    told: Counter[str] = field(default_factory=Counter)
    unjust: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    lapsed: int = 0
    newest_absence: int = 0

    def run(self) -> None:
        """Live through it all, until nothing happens any more."""
        end = BEGIN + LONGEST
        for number in range(self.count):
            self.world.later(BEGIN + self.chosen.uniform(0, 60) * DAY, partial(self.begin, number))
        for number in range(OUTAGES):
            begin = BEGIN + (number + self.chosen.random()) * 365 / OUTAGES * DAY
            self.world.later(begin, lambda: self.go_down(self.chosen.uniform(0.1, 40) * HOUR))
        self.world.later(BEGIN + DAY, self.housekeeping)
        while self.world.step(end):
            if not self.world.asleep:
                self.watch()
                for recipient, mail in self.world.arrivals():
                    self.receive(self.person(recipient), mail)

    def person(self, email: str) -> Person:
        """Return who reads the mail to an address; somebody new, where a host has just named them."""
        if email not in self.persons:
            (new,) = people(1, BEGIN, self.chosen)
            self.persons[email] = replace(new, name=email.partition("@")[0], email=email)
        return self.persons[email]

    def begin(self, number: int) -> None:
        """Create a match that somebody hosts for others."""
        if self.world.asleep:
            self.world.later(self.world.now + DAY, lambda: self.begin(number))
            return
        game, seats, options = self.chosen.choice(GAMES)
        table_of = self.chosen.sample(list(self.persons.values()), seats)
        guests = [Invitee(person.name, person.email) for person in table_of]
        with self.world.transaction() as ctx:
            terms = Terms(self.chosen.choice(CLOCKS), public=self.chosen.choice((True, False)))
            match = create.create_match(ctx, MatchRequest(game, options, guests, terms, creator_seat=1))
            match.timeout_policy = self.chosen.choice(ON_TIME)
            for person in table_of:
                theirs = select(SeatHolder.player_id).where(
                    SeatHolder.match_id == match.id, SeatHolder.email == person.email
                )
                ctx.session.execute(
                    update(Player).where(Player.id.in_(theirs)).values(time_zone=person.zone, mail_policy="token+from")
                )

    def go_down(self, long: timedelta) -> None:
        """Stop the service for a while: nothing is taken, judged or sent."""
        begin = self.world.now
        self.world.sleep()

        def up() -> None:
            self.outages.append((begin, self.world.now))
            self.world.wake()

        self.world.later(begin + long, up)

    def housekeeping(self) -> None:
        """Run the tasks that look at what only days make due."""
        if not self.world.asleep:
            self.world.celery.tasks["expire_tables"]()
            self._take_over()
        with self.world.transaction() as ctx:
            open_still = ctx.session.scalar(
                select(func.count()).select_from(Match).where(Match.state != MatchState.OVER)
            )
        days = (self.world.now - BEGIN).days
        if days % PROGRESS == 0:
            print(
                f"day {days}: {open_still} matches wait or run, {self.world.mails} mails", file=sys.stderr, flush=True
            )
        if open_still or self.world.now < BEGIN + 61 * DAY:
            self.world.later(self.world.now + DAY, self.housekeeping)

    def _take_over(self) -> None:
        """Take over a seat that needs a substitute, now and then."""
        with self.world.transaction() as ctx:
            sought = select(Deadline.match_id).join(Match, Match.id == Deadline.match_id)
            wanted = sought.where(
                Deadline.phase == DeadlinePhase.REPLACEMENT, Match.public, Match.timeout_policy == "substitute"
            )
            found = list(ctx.session.scalars(wanted))
        for match in found:
            if self.chosen.random() < TAKEN:
                person = self.chosen.choice(list(self.persons.values()))
                self.world.write(person.email, SERVICE, f"take over {match}")

    # -- people ---------------------------------------------------------------------------------------

    def receive(self, person: Person, mail: Arrived) -> None:
        """Deliver a mail to somebody, who answers it when they come to it."""
        self.told[mail.kind] += 1
        for gone in person.gone:
            if gone.told and gone.told <= self.world.now < gone.begin and person.email not in self.away:
                self.away[person.email] = []
                self.world.later(gone.told + MINUTE, partial(self.go_away, person, mail, gone.end))
        at = person.answers_at(self.world.now, self.chosen)
        if at is not None:
            self.world.later(at, lambda: self.answer(person, mail))

    def go_away(self, person: Person, mail: Arrived, end: datetime) -> None:
        """Announce an absence of somebody."""
        if not self.world.asleep:
            self.world.reply(mail, person.email, f"away until {end.date() + DAY:%d %b %Y}")

    def answer(self, person: Person, mail: Arrived) -> None:
        """Do what a mail asks of somebody, or nothing if there is nothing to be done any more."""
        if self.world.asleep:
            self.world.later(self.world.now + 6 * HOUR, lambda: self.answer(person, mail))
            return
        if mail.kind in ANSWERS:
            answer = self.chosen.choice(ANSWERS[mail.kind]).format(number=self.chosen.randint(0, 99))
            if answer:
                self.world.reply(mail, person.email, answer)
            return
        if mail.kind in {"turn", "receipt"} and self.chosen.random() < SELDOM:
            self.world.reply(mail, person.email, self.chosen.choice(ASKS))
        view = self.world.web.get(f"/api/seats/{mail.token}").get_json() if mail.token else None
        if not view or "seat" not in view or view["seat"] not in view["to_move"] or not view["moves"]:
            return
        move = self.chosen.choice(view["moves"])
        if person.writes:
            self.world.reply(mail, person.email, move)
        else:
            said = {"ply": view["ply"], "move": move}
            self.world.web.post(f"/api/seats/{mail.token}/moves", json=said)

    # -- the ledger -----------------------------------------------------------------------------------

    def watch(self) -> None:
        """Look at what the clock has done just now."""
        with self.world.transaction() as ctx:
            for row in self.world.late:
                self._ran_out(ctx, row.match_id, row.seat, row.asked_at, row.extra_seconds)
            for match_id, seat in self.world.lost:
                self._lost(ctx, match_id, seat)
            for notice in self.world.sent:
                match = ctx.session.get(Match, notice.match_id) if notice.kind in REMINDERS else None
                if match and (notice.render_data["seat"] not in match.to_move or notice.ply != match.ply):
                    self.stale.append(f"{match.id} seat {notice.render_data['seat']} ply {notice.ply}")
            self.newest_absence = ctx.session.scalar(select(func.max(ClockPause.id))) or 0
        self.world.late.clear()
        self.world.lost.clear()

    def _lost(self, ctx: Context, match_id: str, seat: int) -> None:
        match = ctx.session.get_one(Match, match_id)
        # A stage in which several act at once began behind the last move of the one before.
        turns = select(LogEntry.logged_at).where(LogEntry.match_id == match_id, LogEntry.ply < match.ply)
        asked = ctx.session.scalar(turns.order_by(LogEntry.number.desc()).limit(1))
        self._ran_out(ctx, match_id, seat, asked or match.started_at or self.world.now, 0)

    def _ran_out(self, ctx: Context, match_id: str, seat: int, asked: datetime, extra: int) -> None:
        """Reckon from the ledger whether a seat's time had run out, and whether its move had not come."""
        self.lapsed += 1
        match = ctx.session.get_one(Match, match_id)
        # Whoever sat there then: what follows may have put somebody else there at once.
        seated = select(SeatHolder).where(
            SeatHolder.match_id == match_id, SeatHolder.seat == seat, SeatHolder.seated_at < self.world.now
        )
        still = SeatHolder.left_at.is_(None) | (SeatHolder.left_at >= self.world.now)
        holder = ctx.session.scalars(seated.where(still).order_by(SeatHolder.seated_at).limit(1)).one()
        bank = ctx.session.get_one(MatchSeat, (match_id, seat)).bank_seconds
        left = None if bank is None else timedelta(seconds=bank)
        player = ctx.session.get_one(Player, holder.player_id)
        # Days that another match of theirs has just taken by itself came too late for this one: both ran out at once.
        known = ~ClockPause.automatic | (ClockPause.id <= self.newest_absence)
        away = select(ClockPause).where(ClockPause.player_id == holder.player_id, known)
        stops = [Interval(one.started_at, one.ended_at, PauseReason.AWAY) for one in ctx.session.scalars(away)]
        paused = select(ClockPause).where(ClockPause.match_id == match_id)
        stops += [Interval(one.started_at, one.ended_at, PauseReason.PAUSED) for one in ctx.session.scalars(paused)]
        stops += [Interval(begin, end, PauseReason.OUTAGE) for begin, end in self.outages]
        life = Availability(player.time_zone, (player.quiet_from, player.quiet_until))
        given = TurnStart(asked, left, timedelta(seconds=extra))
        due = compute_due_time(time_controls.control_for(match.time_control), life, given, stops).due
        sent = select(Submission.id).where(Submission.holder_id == holder.id, Submission.ply == match.ply)
        in_time = (
            sent.where(
                Submission.received_at <= due,
                Submission.status.in_((SubmissionStatus.PENDING, SubmissionStatus.PLAYED)),
            )
            if due
            else sent
        )
        if due is None or due + CLOCK_DELAY > self.world.now or ctx.session.scalar(in_time.limit(1)):
            self.unjust.append(f"{match_id} seat {seat}: due {due}, acted {self.world.now}")


MINUTE = timedelta(minutes=1)
REMINDERS = ("due soon",)


@dataclass(frozen=True, slots=True)
class Figures:
    """What came of some matches; that of several parts adds up."""

    moves: int
    mails: int
    endings: dict[str, int]
    events: dict[str, int]
    told: dict[str, int]
    stood: dict[str, int]
    outages: int
    took: list[int]
    never: int
    lapsed: int
    invented: list[str]
    unjust: list[str]
    stale: list[str]
    failed: int

    def __add__(self, other: Figures) -> Figures:
        """Add what came of other matches."""
        return Figures(**{part: _sum(getattr(self, part), getattr(other, part)) for part in self.__slots__})


def _sum(one: Any, other: Any) -> Any:
    return dict(Counter(one) + Counter(other)) if isinstance(one, dict) else one + other


def main() -> int:
    """Simulate, in several processes at once where wanted, and print what came of it."""
    options = Options(__doc__)
    options.number("--matches", 1000, 2)
    options.number("--processes", 2, 1)
    options.number("--seed", 1, 5)
    options.add_argument("--figures", action="store_true", help="print what came of one part, for all of them together")
    wanted = options.told()
    if wanted.processes == 1:
        begun = time.monotonic()
        figures = simulate(wanted.matches, wanted.seed)
        if wanted.figures:
            print(json.dumps(asdict(figures)))
            return 0
        return report(figures, begun)
    share = [
        wanted.matches // wanted.processes + (part < wanted.matches % wanted.processes)
        for part in range(wanted.processes)
    ]
    base = [sys.executable, "-m", "benchmarks.simulation", "--processes", "1"]
    begun = time.monotonic()
    parts = [
        subprocess.Popen(
            [*base, "--matches", str(count), "--seed", str(wanted.seed + part), "--figures"],
            stdout=subprocess.PIPE,
            text=True,
        )
        for part, count in enumerate(share)
    ]
    found = [json.loads(part.communicate()[0] or "null") for part in parts]
    if any(part.returncode for part in parts):
        return 2
    return report(reduce(Figures.__add__, (Figures(**figures) for figures in found)), begun)


def simulate(count: int, seed: int) -> Figures:
    """Live through some matches and give what came of them."""
    # No broker runs here: what it would count is counted in the database.
    logging.getLogger("pbem.play.core.rate_limits").setLevel(logging.CRITICAL)
    chosen = Random(seed)  # noqa: S311 -- lives, not secrets
    with database() as cluster, tempfile.TemporaryDirectory() as folder:
        persons = {person.email: person for person in people(max(8, count * 2 // 5), BEGIN, chosen)}
        world = World(cluster.url, Path(folder), BEGIN)
        simulation = Simulation(world, chosen, persons, count)
        simulation.run()
        found = figures(simulation)
        world.engine.dispose()
    return found


def figures(simulation: Simulation) -> Figures:
    """Count what came of it all."""
    world = simulation.world
    with world.transaction() as ctx:
        found = list(ctx.session.execute(select(Match.state, Match.result, Match.started_at, Match.ended_at)))
        moves = ctx.session.scalar(select(func.count()).select_from(LogEntry).where(LogEntry.ply.is_not(None)))
        events = Counter(ctx.session.scalars(select(LogEntry.event).where(LogEntry.event.is_not(None))))
        failed = ctx.session.scalar(
            select(func.count()).select_from(OutboxMessage).where(OutboxMessage.state == OutboxState.FAILED)
        )
        stood = Counter(ctx.session.scalars(select(ClockPause.reason)))
        outages = select(ClockPause.started_at, ClockPause.ended_at).where(
            ClockPause.reason == PauseReason.OUTAGE.value
        )
        slept = [tuple(row) for row in ctx.session.execute(outages)]
    return Figures(
        moves=moves or 0,
        mails=world.mails,
        endings=dict(Counter((row[1] or {}).get("ending", row[0]) for row in found)),
        events=dict(events),
        told=dict(simulation.told),
        stood=dict(stood),
        outages=len(simulation.outages),
        took=[(row[3] - row[2]).days for row in found if row[2] and row[3]],
        never=sum(row[0] != MatchState.OVER for row in found),
        lapsed=simulation.lapsed,
        invented=[f"{begin} to {end}" for begin, end in slept if (begin, end) not in simulation.outages],
        unjust=simulation.unjust,
        stale=simulation.stale,
        failed=failed or 0,
    )


def report(found: Figures, begun: float) -> int:
    """Print what came of it all; 1 where something was not as it should be, or nobody played."""
    days = sorted(found.took)
    print(f"{sum(found.endings.values())} matches, {found.moves} moves, {found.mails} mails")
    for name, counted in {"endings": found.endings, "events": found.events, "mails": found.told}.items():
        print(f"{name}:", dict(Counter(counted).most_common()))
    print("standstills:", dict(found.stood), "outages:", found.outages)
    if days:
        print(f"a match took {days[len(days) // 2]} days (median), {days[-1]} at the most")
    print(f"never ended: {found.never}; times run out: {found.lapsed}, unjust: {len(found.unjust)}")
    print(f"reminders of turns that were over: {len(found.stale)}; mails that could not be written: {found.failed}")
    print(f"outages that were none: {len(found.invented)}")
    for line in [*found.invented, *found.unjust, *found.stale][:20]:
        print("  ", line)
    print(f"in {(time.monotonic() - begun) / 60:.1f} minutes")
    return int(bool(found.never or found.invented or found.unjust or found.stale or found.failed or not found.moves))


if __name__ == "__main__":
    sys.exit(main())
