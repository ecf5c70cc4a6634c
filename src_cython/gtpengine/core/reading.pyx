"""Local reading: can a chain be taken, can it live, whoever moves first?

A depth-first proof-number search (Nagai 2002, Df-pn Algorithm for Searching AND/OR Trees) with a
table of positions.  It plays on the points of an arena only and takes stones outside it for safe.
There are no ko threats: who may not retake a ko has to move elsewhere in the arena or pass, and no
move may recreate a position of the line that is read.  If both pass, though, who wants to reach the
goal may retake after all: a ko that its owner cannot end is not his.  What was found out with the
help of that ban holds for this line only and is kept apart (Kishimoto and Mueller 2004, A General
Solution to the Graph History Interaction Problem).  An answer is exact within the arena, or
"unknown" once the nodes are spent.
"""

from libc.stdint cimport uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from gtpengine.core.board cimport Board
from gtpengine.core.life cimport cannot_live_within, lives_within
from gtpengine.core.position cimport (
    Change, hash_after, is_surrounded, legality, liberties_after, n_liberties, opponent,
    put_recorded, undo,
)
from gtpengine.core.types cimport (
    BLACK, EMPTY, LEGAL, NO_POINT, PASS, SIMPLE_KO, WALL, WHITE, Legality, color_t, hash_t,
    neighbor, point_t,
)

cdef enum Outcome:
    FAILS = 0      # the goal is not reached
    SUCCEEDS = 1
    UNKNOWN = 2

EVERY_KO = EVERY

cdef enum:
    TABLE_SIZE = 1 << 16      # entries
    ENDLESS = 1 << 30         # more than any effort
    WORTH_OF_PASS = 12        # a defender tries the pass after moves of more worth
    MOST_LIFTS = 2            # bans that two passes lift, in one line

# How many bans were lifted, and kos the owner may retake, marks the positions in the table.
cdef hash_t LIFTS = 0xA0761D6478BD642F
cdef hash_t RETAKES = 0xE7037ED1A0B428DB


cdef inline Effort settled(bint reached, int rests_on) noexcept nogil:
    return Effort(0 if reached else ENDLESS, ENDLESS if reached else 0, rests_on)


cdef inline uint32_t least(uint32_t one, uint32_t two) noexcept nogil:
    return one if one < two else two


