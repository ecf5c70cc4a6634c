"""Local reading: can a chain be taken, can it live, whoever moves first?

A depth-first search of two outcomes with a table of positions, repeated with growing depth.  It
plays on the points of an arena only and takes stones outside it for safe.  There are no ko threats:
who may not retake a ko has to move elsewhere in the arena or pass, and no move may recreate a
position of the line that is read.  What was found out with the help of that ban holds for this line
only and is not kept in the table.  An answer is exact within the arena, or "unknown" once the nodes
are spent.
"""

from libc.stdint cimport int8_t, int16_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from gtpengine.core.board cimport (
    Board, Change, hash_after, is_surrounded, legality, liberties_after, opponent, put_recorded,
    undo,
)
from gtpengine.core.life cimport cannot_live_within, lives_within
from gtpengine.core.types cimport (
    BLACK, EMPTY, LEGAL, MAX_POINTS, NO_POINT, PASS, WALL, WHITE, color_t, hash_t, neighbor,
    point_t,
)

cdef enum Outcome:
    FAILS = 0      # the goal is not reached
    SUCCEEDS = 1
    UNKNOWN = 2

cdef enum:
    TABLE_SIZE = 1 << 16      # entries
    TOP = 1 << 30             # worth of a move that comes first
    WORTH_OF_PASS = 12        # a defender tries the pass after moves of more worth


cdef inline hash_t key_of(
    const Position* at, const Goal* goal, color_t to_play
) noexcept nogil:
    cdef hash_t key = at.hash + <hash_t>0x9E3779B97F4A7C15 * (
        <hash_t>to_play + 3 * <hash_t>(at.ko + 1) + 4096 * (
            <hash_t>goal.target + 1024 * (<hash_t>(goal.guard + 1) + 1024 * <hash_t>goal.capture)))
    return key if key != 0 else 1


cdef bint is_own_eye(const Position* at, color_t color, point_t point) noexcept nogil:
    """Whether all neighbors are of one chain of ``color``: to fill it is never of use."""
    cdef point_t head = NO_POINT
    cdef int i = 0
    if not is_surrounded(at.shape[point], color):
        return False
    for i in range(4):
        if at.color[point + neighbor(i)] == WALL:
            continue
        if head != NO_POINT and at.head[point + neighbor(i)] != head:
            return False
        head = at.head[point + neighbor(i)]
    return True


