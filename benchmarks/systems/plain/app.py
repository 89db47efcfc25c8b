"""The plain app: its tables and its tasks."""

from __future__ import annotations

import os
import random
import secrets
import smtplib
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import make_msgid, parseaddr

import css_inline
from celery import Celery
from jinja2 import Environment, PackageLoader
from resvg_py import svg_to_bytes
from sqlalchemy import JSON, DateTime, ForeignKey, create_engine, func, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship

DOMAIN = "plain.localhost"
SIZE, FREE = 8, 0
FILES = "abcdefgh"
COLUMNS = {list[int]: JSON, datetime: DateTime(timezone=True)}

engine = create_engine(os.environ["DATABASE_URL"])
app = Celery("plain", broker=os.environ["BROKER_URL"])
app.conf.update(task_ignore_result=True, task_acks_late=True, worker_prefetch_multiplier=1)
templates = Environment(loader=PackageLoader("benchmarks.systems.plain"), autoescape=True)
inliner = css_inline.CSSInliner()


class Base(DeclarativeBase):
    """A table."""

    type_annotation_map = COLUMNS


class Mail(Base):
    """A mail that was kept, and what came of it."""

    __tablename__ = "mails"
    id: Mapped[int] = mapped_column(primary_key=True)
    raw: Mapped[bytes]
    recipient: Mapped[str]
    status: Mapped[str] = mapped_column(default="pending", index=True)
    received_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Match(Base):
    """A match, with the stone on each square: none, or the number of its seat."""

    __tablename__ = "matches"
    id: Mapped[int] = mapped_column(primary_key=True)
    ply: Mapped[int] = mapped_column(default=0)
    squares: Mapped[list[int]]
    players: Mapped[list[Player]] = relationship(back_populates="match", order_by="Player.seat")
    moves: Mapped[list[Move]] = relationship(order_by="Move.ply.desc()")


class Player(Base):
    """A player of a match; the token is in the address that replies go to."""

    __tablename__ = "players"
    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), index=True)
    seat: Mapped[int]
    email: Mapped[str]
    token: Mapped[str] = mapped_column(unique=True, default=lambda: secrets.token_hex(16))
    due_at: Mapped[datetime | None]
    match: Mapped[Match] = relationship(back_populates="players")


class Move(Base):
    """A move that was played."""

    __tablename__ = "moves"
    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), index=True)
    mail_id: Mapped[int] = mapped_column(ForeignKey("mails.id"))
    ply: Mapped[int]
    square: Mapped[str]
    played_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Notice(Base):
    """A mail that is owed to a player, or was sent."""

    __tablename__ = "notices"
    id: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    kind: Mapped[str]
    problem: Mapped[str] = mapped_column(default="")
    message_id: Mapped[str] = mapped_column(default=lambda: make_msgid(domain=DOMAIN))
    state: Mapped[str] = mapped_column(default="owed", index=True)
    sent_at: Mapped[datetime | None]
    player: Mapped[Player] = relationship()


@app.task
def judge(mail_id: int) -> None:
    """Play the move in a mail, or say why not; then have the mails sent that follow."""
    with Session(engine) as session, session.begin():
        mail = session.get_one(Mail, mail_id, with_for_update=True)
        if mail.status != "pending":
            return
        token = mail.recipient.partition("+")[2].partition("@")[0]
        player = session.scalars(select(Player).where(Player.token == token)).one()
        match = session.get_one(Match, player.match_id, with_for_update=True)
        message = message_from_bytes(mail.raw, policy=default)
        body = message.get_body(("plain",))
        square = str(body.get_content()).strip().splitlines()[0].strip().lower() if body else ""
        if problem := refusal(match, player, parseaddr(message["From"])[1], square):
            mail.status = "refused"
            notices = [Notice(player=player, kind="refusal", problem=problem)]
        else:
            mail.status = "played"
            # Whoever finds the board full begins it anew, so that no match ends while it is measured.
            squares = list(match.squares) if FREE in match.squares else [FREE] * SIZE * SIZE
            squares[index_of(square)] = player.seat
            match.squares, match.ply = squares, match.ply + 1
            session.add(Move(match_id=match.id, mail_id=mail.id, ply=match.ply, square=square))
            other = match.players[match.ply % 2]
            player.due_at, other.due_at = None, datetime.now(UTC) + timedelta(days=7)
            notices = [Notice(player=player, kind="receipt"), Notice(player=other, kind="turn")]
        session.add_all(notices)
        session.flush()
        numbers = [notice.id for notice in notices]
    deliver.delay(numbers)


