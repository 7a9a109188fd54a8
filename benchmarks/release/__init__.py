"""What the pages of the results report; ``release.py`` runs all of it."""
