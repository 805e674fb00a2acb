"""`python -m bot` is `tabula`."""


def run() -> None:
    """Run the command line."""
    # Every worker process of a program that was started as `tabula` imports this file, and needs
    # nothing of the rest.
    from bot.cli import main

    main()


if __name__ == "__main__":
    run()
