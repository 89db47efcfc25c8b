"""The life of a match: created, accepted, begun, forked, ended, played again."""
