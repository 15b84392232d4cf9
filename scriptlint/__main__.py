"""``python -m scriptlint``."""

from scriptlint.cli import main

if __name__ == "__main__":
    main()
