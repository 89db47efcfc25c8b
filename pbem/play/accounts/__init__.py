"""Accounts: signing in, addresses, passkeys, API keys, data export and deletion."""
