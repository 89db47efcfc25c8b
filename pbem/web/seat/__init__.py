"""Pages of a seat, behind its link."""

from pbem.web.seat import (
    chat,
    conditional_moves,
    deadline,
    offers,
    retry_mail,
    substitutes,
    turn,
    undo,
    votes,
    webhooks,
)

PAGES = (
    retry_mail.pages,
    chat.pages,
    conditional_moves.pages,
    deadline.pages,
    offers.pages,
    substitutes.pages,
    turn.pages,
    undo.pages,
    votes.pages,
    webhooks.pages,
)
