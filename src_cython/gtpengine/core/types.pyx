"""Points, colors and limits: the vocabulary of the core.

A point is ``line * STRIDE + column``, both counted from 1, on every board size.  The board stands
in a frame of WALL points, so that a neighbor of a point on the board is always a valid index.
"""
