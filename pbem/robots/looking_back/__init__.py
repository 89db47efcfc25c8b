"""Looking back on a match that is over: each seat's chances by move, what luck and play made of them, turning points.

Open values, of the chart and the account, are those of the whole position with all cards seen: what it comes to when
all seats go on with ordinary play (`Robot.outlook`). A draw of chance is measured against other draws in its place,
and what a move changes beside that is play: it is measured against ordinary play, not against the best. Known values,
of turning points, are functions of the mover's View: nobody is blamed for what could not be known.

All is computed from a record, with seeds that come from its secret, so that anybody can compute it again.
"""

from pbem.robots.looking_back.analysis import steps

__all__ = ["steps"]
