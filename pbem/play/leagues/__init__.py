"""Leagues: seasons in which all matches of a group run at once."""
