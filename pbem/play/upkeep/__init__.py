"""Upkeep: periodic tasks, outages, full disks, and the state of the service."""
