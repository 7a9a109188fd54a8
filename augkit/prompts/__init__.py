"""Prompts as data: the loader, and one YAML file a prompt."""
