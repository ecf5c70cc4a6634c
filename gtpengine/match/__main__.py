"""``python -m gtpengine.match``."""

import argparse
import sys

from gtpengine.match import add_arguments, main

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m gtpengine.match")
    add_arguments(parser)
    sys.exit(main(parser.parse_args()))
