"""Faults that a maintainer could make, planted one by one, to see which test notices each: `make test-planted`."""
