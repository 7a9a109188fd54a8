"""``python -m augkit`` is ``augkit``."""

from augkit.cli.app import main

if __name__ == "__main__":
    main()
