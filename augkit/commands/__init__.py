"""The commands: each whole in one place, with its settings, its work and its words."""
