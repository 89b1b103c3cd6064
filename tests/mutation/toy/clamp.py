"""A module whose mutants are known: tests of the mutation script change it."""

from __future__ import annotations


def clamp(number: int, low: int, high: int) -> int:
    """The nearest number between low and high."""
    if number < low:
        return low
    if number > high:
        return high
    return number


def halvings(number: int) -> int:
    """How often a number can be halved."""
    count = 0
    while number > 1:
        number //= 2
        count += 1
    return count


def crash(number: int) -> int:
    """Ends the process if the condition is dropped."""
    if number > 1000:
        import os

        os.abort()
    return number
