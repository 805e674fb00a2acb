"""`python -m bot` is `tabula`."""

from bot.cli import main

if __name__ == "__main__":
    main()
