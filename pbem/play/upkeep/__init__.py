"""Periodic tasks, outages, full disks, and the status of the service."""
