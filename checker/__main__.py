"""`python -m checker`: the command line."""

from checker.cli.program import main

if __name__ == "__main__":
    main()
