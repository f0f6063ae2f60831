"""Pure functions that fit evidence into a budget without losing a row."""
