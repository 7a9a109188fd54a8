"""RAZOR: find the texts whose surface gives their label away, rewrite them, repeat."""
