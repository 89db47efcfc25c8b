"""Deals that several matches share: made at once, withheld until all are over, and compared."""
