"""Pages where matches are created, found and joined."""

from pbem.web.lobby import forks, guests, home, hosting, invitations, lessons, open_tables, rematches

PAGES = (
    forks.pages,
    guests.pages,
    home.pages,
    hosting.pages,
    invitations.pages,
    lessons.pages,
    open_tables.pages,
    rematches.pages,
)