cdef class Reader:
    """Reads one arena of a board.

    ``arena`` holds the points to play on, ``safe`` the stones that are never taken.  ``most_nodes``
    bounds each question.
    """

    def __cinit__(self, *args, **kwargs):
        self.table = NULL

    def __init__(self, Board board not None, arena, safe, int most_nodes):
        cdef int point = 0
        cdef int i = 0
        self.at = board.position
        self.has_safe[BLACK] = self.has_safe[WHITE] = False
        self.at.ko = NO_POINT
        self.most_nodes = most_nodes
        memset(&self.arena, 0, sizeof(self.arena))
        for point in sorted(arena):
            self.arena.points[self.arena.n] = <point_t>point
            self.arena.inside[point] = True
            self.arena.n += 1
        for point in safe:
            self.arena.safe[point] = True
            for i in range(4):
                if self.arena.inside[point + neighbor(i)]:
                    self.has_safe[self.at.color[point]] = True
        free(self.table)
        self.table = <Entry*>calloc(TABLE_SIZE, sizeof(Entry))
        if self.table == NULL:
            raise MemoryError("reader: no memory for its table")

    def __dealloc__(self):
        free(self.table)

    @property
    def nodes(self):
        """Nodes that the last question took."""
        return self.n_nodes

    def is_captured(self, int stone, bint owner_first, int guard=NO_POINT):
        """Whether the chain at ``stone`` is lost; None if that was too hard to find out.

        ``guard`` names a stone of the captors whose loss right afterwards would be too much.
        """
        cdef Goal goal = Goal(stone, self.at.color[stone], True, guard)
        cdef color_t first = goal.owner if owner_first else opponent(goal.owner)
        cdef int outcome = self.solve(&goal, first)
        return None if outcome == UNKNOWN else outcome == SUCCEEDS

    def is_living(self, int stone, bint owner_first):
        """Whether the chain at ``stone`` gets two eyes; None if that was too hard to find out."""
        cdef Goal goal = Goal(stone, self.at.color[stone], False, NO_POINT)
        cdef color_t first = goal.owner if owner_first else opponent(goal.owner)
        cdef int outcome = self.solve(&goal, first)
        return None if outcome == UNKNOWN else outcome == SUCCEEDS

    cdef int solve(self, const Goal* goal, color_t to_play) noexcept nogil:
        cdef int outcome = UNKNOWN
        cdef int depth = 1
        cdef int low = 0
        self.n_nodes = 0
        if lives_within(&self.at, &self.arena, goal.target):
            return FAILS if goal.capture else SUCCEEDS
        if self.is_hopeless(goal):
            return SUCCEEDS if goal.capture else FAILS
        memset(self.history, 0, sizeof(self.history))
        while outcome == UNKNOWN and depth < MOST_PLIES and self.n_nodes < self.most_nodes:
            low = MOST_PLIES
            outcome = self.prove(goal, to_play, depth, 0, &low)
            depth += 2
        return outcome

    cdef int prove(
        self, const Goal* goal, color_t to_play, int depth, int ply, int* low
    ) noexcept nogil:
        """The outcome with ``to_play`` to move, looking ``depth`` moves ahead.

        ``low`` is lowered to the earliest ply of the path that the outcome rests on.
        """
        cdef color_t prover = opponent(goal.owner) if goal.capture else goal.owner
        cdef int wanted = SUCCEEDS if to_play == prover else FAILS
        cdef int outcome = 1 - wanted
        cdef point_t[MAX_POINTS] moves
        cdef Change change
        cdef Entry* entry = NULL
        cdef hash_t key = 0
        cdef hash_t hash = 0
        cdef int n = 0
        cdef int i = 0
        cdef int j = 0
        cdef int found = UNKNOWN
        cdef int rests_on = MOST_PLIES
        cdef int lowest = MOST_PLIES
        self.n_nodes += 1
        if depth <= 0 or ply >= MOST_PLIES or self.n_nodes > self.most_nodes:
            return UNKNOWN
        key = key_of(&self.at, goal, to_play)
        entry = &self.table[key & (TABLE_SIZE - 1)]
        if entry.key == key and entry.value != UNKNOWN:
            return entry.value
        self.path[ply] = self.at.hash
        n = self.list_moves(goal, to_play, entry.move if entry.key == key else NO_POINT, moves)
        for i in range(n):
            if moves[i] != PASS:
                hash = hash_after(&self.at, to_play, moves[i])
                for j in range(ply):
                    if self.path[j] == hash:
                        break
                else:
                    j = ply
                if j < ply:
                    lowest = min(lowest, j)
                    continue
            rests_on = MOST_PLIES
            put_recorded(&self.at, to_play, moves[i], &change)
            found = self.after(goal, to_play, moves[i], depth - 1, ply + 1, &rests_on)
            undo(&self.at, &change)
            if found == wanted:
                outcome = wanted
                lowest = rests_on
                self.history[to_play][moves[i]] += depth * depth
                break
            if found == UNKNOWN:
                outcome = UNKNOWN
            else:
                lowest = min(lowest, rests_on)
        entry = &self.table[key & (TABLE_SIZE - 1)]
        if outcome != UNKNOWN and lowest < ply:
            low[0] = min(low[0], lowest)
        elif outcome != UNKNOWN or entry.key != key or entry.value == UNKNOWN:
            entry.key, entry.value = key, <int8_t>outcome
            entry.move = moves[i] if outcome == wanted else NO_POINT
        return outcome

    cdef int after(
        self, const Goal* goal, color_t mover, point_t move, int depth, int ply, int* low
    ) noexcept nogil:
        """The outcome once ``mover`` has made ``move``."""
        cdef Position* at = &self.at
        cdef Goal revenge
        cdef int outcome = UNKNOWN
        if at.color[goal.target] != goal.owner:
            if not goal.capture:
                return FAILS
            if goal.guard == NO_POINT:
                return SUCCEEDS
            if at.color[goal.guard] != mover:
                return FAILS
            if lives_within(at, &self.arena, goal.guard):
                return SUCCEEDS
            revenge = Goal(goal.guard, mover, True, NO_POINT)
            outcome = self.prove(&revenge, opponent(mover), depth, ply, low)
            return UNKNOWN if outcome == UNKNOWN else 1 - outcome
        if mover == goal.owner and lives_within(at, &self.arena, goal.target):
            return FAILS if goal.capture else SUCCEEDS
        if mover != goal.owner and self.is_hopeless(goal):
            return SUCCEEDS if goal.capture else FAILS
        return self.prove(goal, opponent(mover), depth, ply, low)

    cdef bint is_hopeless(self, const Goal* goal) noexcept nogil:
        return not self.has_safe[goal.owner] and cannot_live_within(
            &self.at, &self.arena, goal.owner)

    cdef int list_moves(
        self, const Goal* goal, color_t to_play, point_t first, point_t* moves
    ) noexcept nogil:
        """The moves to try, best guess first; ``first`` leads if it is among them.

        The prover passes only where a ko must not be retaken: who is defending may pass anyway.
        """
        cdef Position* at = &self.at
        cdef color_t prover = opponent(goal.owner) if goal.capture else goal.owner
        cdef int[MAX_POINTS] worth
        cdef int n = 0
        cdef int i = 0
        cdef int k = 0
        cdef int value = 0
        cdef point_t point = PASS
        for i in range(-1, self.arena.n):
            if i < 0:
                point = PASS
                if to_play == prover and at.ko == NO_POINT:
                    continue
                value = WORTH_OF_PASS
            else:
                point = self.arena.points[i]
                if (at.color[point] != EMPTY or is_own_eye(at, to_play, point)
                        or legality(at, to_play, point, False) != LEGAL):
                    continue
                value = self.worth(goal, to_play, point)
            if point == first:
                value = TOP
            k = n
            while k > 0 and worth[k - 1] < value:
                worth[k], moves[k] = worth[k - 1], moves[k - 1]
                k -= 1
            worth[k], moves[k] = value, point
            n += 1
        return n

    cdef int worth(self, const Goal* goal, color_t color, point_t point) noexcept nogil:
        """A guess at how good a move is, for the order in which moves are tried."""
        cdef Position* at = &self.at
        cdef int value = min(self.history[color][point], 1000)
        cdef int i = 0
        cdef int beside = 0
        cdef int16_t n_liberties = 0
        cdef bint takes = False
        for i in range(4):
            beside = point + neighbor(i)
            if at.color[beside] == WALL:
                continue
            if at.color[beside] == EMPTY:
                value += 4
                continue
            n_liberties = at.n_liberties[at.head[beside]]
            if at.head[beside] == at.head[goal.target]:
                value += 10
            if at.color[beside] != color:
                if n_liberties == 1:
                    value += 100 + 10 * at.length[at.head[beside]]
                    takes = True
                elif n_liberties == 2:
                    value += 15
            elif n_liberties == 1:
                value += 40
        if not takes and liberties_after(at, color, point, 2) < 2:
            value -= 30
        return value
