"""Notifications: the outbox of mails, the answers to mails, and webhooks."""