cdef inline hash_t key_of(const Position* at, const Goal* goal, color_t to_play) noexcept nogil:
    cdef hash_t key = at.hash + <hash_t>0x9E3779B97F4A7C15 * (
        <hash_t>to_play + 3 * <hash_t>(at.ko + 1) + 4096 * (
            <hash_t>goal.target + 1024 * (<hash_t>(goal.guard + 1) + 1024 * (
                <hash_t>goal.capture + 2 * <hash_t>goal.retakes))))
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

    ``arena`` holds the points to play on, ``safe`` the stones that are never taken.
    """

    def __cinit__(self, *args, **kwargs):
        self.table = NULL

    def __init__(self, Board board not None, arena, safe):
        cdef int point = 0
        cdef int i = 0
        self.at = board.position
        self.has_safe[BLACK] = self.has_safe[WHITE] = False
        self.at.ko = NO_POINT
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

    def is_captured(
        self, int stone, bint owner_first, int most_nodes, int guard=NO_POINT,
        int owner_retakes=0,
    ):
        """Whether the chain at ``stone`` is lost; None if ``most_nodes`` do not tell.

        ``guard`` names a stone of the captors whose loss right afterwards would be too much.
        ``owner_retakes`` is how many threats the owner of the chain has, so as to retake a ko at
        once; EVERY_KO: they never end.
        """
        cdef Goal goal = Goal(stone, self.at.color[stone], True, guard, owner_retakes)
        cdef color_t first = goal.owner if owner_first else opponent(goal.owner)
        cdef int outcome = self.solve(&goal, first, most_nodes)
        return None if outcome == UNKNOWN else outcome == SUCCEEDS

    def is_living(self, int stone, bint owner_first, int most_nodes):
        """Whether the chain at ``stone`` gets two eyes; None if ``most_nodes`` do not tell."""
        cdef Goal goal = Goal(stone, self.at.color[stone], False, NO_POINT, 0)
        cdef color_t first = goal.owner if owner_first else opponent(goal.owner)
        cdef int outcome = self.solve(&goal, first, most_nodes)
        return None if outcome == UNKNOWN else outcome == SUCCEEDS

    cdef int solve(self, const Goal* goal, color_t to_play, int most_nodes) noexcept nogil:
        cdef Effort effort
        self.n_nodes = 0
        self.most_nodes = most_nodes
        self.retakes[0] = goal.retakes
        if lives_within(&self.at, &self.arena, goal.target):
            return FAILS if goal.capture else SUCCEEDS
        if self.is_hopeless(goal):
            return SUCCEEDS if goal.capture else FAILS
        effort = self.search(goal, to_play, 0, 0, ENDLESS, ENDLESS)
        return SUCCEEDS if effort.proof == 0 else FAILS if effort.disproof == 0 else UNKNOWN

    cdef Effort search(
        self, const Goal* goal, color_t to_play, int ply, hash_t line, uint32_t proof,
        uint32_t disproof
    ) noexcept nogil:
        """Search on until the effort left is 0, or at least ``proof`` or ``disproof``.

        ``line`` is a hash of the positions on the path, this one not included.
        """
        cdef color_t prover = opponent(goal.owner) if goal.capture else goal.owner
        cdef bint proves = to_play == prover
        cdef point_t[MOST_MOVES] moves
        cdef Effort[MOST_MOVES] efforts
        cdef int[MOST_MOVES] retakes      # that are left after each move
        cdef Effort total
        cdef Change change
        cdef hash_t key = 0
        cdef uint32_t best = 0
        cdef uint32_t second = 0
        cdef uint32_t mine = 0
        cdef uint32_t sum = 0
        cdef int n_all = self.list_moves(goal, to_play, ply, moves)
        cdef int n = 0
        cdef int i = 0
        cdef int chosen = 0
        cdef int banned = 0
        cdef int rests_on = MOST_PLIES
        cdef bint is_lifted = self.lifts_ban(ply)
        cdef bint may_retake = goal.retakes > 0 and to_play == goal.owner
        self.path[ply] = self.at.hash
        self.since[ply] = ply if is_lifted else self.since[ply - 1] if ply > 0 else 0
        self.lifts[ply] = (self.lifts[ply - 1] if ply > 0 else 0) + is_lifted
        line = 0 if is_lifted else line
        key = self.key_at(goal, to_play, ply, self.lifts[ply])
        if ply + 1 >= MOST_PLIES:
            return settled(False, 0)
        for i in range(n_all):
            banned = self.banned_by(to_play, moves[i], ply)
            retakes[n] = self.retakes[ply]
            if may_retake and goal.retakes < EVERY and moves[i] != PASS and (
                    banned < ply or legality(&self.at, to_play, moves[i], False) == SIMPLE_KO):
                retakes[n] -= 1
                rests_on = min(rests_on, banned)
            if banned < ply and not (may_retake and retakes[n] >= 0):
                rests_on = min(rests_on, banned)
                continue
            moves[n] = moves[i]
            self.retakes[ply + 1] = retakes[n]
            put_recorded(&self.at, to_play, moves[n], &change)
            efforts[n] = self.look(goal, to_play, ply + 1, line + self.path[ply])
            undo(&self.at, &change)
            n += 1
            if (efforts[n - 1].proof if proves else efforts[n - 1].disproof) == 0:
                break
        self.n_nodes += n
        while True:
            # The side to move needs one good move; the other side needs an answer to all of them.
            best = second = ENDLESS
            sum = 0
            chosen = -1
            for i in range(n):
                mine = efforts[i].proof if proves else efforts[i].disproof
                if mine < best:
                    best, second, chosen = mine, best, i
                else:
                    second = least(second, mine)
                sum = least(sum + (efforts[i].disproof if proves else efforts[i].proof), ENDLESS)
            if best == 0:
                total = settled(proves, efforts[chosen].rests_on)
                break
            if sum == 0:
                for i in range(n):
                    rests_on = min(rests_on, efforts[i].rests_on)
                total = settled(not proves, rests_on)
                break
            total = Effort(best, sum, 0) if proves else Effort(sum, best, 0)
            if (total.proof >= proof or total.disproof >= disproof
                    or self.n_nodes >= self.most_nodes):
                break
            second = least(second + second // 4 + 1, ENDLESS)
            self.retakes[ply + 1] = retakes[chosen]
            put_recorded(&self.at, to_play, moves[chosen], &change)
            if proves:
                efforts[chosen] = self.search(
                    goal, opponent(to_play), ply + 1, line + self.path[ply], least(proof, second),
                    least(disproof - (sum - efforts[chosen].disproof), ENDLESS))
            else:
                efforts[chosen] = self.search(
                    goal, opponent(to_play), ply + 1, line + self.path[ply],
                    least(proof - (sum - efforts[chosen].proof), ENDLESS), least(disproof, second))
            undo(&self.at, &change)
        if (total.proof == 0 or total.disproof == 0) and total.rests_on < ply:
            key += line * <hash_t>0xD1B54A32D192ED03
        self.table[key & (TABLE_SIZE - 1)] = Entry(key, total.proof, total.disproof)
        return total

    cdef Effort look(
        self, const Goal* goal, color_t mover, int ply, hash_t line
    ) noexcept nogil:
        """What is known, without search, of the position that ``mover`` has just made."""
        cdef Position* at = &self.at
        cdef Entry* entry = NULL
        cdef hash_t here = 0
        cdef bint is_lifted = False
        if at.color[goal.target] != goal.owner:
            return self.look_at_capture(goal, mover, ply, line)
        if mover == goal.owner and lives_within(at, &self.arena, goal.target):
            return settled(not goal.capture, MOST_PLIES)
        if mover != goal.owner and self.is_hopeless(goal):
            return settled(goal.capture, MOST_PLIES)
        is_lifted = self.lifts_ban(ply)
        here = self.key_at(goal, opponent(mover), ply, self.lifts[ply - 1] + is_lifted)
        line = 0 if is_lifted else line
        entry = &self.table[here & (TABLE_SIZE - 1)]
        if entry.key == here:
            return Effort(entry.proof, entry.disproof, MOST_PLIES)
        here += line * <hash_t>0xD1B54A32D192ED03
        entry = &self.table[here & (TABLE_SIZE - 1)]
        if entry.key == here:
            return Effort(entry.proof, entry.disproof, 0)
        return Effort(
            n_liberties(at, at.head[goal.target], 6) if goal.capture else 1, 1, MOST_PLIES)

    cdef Effort look_at_capture(
        self, const Goal* goal, color_t mover, int ply, hash_t line
    ) noexcept nogil:
        """What the capture of the target is worth: nothing if the guard falls in return."""
        cdef Goal revenge
        cdef Effort effort
        if not goal.capture or (
                goal.guard != NO_POINT and self.at.color[goal.guard] != mover):
            return settled(False, MOST_PLIES)
        if goal.guard == NO_POINT or lives_within(&self.at, &self.arena, goal.guard):
            return settled(True, MOST_PLIES)
        revenge = Goal(goal.guard, mover, True, NO_POINT, 0)
        effort = self.search(&revenge, opponent(mover), ply, line, ENDLESS, ENDLESS)
        return Effort(effort.disproof, effort.proof, effort.rests_on)

    cdef hash_t key_at(
        self, const Goal* goal, color_t to_play, int ply, int lifts
    ) noexcept nogil:
        return (key_of(&self.at, goal, to_play) + <hash_t>lifts * LIFTS
                + <hash_t>self.retakes[ply] * RETAKES)

    cdef int banned_by(self, color_t color, point_t point, int ply) noexcept nogil:
        """The ply whose position a move would recreate, or ``ply``: none."""
        cdef hash_t hash = 0
        cdef int i = 0
        if point == PASS:
            return ply
        hash = hash_after(&self.at, color, point)
        for i in range(self.since[ply], ply):
            if self.path[i] == hash:
                return i
        return ply

    cdef bint lifts_ban(self, int ply) noexcept nogil:
        """Whether two passes led to ``ply``, the prover's because of a ko.

        From then on, positions before it may be recreated.
        """
        return ply > 1 and self.lifts[ply - 1] < MOST_LIFTS and (
            self.path[ply - 2] == self.path[ply - 1] == self.at.hash)

    cdef bint is_hopeless(self, const Goal* goal) noexcept nogil:
        return not self.has_safe[goal.owner] and cannot_live_within(
            &self.at, &self.arena, goal.owner)

    cdef int list_moves(
        self, const Goal* goal, color_t to_play, int ply, point_t* moves
    ) noexcept nogil:
        """The moves to try, best guess first.

        The prover passes only where a ko must not be retaken: who is defending may pass anyway.
        """
        cdef Position* at = &self.at
        cdef color_t prover = opponent(goal.owner) if goal.capture else goal.owner
        cdef int[MOST_MOVES] worth
        cdef int n = 0
        cdef int i = 0
        cdef int k = 0
        cdef int value = 0
        cdef point_t point = PASS
        cdef Legality verdict = LEGAL
        for i in range(-1, self.arena.n):
            if i < 0:
                point = PASS
                if to_play == prover and at.ko == NO_POINT:
                    continue
                value = WORTH_OF_PASS
            else:
                point = self.arena.points[i]
                if at.color[point] != EMPTY or is_own_eye(at, to_play, point):
                    continue
                verdict = legality(at, to_play, point, False)
                if verdict != LEGAL and not (
                        verdict == SIMPLE_KO and goal.retakes > 0 and self.retakes[ply] > 0
                        and to_play == goal.owner):
                    continue
                value = self.worth(goal, to_play, point)
            k = n
            while k > 0 and worth[k - 1] < value:
                worth[k], moves[k] = worth[k - 1], moves[k - 1]
                k -= 1
            worth[k], moves[k] = value, point
            n += 1
            if n == MOST_MOVES:
                break
        return n

    cdef int worth(self, const Goal* goal, color_t color, point_t point) noexcept nogil:
        """A guess at how good a move is, for the order in which moves are tried."""
        cdef Position* at = &self.at
        cdef int value = 0
        cdef int i = 0
        cdef int beside = 0
        cdef int n = 0
        cdef bint takes = False
        for i in range(4):
            beside = point + neighbor(i)
            if at.color[beside] == WALL:
                continue
            if at.color[beside] == EMPTY:
                value += 4
                continue
            n = n_liberties(at, at.head[beside], 3)
            if at.head[beside] == at.head[goal.target]:
                value += 10
            if at.color[beside] != color:
                if n == 1:
                    value += 100 + 10 * at.length[at.head[beside]]
                    takes = True
                elif n == 2:
                    value += 15
            elif n == 1:
                value += 40
        if not takes and liberties_after(at, color, point, 2) < 2:
            value -= 30
        return value
