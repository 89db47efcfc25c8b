"""Notifications: the outbox of mails, replies to mails, and webhooks."""
