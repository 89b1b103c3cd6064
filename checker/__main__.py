"""`python -m checker`: the command line."""

from checker.cli.entry import main

if __name__ == "__main__":
    main()
