"""Pages of a seat, behind its link."""

from pbem.web.seat import (
    chat,
    conditional_moves,
    deadline,
    lines,
    notes,
    offers,
    own_page,
    retry_mail,
    substitutes,
    turn,
    votes,
    webhooks,
)

MODULES = (
    chat,
    conditional_moves,
    deadline,
    lines,
    notes,
    offers,
    own_page,
    retry_mail,
    substitutes,
    turn,
    votes,
    webhooks,
)
PAGES = tuple(module.pages for module in MODULES)
