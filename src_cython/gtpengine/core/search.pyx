"""Monte-Carlo tree search: select, evaluate, back up, on threads without the GIL.

A Search is given a position, then worked on by as many threads as it was made for, each of which
calls ``work``; ``stop`` makes them return.  The tree stays, and the next position takes over what
it can use of it.  One thread, one seed, and a limit of visits give the same search every time.
"""

from libc.stdint cimport int8_t, int32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from gtpengine.core.atomic cimport fetch_add, load, store
from gtpengine.core.board cimport hash_after, opponent, pass_turn, put
from gtpengine.core.evaluator cimport result
from gtpengine.core.history cimport History, Stand, is_repeated, list_banned
from gtpengine.core.leaf cimport N_EARLIER, remember
from gtpengine.core.rng cimport seeded
from gtpengine.core.score cimport area
from gtpengine.core.tree cimport UNEXPANDED, Node
from gtpengine.core.types cimport (
    BLACK, MAX_POINTS, NO_POINT, PASS, STRIDE, WHITE, color_t, point_t,
)

from typing import NamedTuple

import numpy as np

cdef enum:
    NO_LIMIT = 0x7FFFFFFF


class Choice(NamedTuple):
    """A move at the root and what the search thinks of it.

    ``win_rate`` is the mean result, 0..1, for the player to move (the guess before the search if
    the move was never visited), ``lead`` the mean score, points for the player to move, komi
    included; ``prior`` is 0..1.
    """

    point: int
    visits: int
    win_rate: float
    lead: float
    prior: float


