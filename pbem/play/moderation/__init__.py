"""Moderation: bans, mutes, invitation blocks and reports of abuse."""
