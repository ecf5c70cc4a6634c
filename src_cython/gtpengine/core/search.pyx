"""Monte-Carlo tree search: select, evaluate, back up, on threads without the GIL.

A Search is given a position, then worked on by as many threads as it was made for, each of which
calls ``work``; ``stop`` makes them return.  The tree stays, and the next position takes over what
it can use of it.  One thread, one seed, and a limit of visits give the same search every time.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from gtpengine.core.atomic cimport fetch_add, load, prefetch, store
from gtpengine.core.evaluator cimport result
from gtpengine.core.history cimport History, Stand, is_repeated, list_banned
from gtpengine.core.leaf cimport N_EARLIER, remember
from gtpengine.core.position cimport (
    Position, copy, hash_after, opponent, order_empty, pass_turn, put,
)
from gtpengine.core.rng cimport seeded
from gtpengine.core.score cimport area
from gtpengine.core.tree cimport UNEXPANDED, Amaf, Node
from gtpengine.core.types cimport (
    BLACK, EMPTY, MAX_POINTS, NO_POINT, PASS, STRIDE, WHITE, color_t, point_t,
)

cdef enum:
    NO_LIMIT = 0x7FFFFFFF
    FEW = 16        # visits, if a search may have so many, that tell who owns what
    PREFETCHED = 4  # lines of the cache, of two nodes each
    DESCENTS = 4    # for each place of a batch, at most: leaves that are known take none


cdef class Search(Findings):
    """A search over one growing tree.

    ``memory`` bounds the tree, in bytes.  ``expand_at`` is the number of visits at which a node
    gets children; the rest are the constants of ``tree``'s Formula.
    """

    def __cinit__(self, *args, **kwargs):
        self.workers = NULL
        self.past = NULL

    def __init__(
        self, Evaluator evaluator not None, *, size_t memory, int n_threads, uint64_t seed,
        float exploration, float amaf_bias, float prior_visits, float prior_shift, int expand_at,
        float width, float widening, float exploration_growth=0, float exploration_base=1,
        float first_play=-1
    ):
        cdef int i = 0
        if n_threads < 1:
            raise ValueError(f"number of threads must be at least 1, got '{n_threads}'")
        self.release()
        self.evaluator = evaluator
        self.provide(memory, amaf_bias > 0 or prior_visits > 0, n_threads)
        self.formula = Formula(
            exploration=exploration, amaf_bias=amaf_bias, prior_visits=prior_visits,
            prior_shift=prior_shift, width=width, widening=widening,
            exploration_growth=exploration_growth, exploration_base=exploration_base,
            first_play=first_play)
        self.expand_at = expand_at
        self.context, self.moves = None, []
        self.workers = <Worker*>calloc(n_threads, sizeof(Worker))
        if self.workers == NULL:
            raise MemoryError("search: no memory for its threads")
        for i in range(n_threads):
            self.workers[i].counts = &self.counts[i]
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
        bint all_alive=False, str superko="simple", avoid=()
    ):
        """Set the root; no thread may be working.

        ``komi`` is what White gets besides the board, handicap bonus included.  ``territory``
        counts prisoners and empty points only; ``all_alive`` says that two passes end the game
        with no stone taken off.  ``avoid`` holds (color, move, depth): the color does not play that
        move among the first ``depth`` moves.  Returns the visits that the root has from earlier
        searches.
        """
        cdef int i = 0
        cdef int n = history.n_moves + 1
        moves = history.moves()
        context = (
            history.board_.position.size, <object>history.stands[0].hash, komi, territory,
            all_alive, superko, (n, *avoid) if avoid else None,
        )
        is_same = (context == self.context and moves == self.moves and to_play == self.to_play)
        if not (context == self.context and self.follow(
                moves[len(self.moves):] + [(to_play, None)]
                if moves[:len(self.moves)] == self.moves else [])):
            self.tree.clear()
        self.evaluator.prepare(history.board_.position.size)
        self.context, self.moves = context, moves
        self.root = history.board_.position
        order_empty(&self.root)
        self.to_play = <color_t>to_play
        self.last = <point_t>history.changes[n - 2].point if n > 1 else NO_POINT
        self.last_but_one = <point_t>history.changes[n - 3].point if n > 2 else NO_POINT
        for i in range(N_EARLIER):
            self.earlier[i] = <point_t>history.changes[n - 4 - i].point if n > 3 + i else NO_POINT
        self.passed = self.last == PASS
        self.komi, self.territory, self.all_alive = komi, territory, all_alive
        self.superko, self.situational = superko != "simple", superko == "situational"
        self.is_restricted = bool(avoid)
        memset(self.avoided, 0, sizeof(self.avoided))
        for color, move, depth in avoid:
            self.avoided[<int>color][<int>move] = <int16_t>min(depth, MAX_DEPTH)
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
        if not is_same:
            self.count_nothing()
        return self.tree.nodes[0].visits

    cdef bint follow(self, list moves) except -1:
        """Make the node that ``moves`` lead to the root; false if the tree has no such node.

        A node without children does not count: a search that is stopped at once would know no move.
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
        if self.tree.nodes[node].children < 0:
            return False
        if node != 0:
            self.tree.keep(node)
        return True

    def forget(self):
        """Drop the tree: the next position starts from nothing."""
        self.context, self.moves = None, []

    def set_priors(self, priors):
        """Give moves at the root other priors: a dict of priors, 0..1, by point.

        The root has its moves from the first visit on, as ``choices`` tells them; what is not named
        stays as it is.  No thread may be working.  Raises ValueError for a move that the root does
        not have.
        """
        cdef int32_t first = self.tree.nodes[0].children
        cdef int32_t i = 0
        children = {}
        if first >= 0:
            for i in range(first, first + self.tree.nodes[0].n_children):
                children[<int>self.tree.nodes[i].move] = i
        for move, prior in priors.items():
            if move not in children:
                raise ValueError(f"expected a move of the root, got '{move}'")
            self.tree.nodes[<int32_t>children[move]].prior = prior

    def begin(self, most_visits=None, bint detailed=False):
        """Get ready for ``work``, up to ``most_visits`` visits of the root in all.

        ``detailed`` counts owners by move at the root, too, for ``ownership_by_move``.  Where
        earlier searches have used up the visits and told nothing of owners, a few are added.
        """
        cdef int64_t most = NO_LIMIT if most_visits is None else min(most_visits, NO_LIMIT)
        cdef int64_t visits = self.tree.nodes[0].visits
        self.want_detail(detailed)
        if visits >= most and self.n_counted(detailed) == 0:
            most = min(visits + min(FEW, most), NO_LIMIT)
        self.most_visits = <int>most
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
            # One visit gives the root its moves: even a search that is stopped at once has some.
            while load(&self.stopping) == 0 or self.tree.nodes[0].visits == 0:
                if self.tree.nodes[0].visits >= self.most_visits:
                    store(&self.stopping, 1)
                    break
                self.simulate(worker)

    cdef int simulate(self, Worker* worker) except -1 nogil:
        """Descend to a batch of leaves, evaluate them, and back the results up.

        A leaf whose value is known is backed up at once and the descents go on: it takes no place
        in the batch, and the later descents profit from it.
        """
        cdef Leaf* leaf = worker.leaves
        cdef Path* path = worker.paths
        cdef int n = 0
        cdef int i = 0
        cdef int most = max(1, min(
            DESCENTS * self.evaluator.batch_size, self.most_visits - self.tree.nodes[0].visits))
        for _ in range(most):
            self.descend(worker, leaf, path)
            if n > 0 and not self.evaluator.repeats and self.is_waiting(path):
                self.abandon(path)
                break
            if path.is_over and self.all_alive:
                self.score_final(leaf)
            elif not self.evaluator.recall(leaf):
                n += 1
                if n == self.evaluator.batch_size:
                    break
                leaf += 1
                path += 1
                continue
            self.finish(worker, leaf, path)
        if n > 0:
            self.evaluator.evaluate(worker.leaves, n, &worker.rng)
        for i in range(n):
            self.finish(worker, &worker.leaves[i], &worker.paths[i])
        return 0

    cdef int finish(self, Worker* worker, Leaf* leaf, const Path* path) noexcept nogil:
        """Take an evaluated leaf into the tree."""
        if self.is_restricted and leaf.n_candidates > 0:
            self.drop_avoided(leaf, path.depth)
        self.back_up(worker, leaf, path)
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
        copy(at, &self.root)
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
            for i in range(PREFETCHED):   # for the next selection, while the move is played
                prefetch(&nodes[nodes[child].children + 2 * i])
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

    cdef int drop_avoided(self, Leaf* leaf, int depth) noexcept nogil:
        """Take off the list the candidates that are not to be played at this depth."""
        cdef int n = 0
        cdef int i = 0
        for i in range(leaf.n_candidates):
            if depth >= self.avoided[leaf.to_play][leaf.candidates[i].move]:
                leaf.candidates[n] = leaf.candidates[i]
                n += 1
        leaf.n_candidates = n
        return n

    cdef int back_up(self, Worker* worker, const Leaf* leaf, const Path* path) noexcept nogil:
        """Give the leaf its children, and every node on the path the result."""
        cdef Node* nodes = self.tree.nodes
        cdef color_t[MAX_POINTS] first    # who plays a point first, from the current depth on
        cdef color_t color = leaf.to_play
        cdef Node* node = NULL
        cdef Amaf* amaf = self.tree.amaf
        cdef float value = 0
        cdef float counts = 0
        cdef int depth = 0
        cdef int i = 0
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
                first[PASS] = EMPTY
                if self.formula.amaf_bias > 0:
                    for i in range(node.children, node.children + node.n_children):
                        # Without a branch: it would be as good as random.
                        counts = first[nodes[i].move if nodes[i].move > PASS else PASS] == color
                        amaf[i].visits += counts
                        amaf[i].sum += counts * (1 - value)
            if depth > 0:
                fetch_add(&node.n_running, -1)
            color = opponent(color)
        self.count(worker.counts, leaf, path.moves[0] if path.depth > 0 else NO_POINT)
        return 0
