"""One module per picture of the docs: ``collect`` runs augkit, ``draw`` makes the SVG."""
