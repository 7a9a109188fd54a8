"""Offline rewrites by rules over a dependency parse."""
