"""Deliverability: bounces, domains that refuse mail, and the loopback check."""
