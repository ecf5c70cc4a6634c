"""Network input: planes and scalars of a position, seen by the side to move.

A picture has row 0 at the top line and column 0 at A.  Planes, 1 where true and 0 elsewhere:

 0        on the board
 1, 2     stones of the side to move, of the opponent
 3-5      own chains with 1, 2, 3 liberties;  6-8 the opponent's
 9        empty points banned by ko or superko
 10-14    the last five moves, newest first (a pass shows nowhere)
 15, 16   own, the opponent's chains with one or two liberties that a ladder captures
 17       moves that start such a ladder against the opponent
 18, 19   unconditionally alive stones and their territory, own and the opponent's

Scalars:

 0        komi for the side to move / 20, counted as area (see Search.set_position), -3..3
 1        how komi falls among the scores that are possible, a wave of period 2 (see ``wave``)
 2        1 under territory scoring
 3, 4     1 if the last move, the last but one, was a pass
"""

from libc.math cimport floorf
from libc.stdint cimport int16_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from gtpengine.core.history cimport History, Stand, list_banned
from gtpengine.core.ladder cimport is_laddered, ladder_moves
from gtpengine.core.leaf cimport N_EARLIER, Leaf, remember
from gtpengine.core.life cimport Life, unconditional_life
from gtpengine.core.position cimport Position, legality, n_liberties, opponent
from gtpengine.core.recording cimport Recording, area_komi, replay
from gtpengine.core.types cimport (
    BLACK, EMPTY, MAX_POINTS, MAX_SIZE, MIN_SIZE, NO_POINT, PASS, SIMPLE_KO, STRIDE, WHITE,
    color_t, point_t,
)

import numpy as np

PLANES = N_PLANES
SCALARS = N_SCALARS
SYMMETRIES = N_SYMMETRIES

cdef enum:
    ON_BOARD = 0
    STONES = 1       # own; the opponent's follow
    LIBERTIES = 3    # own 1, 2, 3; the opponent's 1, 2, 3
    BANNED = 9
    RECENT = 10      # the last N_RECENT moves
    N_RECENT = 2 + N_EARLIER
    LADDER = 15      # own; the opponent's follow
    LADDER_MOVE = 17
    SETTLED = 18     # own; the opponent's follow


cdef inline float wave(float komi, int area) noexcept nogil:
    """Where ``komi`` lies between two scores that can tie, which are 2 apart under area scoring.

    0 at a komi that ties, up to 0.5 just above, down to -0.5 just below: half a point of komi
    matters in the one case and not in the other (the idea of Wu 2019, Accelerating Self-Play
    Learning in Go, appendix A).  ``area`` is the number of points on the board: without shared
    points, scores are even or odd as it is.
    """
    cdef float above = komi - area - 2 * floorf((komi - area) / 2)   # 0..2
    return above if above < 0.5 else 1 - above if above < 1.5 else above - 2


