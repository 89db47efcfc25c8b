"""Moderation: bans, mutes, invitation blocks and abuse reports."""
