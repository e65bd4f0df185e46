"""`python -m navkit` is the `navkit` command."""

import sys

from navkit.cli import main

if __name__ == "__main__":
    sys.exit(main())
