"""``python -m groundtrace``."""

if __name__ == "__main__":
    # Child processes import this module as well, and have no use for the command.
    from groundtrace.cli import main

    main()