cdef class Search:
    """A search over one growing tree.

    ``memory`` bounds the tree, in bytes.  ``expand_at`` is the number of visits at which a node
    gets children; the other constants are those of ``tree``'s Formula.
    """

    def __cinit__(self, *args, **kwargs):
        self.workers = NULL
        self.past = NULL

    def __init__(
        self, Evaluator evaluator not None, *, size_t memory, int n_threads, uint64_t seed,
        float exploration, float amaf_bias, float prior_visits, float prior_shift, int expand_at,
        float exploration_growth=0, float exploration_base=1, float first_play=-1
    ):
        cdef int i = 0
        if n_threads < 1:
            raise ValueError(f"number of threads must be at least 1, got '{n_threads}'")
        self.release()
        self.evaluator = evaluator
        self.tree = Tree(memory)
        self.n_threads = n_threads
        self.formula = Formula(
            exploration=exploration, amaf_bias=amaf_bias, prior_visits=prior_visits,
            prior_shift=prior_shift, exploration_growth=exploration_growth,
            exploration_base=exploration_base, first_play=first_play)
        self.expand_at = expand_at
        self.context, self.moves = None, []
        self.workers = <Worker*>calloc(n_threads, sizeof(Worker))
        if self.workers == NULL:
            raise MemoryError("search: no memory for its threads")
        for i in range(n_threads):
            self.workers[i].rng = seeded(seed + 1000003 * <uint64_t>i)
            self.workers[i].leaves = <Leaf*>malloc(evaluator.batch_size * sizeof(Leaf))
            self.workers[i].paths = <Path*>malloc(evaluator.batch_size * sizeof(Path))
            if self.workers[i].leaves == NULL or self.workers[i].paths == NULL:
                raise MemoryError("search: no memory for its threads")

    def __dealloc__(self):
        self.release()

    cdef int release(self) noexcept:
        cdef int i = 0
        if self.workers != NULL:
            for i in range(self.n_threads):
                free(self.workers[i].leaves)
                free(self.workers[i].paths)
                free(self.workers[i].stands)
        free(self.workers)
        free(self.past)
        self.workers, self.past = NULL, NULL
        return 0

    def set_position(
        self, History history not None, int to_play, *, float komi, bint territory=False,
        bint all_alive=False, str superko="simple"
    ):
        """Set the root; no thread may be working.

        ``komi`` is what White gets besides the board, handicap bonus included.  ``territory``
        counts prisoners and empty points only; ``all_alive`` says that two passes end the game
        with no stone taken off.  Returns the visits that the root has from earlier searches.
        """
        cdef int i = 0
        cdef int n = history.n_moves + 1
        moves = history.moves()
        context = (
            history.board_.position.size, <object>history.stands[0].hash, komi, territory,
            all_alive, superko,
        )
        if not (context == self.context and self.follow(
                moves[len(self.moves):] + [(to_play, None)]
                if moves[:len(self.moves)] == self.moves else [])):
            self.tree.clear()
        self.evaluator.prepare(history.board_.position.size)
        self.context, self.moves = context, moves
        self.root = history.board_.position
        self.to_play = <color_t>to_play
        self.last = <point_t>history.changes[n - 2].point if n > 1 else NO_POINT
        self.last_but_one = <point_t>history.changes[n - 3].point if n > 2 else NO_POINT
        for i in range(N_EARLIER):
            self.earlier[i] = <point_t>history.changes[n - 4 - i].point if n > 3 + i else NO_POINT
        self.passed = self.last == PASS
        self.komi, self.territory, self.all_alive = komi, territory, all_alive
        self.superko, self.situational = superko != "simple", superko == "situational"
        free(self.past)
        self.n_past = n
        self.past = <Stand*>malloc(n * sizeof(Stand))
        if self.past == NULL:
            raise MemoryError("search: no memory for the past positions")
        memcpy(self.past, history.stands, n * sizeof(Stand))
        for i in range(self.n_threads):
            free(self.workers[i].stands)
            self.workers[i].stands = <Stand*>malloc((n + MAX_DEPTH + 1) * sizeof(Stand))
            if self.workers[i].stands == NULL:
                raise MemoryError("search: no memory for the past positions")
            memcpy(self.workers[i].stands, self.past, n * sizeof(Stand))
            self.workers[i].n_owner = 0
            memset(self.workers[i].owner, 0, sizeof(self.workers[i].owner))
        return self.tree.nodes[0].visits

    cdef bint follow(self, list moves) except -1:
        """Make the node that ``moves`` lead to the root; false if the tree has no such node.

        ``moves`` are (color, point) from the root on; the last one is only whose turn it is.
        """
        cdef int32_t node = 0
        cdef int32_t child = 0
        cdef int i = 0
        expected = <int>self.to_play
        if not moves:
            return False
        for color, point in moves:
            if color != expected:
                return False
            if point is None:
                break
            if self.tree.nodes[node].children < 0:
                return False
            child = UNEXPANDED
            for i in range(self.tree.nodes[node].n_children):
                if self.tree.nodes[self.tree.nodes[node].children + i].move == <point_t>point:
                    child = self.tree.nodes[node].children + i
            if child == UNEXPANDED:
                return False
            node = child
            expected = opponent(<color_t>expected)
        if node != 0:
            self.tree.keep(node)
        return True

    def forget(self):
        """Drop the tree: the next position starts from nothing."""
        self.context, self.moves = None, []

    def begin(self, most_visits=None):
        """Get ready for ``work``, up to ``most_visits`` visits of the root in all."""
        self.most_visits = NO_LIMIT if most_visits is None else min(most_visits, NO_LIMIT)
        self.stopping = 0

    def stop(self):
        """Make every ``work`` return soon; may be called from any thread."""
        store(&self.stopping, 1)

    @property
    def is_stopping(self):
        """Whether the work is to end: ``stop`` was called or the visits are used up."""
        return load(&self.stopping) != 0

    def work(self, int thread):
        """Search, as thread number ``thread``, until ``stop`` or the limit of visits."""
        if not 0 <= thread < self.n_threads:
            raise ValueError(f"thread must be 0..{self.n_threads - 1}, got '{thread}'")
        cdef Worker* worker = &self.workers[thread]
        with nogil:
            while load(&self.stopping) == 0:
                if self.tree.nodes[0].visits >= self.most_visits:
                    store(&self.stopping, 1)
                    break
                self.simulate(worker)

    cdef int simulate(self, Worker* worker) except -1 nogil:
        """Descend to a batch of leaves, evaluate them, and back the results up."""
        cdef int n = 0
        cdef int i = 0
        while n < self.evaluator.batch_size:
            self.descend(worker, &worker.leaves[n], &worker.paths[n])
            if n > 0 and not self.evaluator.repeats and self.is_waiting(&worker.paths[n]):
                self.abandon(&worker.paths[n])
                break
            if worker.leaves[n].is_final:
                self.score_final(&worker.leaves[n])
            n += 1
        self.evaluator.evaluate(worker.leaves, n, &worker.rng)
        for i in range(n):
            self.back_up(worker, &worker.leaves[i], &worker.paths[i])
        return 0

    cdef bint is_waiting(self, const Path* path) noexcept nogil:
        """Whether the leaf of ``path`` is being evaluated, for an earlier descent, already."""
        cdef Node* leaf = &self.tree.nodes[path.nodes[path.depth]]
        return not path.is_over and load(&leaf.children) < 0 and (
            path.depth == 0 or load(&leaf.n_running) > 1)

    cdef int abandon(self, const Path* path) noexcept nogil:
        """Take back a descent whose leaf will not be evaluated."""
        cdef int depth = 0
        for depth in range(1, path.depth + 1):
            fetch_add(&self.tree.nodes[path.nodes[depth]].n_running, -1)
        return 0

    cdef int descend(self, Worker* worker, Leaf* leaf, Path* path) noexcept nogil:
        """Select moves from the root to a node without children; fill the in fields of ``leaf``."""
        cdef Position* at = &leaf.position
        cdef Node* nodes = self.tree.nodes
        cdef color_t color = self.to_play
        cdef int32_t node = 0
        cdef int32_t child = 0
        cdef int n_stands = self.n_past
        cdef point_t move = PASS
        cdef bint passed = self.passed
        cdef int i = 0
        at[0] = self.root
        leaf.last, leaf.last_but_one = self.last, self.last_but_one
        for i in range(N_EARLIER):
            leaf.earlier[i] = self.earlier[i]
        path.depth = 0
        path.is_over = False
        path.nodes[0] = 0
        while load(&nodes[node].children) >= 0 and path.depth < MAX_DEPTH and not path.is_over:
            child = self.tree.select(node, &self.formula)
            if child == UNEXPANDED:
                break
            move = nodes[child].move
            if self.superko and move != PASS and nodes[child].visits == 0 and is_repeated(
                    worker.stands, n_stands, hash_after(at, color, move), opponent(color),
                    self.situational):
                nodes[child].move = NO_POINT
                continue
            fetch_add(&nodes[child].n_running, 1)
            if move == PASS:
                pass_turn(at)
                path.is_over = passed
            else:
                put(at, color, move)
            passed = move == PASS
            color = opponent(color)
            worker.stands[n_stands].hash, worker.stands[n_stands].to_play = at.hash, color
            n_stands += 1
            remember(leaf, move)
            path.moves[path.depth] = move
            path.depth += 1
            path.nodes[path.depth] = child
            node = child
        leaf.to_play = color
        leaf.komi, leaf.territory = self.komi, self.territory
        if self.territory:
            # Territory and prisoners are the area less the stones played: S of Black's playing adds
            # S stones or prisoners.  Those of the playout itself come in pairs and are left out.
            leaf.komi += (at.n_stones[BLACK] + at.n_lost[BLACK]
                          - at.n_stones[WHITE] - at.n_lost[WHITE])
        leaf.wants_candidates = not path.is_over and path.depth < MAX_DEPTH and (
            nodes[node].children == UNEXPANDED
            and (node == 0 or nodes[node].visits + 1 >= self.expand_at))
        leaf.is_over = path.is_over
        leaf.is_final = path.is_over and self.all_alive
        leaf.n_banned = 0
        if self.superko and self.evaluator.asks_superko:
            leaf.n_banned = list_banned(
                at, color, worker.stands, n_stands, self.situational, leaf.banned)
        leaf.n_candidates = 0
        leaf.trace.n = 0
        return 0

    cdef int score_final(self, Leaf* leaf) noexcept nogil:
        """Evaluate a leaf where two passes have ended the game, every stone being alive."""
        cdef int8_t[MAX_POINTS] owner
        cdef int i = 0
        leaf.lead = area(&leaf.position, owner) - leaf.komi
        leaf.value = result(leaf.lead, leaf.position.size, self.evaluator.score_weight)
        for i in range(STRIDE, (leaf.position.size + 1) * STRIDE):
            leaf.owner[i] = owner[i]
        return 0

    cdef int back_up(self, Worker* worker, const Leaf* leaf, const Path* path) noexcept nogil:
        """Give the leaf its children, and every node on the path the result."""
        cdef Node* nodes = self.tree.nodes
        cdef color_t[MAX_POINTS] first    # who plays a point first, from the current depth on
        cdef color_t color = leaf.to_play
        cdef Node* node = NULL
        cdef Node* child = NULL
        cdef float value = 0
        cdef int depth = 0
        cdef int i = 0
        cdef int _ = 0
        if leaf.n_candidates > 0:
            self.tree.expand(
                path.nodes[path.depth], leaf.candidates, leaf.n_candidates, &self.formula)
        memset(first, 0, sizeof(first))
        for i in range(leaf.trace.n - 1, -1, -1):
            first[leaf.trace.moves[i]] = color if i % 2 == 0 else opponent(color)
        for depth in range(path.depth, -1, -1):
            node = &nodes[path.nodes[depth]]
            # ``color`` is to move at this node: the node's own result is its opponent's.
            value = leaf.value if color == WHITE else 1 - leaf.value
            node.value_sum += value
            node.visits += 1
            node.lead += (leaf.lead - node.lead) / node.visits
            if depth < path.depth:
                first[path.moves[depth]] = color
                if self.formula.amaf_bias > 0:
                    child = &nodes[node.children]
                    for _ in range(node.n_children):
                        if child.move > PASS and first[child.move] == color:
                            child.amaf_visits += 1
                            child.amaf_sum += 1 - value
                        child += 1
            if depth > 0:
                fetch_add(&node.n_running, -1)
            color = opponent(color)
        for i in range(STRIDE, (self.root.size + 1) * STRIDE):
            worker.owner[i] += leaf.owner[i]
        worker.n_owner += 1
        return 0

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
        sign = 1 if self.to_play == BLACK else -1
        found = []
        if nodes[0].children >= 0:
            for i in range(nodes[0].children, nodes[0].children + nodes[0].n_children):
                if nodes[i].move == NO_POINT:
                    continue
                rate = (nodes[i].value_sum / nodes[i].visits if nodes[i].visits
                        else nodes[i].amaf_sum / nodes[i].amaf_visits if nodes[i].amaf_visits
                        else 0.5)
                lead = sign * nodes[i].lead
                found.append(
                    Choice(<int>nodes[i].move, nodes[i].visits, rate, lead, nodes[i].prior))
        return sorted(found, key=lambda choice: (-choice.visits, -choice.win_rate))

    def variation(self, first=None, int most=30):
        """The main line, a list of points; after ``first`` if that is given."""
        cdef int32_t node = 0
        cdef int32_t i = 0
        line = []
        if first is not None:
            line.append(first)
            node = UNEXPANDED
            if self.tree.nodes[0].children >= 0:
                for i in range(self.tree.nodes[0].n_children):
                    if self.tree.nodes[self.tree.nodes[0].children + i].move == <point_t>first:
                        node = self.tree.nodes[0].children + i
        while node != UNEXPANDED and len(line) < most:
            node = self.best_child(node)
            if node == UNEXPANDED or self.tree.nodes[node].visits == 0:
                break
            line.append(<int>self.tree.nodes[node].move)
        return line

    def ownership(self):
        """Mean owner of each point over the leaves since ``set_position``.

        Returns float32, shape (size, size); row 0 is the top line, column 0 is A; +1 Black, -1
        White.
        """
        cdef int i = 0
        cdef int size = self.root.size
        cdef double total = 0
        cdef long long n = 0
        for i in range(self.n_threads):
            n += self.workers[i].n_owner
        grid = np.zeros((size, size), dtype=np.float32)
        for line in range(1, size + 1):
            for column in range(1, size + 1):
                total = 0
                for i in range(self.n_threads):
                    total += self.workers[i].owner[<int>(line * STRIDE + column)]
                grid[size - line, column - 1] = total / n if n else 0
        return grid
