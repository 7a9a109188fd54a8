"""Typos: noise as keyboards, scanners and hurried people make it."""
