"""Pages of a seat, behind its link."""

from pbem.web.seat import again, chat, conditional_moves, deadline, offers, substitutes, turn, undo, votes, webhooks

PAGES = (
    again.pages,
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
