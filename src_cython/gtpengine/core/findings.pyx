"""What a search has found, read from its tree and from what its threads counted.

All of it may be read while the search is running: then it is what was there a moment ago.
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from gtpengine.core.tree cimport UNEXPANDED, Node
from gtpengine.core.types cimport BLACK, MAX_POINTS, NO_POINT, STRIDE, point_t

from typing import NamedTuple

import numpy as np


class Choice(NamedTuple):
    """A move at the root and what the search thinks of it.

    ``win_rate`` is the mean result, 0..1, for the player to move (the guess before the search if
    the move was never visited), ``lead`` the mean score, points for the player to move, komi
    included; ``prior`` is 0..1.  ``deviation`` and ``lead_deviation`` are the standard deviations
    of one result and of one score: of the move's own since the root was set, as far as there are
    some, else of those of all moves.
    """

    point: int
    visits: int
    win_rate: float
    lead: float
    prior: float
    deviation: float
    lead_deviation: float


cdef enum:
    DOUBT = 10   # results that the deviation of those of all moves counts as


cdef inline double deviation(int64_t n, double total, double square) noexcept nogil:
    """The standard deviation of n numbers, from their sum and that of their squares."""
    cdef double mean = total / n if n > 0 else 0
    return sqrt(max(square / n - mean * mean, 0)) if n > 0 else 0


cdef inline double joined(int64_t n, double own, double usual) noexcept nogil:
    """The deviation of n numbers, where few say less than what is usual."""
    return usual if n == 0 else sqrt((n * own * own + DOUBT * usual * usual) / (n + DOUBT))


cdef class Findings:
    """The base of Search: what can be read, and what that is read from."""

    def __cinit__(self, *args, **kwargs):
        self.counts = NULL

    def __init__(self):
        raise TypeError("findings are those of a Search")

    def __dealloc__(self):
        self.free_counts()

    cdef int provide(self, size_t memory, bint has_amaf, int n_threads) except -1:
        """Make an empty tree of at most ``memory`` bytes, and counts for so many threads."""
        self.free_counts()
        self.tree = Tree(memory, has_amaf)
        self.counts = <Counts*>calloc(n_threads, sizeof(Counts))
        if self.counts == NULL:
            raise MemoryError("search: no memory for its threads")
        self.n_threads = n_threads
        return 0

    cdef int free_counts(self) noexcept:
        cdef int i = 0
        if self.counts != NULL:
            for i in range(self.n_threads):
                free(self.counts[i].detail)
        free(self.counts)
        self.counts, self.n_threads = NULL, 0
        return 0

    cdef int want_detail(self, bint is_wanted) except -1:
        """Count owners by move at the root, too, or no longer."""
        cdef int i = 0
        for i in range(self.n_threads):
            if is_wanted and self.counts[i].detail == NULL:
                self.counts[i].detail = <Detail*>calloc(1, sizeof(Detail))
                if self.counts[i].detail == NULL:
                    raise MemoryError("search: no memory for the owners by move")
            elif not is_wanted:
                free(self.counts[i].detail)
                self.counts[i].detail = NULL
        return 0

    cdef int count_nothing(self) noexcept nogil:
        """Forget what the leaves said of points and moves."""
        cdef int i = 0
        for i in range(self.n_threads):
            self.counts[i].n_owner = 0
            memset(self.counts[i].owner, 0, sizeof(self.counts[i].owner))
            memset(self.counts[i].tally, 0, sizeof(self.counts[i].tally))
            if self.counts[i].detail != NULL:
                memset(self.counts[i].detail, 0, sizeof(Detail))
        return 0

    cdef int64_t n_counted(self, bint detailed) noexcept:
        """Leaves that have told who owns what since the root was set; by move, if ``detailed``."""
        cdef int64_t n = 0
        cdef int i = 0
        for i in range(self.n_threads):
            if not detailed:
                n += self.counts[i].n_owner
            elif self.counts[i].detail != NULL:
                n += self.counts[i].detail.n_leaves
        return n

    cdef int count(self, Counts* counts, const Leaf* leaf, int move) noexcept nogil:
        """Add a leaf to what is known of the points and of the move at the root that led to it.

        That move is NO_POINT where the leaf is the root.
        """
        cdef Tally* tally = NULL
        cdef Detail* detail = counts.detail
        cdef double value = leaf.value if self.to_play == BLACK else 1 - leaf.value
        cdef int i = 0
        for i in range(STRIDE, (self.root.size + 1) * STRIDE):
            counts.owner[i] += leaf.owner[i]
        counts.n_owner += 1
        if detail != NULL:
            detail.n_leaves += 1
        if move == NO_POINT:
            return 0
        tally = &counts.tally[move]
        tally.n += 1
        tally.result += value
        tally.result_square += value * value
        tally.lead += leaf.lead
        tally.lead_square += leaf.lead * leaf.lead
        if detail != NULL:
            detail.n[move] += 1
            for i in range(STRIDE, (self.root.size + 1) * STRIDE):
                detail.owner[move][i] += leaf.owner[i]
                detail.owner_square[move][i] += leaf.owner[i] * leaf.owner[i]
        return 0

    cdef Tally sum_of(self, int move) noexcept nogil:
        """What all threads counted below a move at the root; below all of them for NO_POINT."""
        cdef Tally total
        cdef Tally* tally = NULL
        cdef int first = 0 if move == NO_POINT else move
        cdef int last = MAX_POINTS - 1 if move == NO_POINT else move
        cdef int i = 0
        cdef int k = 0
        memset(&total, 0, sizeof(Tally))
        for i in range(self.n_threads):
            for k in range(first, last + 1):
                tally = &self.counts[i].tally[k]
                total.n += tally.n
                total.result += tally.result
                total.result_square += tally.result_square
                total.lead += tally.lead
                total.lead_square += tally.lead_square
        return total

    cdef int32_t best_child(self, int32_t node) noexcept nogil:
        """The most visited child (the better one of equals), or UNEXPANDED."""
        cdef Node* nodes = self.tree.nodes
        cdef int32_t best = UNEXPANDED
        cdef int32_t i = 0
        if nodes[node].children < 0:
            return UNEXPANDED
        for i in range(nodes[node].children, nodes[node].children + nodes[node].n_children):
            if nodes[i].move != NO_POINT and (
                    best == UNEXPANDED or nodes[i].visits > nodes[best].visits or (
                        nodes[i].visits == nodes[best].visits
                        and nodes[i].value_sum > nodes[best].value_sum)):
                best = i
        return best

    @property
    def visits(self):
        """Visits of the root."""
        return self.tree.nodes[0].visits

    @property
    def n_nodes(self):
        """Nodes in the tree."""
        return self.tree.count

    @property
    def win_rate(self):
        """Mean result at the root, 0..1, for the player to move; 0.5 without visits."""
        cdef Node* root = self.tree.nodes
        return 1 - root.value_sum / root.visits if root.visits else 0.5

    @property
    def lead(self):
        """Mean score at the root, points for the player to move, komi included."""
        return self.tree.nodes[0].lead if self.to_play == BLACK else -self.tree.nodes[0].lead

    @property
    def lead_deviation(self):
        """Standard deviation of one game's score, points, over the games since the root was set."""
        cdef Tally total = self.sum_of(NO_POINT)
        return deviation(total.n, total.lead, total.lead_square)

    def leaders(self):
        """(most visits, second most visits, whether the most visited move has the best result)."""
        cdef Node* nodes = self.tree.nodes
        cdef int32_t best = self.best_child(0)
        cdef int32_t i = 0
        cdef int32_t second = 0
        cdef bint leads = True
        if best == UNEXPANDED:
            return 0, 0, True
        for i in range(nodes[0].children, nodes[0].children + nodes[0].n_children):
            if i == best or nodes[i].move == NO_POINT:
                continue
            second = max(second, nodes[i].visits)
            # Moves with few visits have no say yet.
            if 8 * nodes[i].visits > nodes[best].visits and (
                    nodes[i].value_sum * nodes[best].visits
                    > nodes[best].value_sum * nodes[i].visits):
                leads = False
        return nodes[best].visits, second, leads

    def choices(self):
        """Every Choice at the root, most visited first."""
        cdef Node* nodes = self.tree.nodes
        cdef int32_t i = 0
        cdef Tally tally
        cdef Tally total = self.sum_of(NO_POINT)
        cdef double usual = 0.5   # results are 0..1
        cdef double usual_lead = deviation(total.n, total.lead, total.lead_square)
        sign = 1 if self.to_play == BLACK else -1
        if total.n > 1:
            usual = deviation(total.n, total.result, total.result_square)
        found = []
        if nodes[0].children >= 0:
            for i in range(nodes[0].children, nodes[0].children + nodes[0].n_children):
                if nodes[i].move == NO_POINT:
                    continue
                rate = 0.5
                if nodes[i].visits:
                    rate = nodes[i].value_sum / nodes[i].visits
                elif self.tree.amaf != NULL and self.tree.amaf[i].visits:
                    rate = self.tree.amaf[i].sum / self.tree.amaf[i].visits
                rate = min(max(rate, 0), 1)  # threads may have lost a count
                tally = self.sum_of(nodes[i].move)
                found.append(Choice(
                    <int>nodes[i].move, nodes[i].visits, rate, sign * nodes[i].lead,
                    nodes[i].prior,
                    joined(tally.n, deviation(tally.n, tally.result, tally.result_square), usual),
                    joined(tally.n, deviation(tally.n, tally.lead, tally.lead_square), usual_lead),
                ))
        return sorted(found, key=lambda choice: (-choice.visits, -choice.win_rate))

    cdef list line_from(self, object first, int most):
        """The nodes of the main line; of that after the move ``first`` unless it is None."""
        cdef int32_t node = 0
        cdef int32_t i = 0
        line = []
        if first is not None:
            node = UNEXPANDED
            if self.tree.nodes[0].children >= 0:
                for i in range(self.tree.nodes[0].n_children):
                    if self.tree.nodes[self.tree.nodes[0].children + i].move == <point_t>first:
                        node = self.tree.nodes[0].children + i
            if node != UNEXPANDED:
                line.append(node)
        while node != UNEXPANDED and len(line) < most:
            node = self.best_child(node)
            if node == UNEXPANDED or self.tree.nodes[node].visits == 0:
                break
            line.append(node)
        return line

    def variation(self, first=None, int most=30):
        """The main line, a list of points; it begins with ``first`` if that is given."""
        line = [<int>self.tree.nodes[<int32_t>node].move for node in self.line_from(first, most)]
        return line or ([] if first is None else [first])

    def variation_visits(self, first=None, int most=30):
        """The visits of the moves of ``variation``."""
        line = [self.tree.nodes[<int32_t>node].visits for node in self.line_from(first, most)]
        return line or ([] if first is None else [0])

    def ownership(self):
        """Mean owner of each point over the leaves since the root was set.

        Returns float32, shape (size, size); row 0 is the top line, column 0 is A; +1 Black, -1
        White.
        """
        cdef int i = 0
        cdef int size = self.root.size
        cdef double total = 0
        cdef long long n = 0
        for i in range(self.n_threads):
            n += self.counts[i].n_owner
        grid = np.zeros((size, size), dtype=np.float32)
        for line in range(1, size + 1):
            for column in range(1, size + 1):
                total = 0
                for i in range(self.n_threads):
                    total += self.counts[i].owner[<int>(line * STRIDE + column)]
                grid[size - line, column - 1] = total / n if n else 0
        return grid

    def ownership_by_move(self, move=None):
        """(mean, standard deviation) of the owner of each point, after one move or after all.

        Two arrays as ``ownership`` gives them, over the leaves since ``begin`` wanted them
        detailed; all zero where there are none.
        """
        cdef int size = self.root.size
        cdef int point = 0
        cdef int i = 0
        cdef int k = 0
        cdef double n = 0
        cdef double total = 0
        cdef double square = 0
        cdef int first = 0 if move is None else move
        cdef int last = MAX_POINTS - 1 if move is None else move
        mean = np.zeros((size, size), dtype=np.float32)
        spread = np.zeros((size, size), dtype=np.float32)
        for line in range(1, size + 1):
            for column in range(1, size + 1):
                point = line * STRIDE + column
                n = total = square = 0
                for i in range(self.n_threads):
                    if self.counts[i].detail != NULL:
                        for k in range(first, last + 1):
                            n += self.counts[i].detail.n[k]
                            total += self.counts[i].detail.owner[k][point]
                            square += self.counts[i].detail.owner_square[k][point]
                if n > 0:
                    mean[size - line, column - 1] = total / n
                    spread[size - line, column - 1] = deviation(<int64_t>n, total, square)
        return mean, spread