cdef int encode(Leaf* leaf, int symmetry, int width, float* planes, float* scalars) noexcept nogil:
    """Write N_PLANES pictures of ``width`` x ``width`` points, and N_SCALARS numbers.

    Uses the ``in`` fields of ``leaf``.  The board lies at the top left of a wider picture.  Reading
    ladders changes the position, which is restored.
    """
    cdef Position* at = &leaf.position
    cdef point_t[N_RECENT] recent
    cdef int[MAX_POINTS] index
    cdef Life life
    cdef point_t[2] moves
    cdef color_t color = leaf.to_play
    cdef int step = width * width
    cdef int side = 0
    cdef int point = 0
    cdef int to = 0
    cdef int i = 0
    cdef int n = 0
    cdef point_t stone = NO_POINT
    cdef bint lost = False
    memset(planes, 0, N_PLANES * step * sizeof(float))
    for point in range(STRIDE + 1, (at.size + 1) * STRIDE):
        if at.color[point] > WHITE:
            continue
        to = index[point] = place(point, at.size, width, symmetry)
        planes[ON_BOARD * step + to] = 1
        if at.color[point] == EMPTY:
            continue
        side = at.color[point] != color
        planes[(STONES + side) * step + to] = 1
    if at.ko != NO_POINT and legality(at, color, at.ko, False) == SIMPLE_KO:
        planes[BANNED * step + index[at.ko]] = 1
    for i in range(leaf.n_banned):
        planes[BANNED * step + index[leaf.banned[i]]] = 1
    recent[0], recent[1] = leaf.last, leaf.last_but_one
    for i in range(N_EARLIER):
        recent[2 + i] = leaf.earlier[i]
    for i in range(N_RECENT):
        if recent[i] > PASS:
            planes[(RECENT + i) * step + index[recent[i]]] = 1
    for point in range(STRIDE + 1, (at.size + 1) * STRIDE):
        if not BLACK <= at.color[point] <= WHITE or at.head[point] != point:
            continue
        n, lost = n_liberties(at, <point_t>point, 4), False
        if n > 3:
            continue
        side = at.color[point] != color
        to = (LIBERTIES + 3 * side + n - 1) * step
        if n == 1:
            lost = is_laddered(at, <point_t>point)
        elif n == 2:
            n = ladder_moves(at, <point_t>point, moves)
            lost = n > 0
            for i in range(n if side else 0):
                planes[LADDER_MOVE * step + index[moves[i]]] = 1
        stone = <point_t>point
        while True:
            planes[to + index[stone]] = 1
            if lost:
                planes[(LADDER + side) * step + index[stone]] = 1
            stone = at.next[stone]
            if stone == point:
                break
    for side in range(2):
        if not unconditional_life(at, color if side == 0 else opponent(color), &life):
            continue
        for point in range(STRIDE + 1, (at.size + 1) * STRIDE):
            if at.color[point] <= WHITE and (life.alive[point] or life.territory[point]):
                planes[(SETTLED + side) * step + index[point]] = 1
    cdef float komi = leaf.komi if color == WHITE else -leaf.komi
    scalars[0] = komi / 20
    scalars[0] = 3 if scalars[0] > 3 else -3 if scalars[0] < -3 else scalars[0]
    scalars[1] = 0 if leaf.territory else wave(komi, at.size * at.size)
    scalars[2] = leaf.territory
    scalars[3] = leaf.last == PASS
    scalars[4] = leaf.last_but_one == PASS
    return 0


def encode_history(
    History history not None, int to_play, *, float komi, bint territory=False,
    str superko="simple", int symmetry=0, width=None
):
    """Encode one position: (planes, scalars), float32, as the module says.

    ``komi`` is what White gets besides the board, handicap bonus included.  Shapes: (PLANES, width,
    width), by default as wide as the board, and (SCALARS,).
    """
    cdef int size = history.board_.position.size
    cdef int n = history.n_moves
    cdef int i = 0
    cdef int wide = size if width is None else width
    if not 0 <= symmetry < N_SYMMETRIES or wide < size:
        raise ValueError(
            f"expected symmetry 0..7 and width from {size}, got '{symmetry}', '{wide}'")
    cdef float[:, :, ::1] planes = np.empty((N_PLANES, wide, wide), dtype=np.float32)
    cdef float[::1] scalars = np.empty(N_SCALARS, dtype=np.float32)
    cdef Leaf* leaf = <Leaf*>malloc(sizeof(Leaf))
    if leaf == NULL:
        raise MemoryError("no memory for a position")
    leaf.position = history.board_.position
    leaf.to_play = <color_t>to_play
    leaf.territory = territory
    leaf.komi = area_komi(&leaf.position, komi, territory)
    leaf.last = leaf.last_but_one = NO_POINT
    for i in range(N_EARLIER):
        leaf.earlier[i] = NO_POINT
    for i in range(max(0, n - N_RECENT), n):
        remember(leaf, history.changes[i].point)
    leaf.n_banned = 0 if superko == "simple" else list_banned(
        &leaf.position, leaf.to_play, history.stands, n + 1, superko == "situational", leaf.banned)
    encode(leaf, symmetry, wide, &planes[0, 0, 0], &scalars[0])
    free(leaf)
    return np.asarray(planes), np.asarray(scalars)


