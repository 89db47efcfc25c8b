"""Moderation: bans, mutes, people to avoid, invitation blocks and abuse reports."""
