"""Protocols: one file each, the printed rule first, then its readings, repairs and edits with their verdicts."""
