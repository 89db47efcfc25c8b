"""The systems that `make bench-service` measures beside each other: ours, and others that mail people."""
