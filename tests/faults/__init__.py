"""Faults: the running service is killed, cut off and starved at named points, and must lose and repeat nothing."""