def encode_recordings(
    int size, const int16_t[::1] moves, const int64_t[::1] first, const int64_t[::1] n_moves,
    const float[::1] komi, const uint8_t[::1] territory, const uint8_t[::1] symmetry,
    float[:, :, :, ::1] planes, float[:, ::1] scalars
):
    """Replay and encode positions of recorded games; many threads may do so at once.

    ``moves`` holds whole games, as row * size + column from the top left, size * size for a pass.
    Position i comes after ``n_moves[i]`` moves of the game that begins at ``moves[first[i]]``,
    Black first; territory scoring goes with simple ko, area scoring with positional superko.
    Writes ``planes`` (n, PLANES, width, width) and ``scalars`` (n, SCALARS).  Raises ValueError for
    a move off the board or illegal, and if the arrays do not fit together.
    """
    cdef Recording game
    cdef int64_t n = first.shape[0]
    cdef int64_t i = 0
    cdef int64_t bad = -1
    cdef int width = <int>planes.shape[2]
    cdef int64_t longest = 0
    lengths = {n_moves.shape[0], komi.shape[0], territory.shape[0], symmetry.shape[0],
               planes.shape[0], scalars.shape[0]}
    if not (MIN_SIZE <= size <= MAX_SIZE and lengths == {n} and planes.shape[1] == N_PLANES
            and width >= size and planes.shape[3] == width and scalars.shape[1] == N_SCALARS):
        raise ValueError("expected arrays of one length, planes and scalars of a position's shape")
    for i in range(n):
        if first[i] < 0 or n_moves[i] < 0 or first[i] + n_moves[i] > moves.shape[0] or (
                symmetry[i] >= N_SYMMETRIES):
            raise ValueError(f"position {i}: expected moves within the array and symmetry 0..7")
        longest = max(longest, n_moves[i])
    if n == 0:
        return
    cdef Leaf* leaf = <Leaf*>malloc(sizeof(Leaf))
    cdef Stand* stands = <Stand*>malloc((longest + 1) * sizeof(Stand))
    if leaf == NULL or stands == NULL:
        free(leaf)
        free(stands)
        raise MemoryError(f"no memory for a game of {longest} moves")
    cdef const int16_t* all_moves = &moves[0] if moves.shape[0] > 0 else NULL
    cdef const int64_t* firsts = &first[0]
    cdef const int64_t* numbers = &n_moves[0]
    cdef const float* komis = &komi[0]
    cdef const uint8_t* territories = &territory[0]
    cdef const uint8_t* symmetries = &symmetry[0]
    cdef float* to_planes = &planes[0, 0, 0, 0]
    cdef float* to_scalars = &scalars[0, 0]
    with nogil:
        for i in range(n):
            game = Recording(all_moves + firsts[i], numbers[i], komis[i], territories[i])
            if replay(leaf, stands, size, &game) < 0:
                bad = i
                break
            encode(leaf, symmetries[i], width, to_planes + i * N_PLANES * width * width,
                   to_scalars + i * N_SCALARS)
    free(leaf)
    free(stands)
    if bad >= 0:
        raise ValueError(f"position {bad}: its game has an illegal move")


def symmetry_tables(int size):
    """Where the points of a turned board come from.

    Returns int64, shape (SYMMETRIES, size * size + 1): what stands at index q of a picture with
    that symmetry stands at ``table[symmetry, q]`` without; the last index, the pass, stays.
    """
    cdef int point = 0
    tables = np.full((N_SYMMETRIES, size * size + 1), size * size, dtype=np.int64)
    for symmetry in range(N_SYMMETRIES):
        for line in range(1, size + 1):
            for column in range(1, size + 1):
                point = line * STRIDE + column
                tables[symmetry, place(point, size, size, symmetry)] = place(point, size, size, 0)
    return tables
