"""Deadlines computed from time controls, nights, weekends, vacations and pauses."""
