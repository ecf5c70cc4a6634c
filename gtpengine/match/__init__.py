"""Matches between GTP engines: how much stronger is one of them, and do they play without fault.

Independent of gtpengine's own board and search, which it judges.  Modules, from the bottom up:

  jobs          what workers are given, in a match or elsewhere
  faults        what an engine can do wrong
  controller    one engine process; commands with a time limit
  referee       legality of moves, superko, area score
  timing        the clock of time_settings
  openings      random or from SGF files
  game          one game: a GameJob in, a GameRecord out
  introduction  an engine's first start, before the match
  schedule      all games of a match
  workers       several games at once
  statistics    win rate, Elo difference, sequential test
  records       the folder of a match
  report, progress
  cli           options and the match as a whole
"""

from gtpengine.match.cli import add_arguments, main

__all__ = ["add_arguments", "main"]
