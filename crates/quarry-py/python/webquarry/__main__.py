"""The command `quarry`: the whole program, from this package."""

import signal
import sys

from . import _native


def main() -> None:
    # The program handles Ctrl-C itself; Python's handler would only note it until the program is over.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_native.run_program(["quarry", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