def refusal(match: Match, player: Player, author: str, square: str) -> str:
    """Return why a move is not played, or nothing."""
    if author != player.email:
        return "Your mail came from another address."
    if player.seat != 1 + match.ply % 2:
        return "It is not your turn."
    if len(square) != 2 or square[0] not in FILES or square[1] not in "12345678":  # noqa: PLR2004 -- a file and a row
        return "No move found in your mail."
    return "" if FREE not in match.squares or match.squares[index_of(square)] == FREE else "This square is taken."


def index_of(square: str) -> int:
    """Return the index of a square."""
    return FILES.index(square[0]) + SIZE * (int(square[1]) - 1)


@app.task(autoretry_for=(OSError, smtplib.SMTPException), retry_backoff=True)
def deliver(numbers: list[int]) -> None:
    """Send mails that are owed."""
    for number in numbers:
        with Session(engine) as session, session.begin():
            notice = session.get_one(Notice, number, with_for_update=True)
            if notice.state == "owed":
                with smtplib.SMTP("127.0.0.1", int(os.environ["SMTP_PORT"]), local_hostname=DOMAIN) as smtp:
                    smtp.send_message(compose(notice))
                notice.state, notice.sent_at = "sent", datetime.now(UTC)


def compose(notice: Notice) -> EmailMessage:
    """Write a mail."""
    player, match = notice.player, notice.player.match
    squares = [f"{file}{row}" for row in range(1, SIZE + 1) for file in FILES]
    free = [square for square in squares if match.squares[index_of(square)] == FREE] or squares
    names = {"notice": notice, "player": player, "match": match, "moves": match.moves[:8], "size": SIZE}
    names["likely"] = random.sample(free, min(3, len(free)))
    message = EmailMessage(policy=SMTP)
    message["From"] = f"Games <play@{DOMAIN}>"
    message["To"] = player.email
    message["Reply-To"] = f"play+{player.token}@{DOMAIN}"
    message["Subject"] = {"turn": "Your turn", "receipt": "Move played"}.get(notice.kind, "Move not played")
    message["Message-ID"] = notice.message_id
    message["References"] = f"<match.{match.id}.{player.seat}@{DOMAIN}>"
    message.set_content(templates.get_template("mail.txt").render(names))
    message.add_alternative(inliner.inline(templates.get_template("mail.html").render(names)), subtype="html")
    if notice.kind == "turn":
        drawing = templates.get_template("board.svg").render(names)
        picture = bytes(svg_to_bytes(svg_string=drawing, width=600))
        html = message.get_body(("html",))
        html.add_related(picture, "image", "png", cid="<board>")  # type: ignore[union-attr]
    return message


def begin(matches: int) -> None:
    """Create the tables and some matches, and ask for the first moves."""
    Base.metadata.create_all(engine)
    with Session(engine) as session, session.begin():
        for number in range(matches):
            players = [Player(seat=seat, email=f"p{seat}.{number}@example.org") for seat in (1, 2)]
            session.add(Match(squares=[FREE] * SIZE * SIZE, players=players))
            session.add(Notice(player=players[0], kind="turn"))
        session.flush()
        numbers = session.scalars(select(Notice.id)).all()
    for number in numbers:
        deliver.delay([number])
