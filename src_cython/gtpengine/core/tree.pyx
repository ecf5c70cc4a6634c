"""The search tree: one array of nodes, children side by side, shared by all threads without locks.

Counts are added without a lock, so that now and then one is lost when two threads meet; selection
does not mind (Enzenberger and Müller 2009, A Lock-free Multithreaded Monte-Carlo Tree Search
Algorithm).  Only the taking of memory and the right to expand a node are atomic.
"""

from libc.math cimport log1pf, sqrtf
from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc

from gtpengine.core.atomic cimport fetch_add, store, swap
from gtpengine.core.leaf cimport Candidate
from gtpengine.core.types cimport NO_POINT, PASS


cdef inline int start(Node* node, const Candidate* candidate) noexcept nogil:
    node.value_sum = node.lead = 0
    node.prior = candidate.prior
    node.visits = node.n_running = node.n_children = 0
    node.children = UNEXPANDED
    node.move = candidate.move
    return 0


cdef class Tree:
    """At most ``memory`` bytes of nodes, counting the copy that ``keep`` makes.

    Pages that were never written take no memory: a small search stays small.  Without ``has_amaf``
    there are no such counts, and the formulas of selection must not ask for any.
    """

    def __cinit__(self, size_t memory, bint has_amaf):
        cdef size_t size = 2 * (sizeof(Node) + (sizeof(Amaf) if has_amaf else 0))
        self.nodes, self.amaf = NULL, NULL
        self.capacity = <int32_t>min(memory // size, 2**31 - 4096)
        if self.capacity < 1024:
            raise ValueError(f"memory of the tree must be at least {1024 * size} bytes, "
                             f"got '{memory}'")
        self.nodes = <Node*>malloc(self.capacity * sizeof(Node))
        if has_amaf:
            self.amaf = <Amaf*>malloc(self.capacity * sizeof(Amaf))
        if self.nodes == NULL or has_amaf and self.amaf == NULL:
            raise MemoryError(f"search tree: no memory for {self.capacity} nodes")
        self.clear()

    def __dealloc__(self):
        free(self.nodes)
        free(self.amaf)

    cdef int clear(self) noexcept nogil:
        """Leave nothing but a root without visits."""
        cdef Candidate nothing = Candidate(move=PASS, prior=1, value=0.5)
        start(self.nodes, &nothing)
        if self.amaf != NULL:
            self.amaf[0] = Amaf(0, 0)
        self.count = 1
        return 0

    cdef int expand(
        self, int32_t node, const Candidate* candidates, int n, const Formula* formula
    ) noexcept nogil:
        """Give a node its children, unless another thread did or memory is full."""
        cdef int32_t first = 0
        cdef int i = 0
        cdef float shift = 0
        if self.count + n > self.capacity or not swap(
                &self.nodes[node].children, UNEXPANDED, EXPANDING):
            return 0
        first = fetch_add(&self.count, n)
        if first + n > self.capacity:
            fetch_add(&self.count, -n)
            store(&self.nodes[node].children, UNEXPANDED)
            return 0
        for i in range(n):
            start(&self.nodes[first + i], &candidates[i])
        if self.nodes[node].visits > 0:
            # A guess of 0.5 is meant for an even position: move it towards what this one is worth.
            shift = formula.prior_shift * (
                0.5 - <float>self.nodes[node].value_sum / self.nodes[node].visits)
        for i in range(n if self.amaf != NULL else 0):
            self.amaf[first + i].visits = formula.prior_visits
            self.amaf[first + i].sum = formula.prior_visits * candidates[i].value
            self.amaf[first + i].sum += formula.prior_visits * shift
        self.nodes[node].n_children = <int16_t>n
        store(&self.nodes[node].children, first)
        return n

    cdef float visited_prior(self, int32_t node) noexcept nogil:
        """The sum of the priors of the children that have visits."""
        cdef Node* child = &self.nodes[self.nodes[node].children]
        cdef float visited = 0
        cdef int i = 0
        for i in range(self.nodes[node].n_children):
            if child[i].visits > 0:
                visited += child[i].prior
        return visited

    cdef float first_play(
        self, int32_t node, float visited, const Formula* formula
    ) noexcept nogil:
        """What a child without visits and without a guess counts as, for who would play it."""
        if formula.prior_visits > 0 or formula.first_play < 0 or self.nodes[node].visits == 0:
            return 0.5
        return 1 - <float>self.nodes[node].value_sum / self.nodes[node].visits - (
            formula.first_play * sqrtf(visited))

    cdef int32_t select(self, int32_t node, const Formula* formula) noexcept nogil:
        """The child to visit next, or UNEXPANDED if every child turned out to be illegal.

        Value is the mean result, mixed with AMAF by the schedule of Gelly and Silver 2011
        (Monte-Carlo tree search and rapid action value estimation, section 4.4); to it comes an
        exploration term with the prior, as in Rosin 2011 (PUCB) and Silver et al. 2017; its weight
        may grow as in Silver et al. 2018.  Only the first children take part, more with every visit
        (progressive widening: Coulom 2007).  Children stand in order of their priors, but at the
        root, where ``set_priors`` may have changed these.
        """
        cdef Node* child = &self.nodes[self.nodes[node].children]
        cdef Amaf* later = NULL if self.amaf == NULL else &self.amaf[self.nodes[node].children]
        cdef Node* best = NULL
        cdef float explore = formula.exploration * sqrtf(<float>self.nodes[node].visits)
        cdef int n_left = <int>(formula.width + formula.widening * sqrtf(
            <float>self.nodes[node].visits))
        cdef bint in_order = node != 0 and later == NULL
        cdef float visited = 0     # prior of the children with visits
        cdef float unvisited = 0   # what one without counts as
        cdef float best_score = -1000
        cdef float score = 0
        cdef float visits = 0
        cdef float amaf = 0
        cdef float share = 0
        cdef int i = 0
        if formula.exploration_growth > 0:
            explore *= 1 + formula.exploration_growth * log1pf(
                self.nodes[node].visits / formula.exploration_base)
        if not in_order:
            visited = 0 if formula.prior_visits > 0 else self.visited_prior(node)
            unvisited = self.first_play(node, visited, formula)
        for i in range(self.nodes[node].n_children):
            if child.move == NO_POINT:
                child += 1
                continue
            if n_left == 0:
                break
            n_left -= 1
            visits = <float>(child.visits + child.n_running)
            if in_order and visits == 0:   # those before it had all the visits
                unvisited = self.first_play(node, visited, formula)
            visited += child.prior if child.visits > 0 else 0
            amaf = 0 if later == NULL else later[i].visits
            if amaf > 0:
                share = amaf / (amaf + visits + amaf * visits * formula.amaf_bias)
                score = share * later[i].sum / amaf
            else:
                share = 0
                score = unvisited if visits == 0 else 0
            if visits > 0:
                score += (1 - share) * <float>child.value_sum / visits
            score += explore * child.prior / (1 + visits)
            if score > best_score:
                best_score = score
                best = child
            if visits == 0 and in_order:
                break   # those behind it have no visits, either, and a lower prior
            child += 1
        return UNEXPANDED if best == NULL else <int32_t>(best - self.nodes)

    cdef int keep(self, int32_t node) except -1:
        """Make ``node`` the root and forget what is not below it; no search may be running."""
        cdef Node* kept = <Node*>malloc(self.capacity * sizeof(Node))
        cdef bint has_amaf = self.amaf != NULL
        cdef Amaf* amaf = <Amaf*>malloc(self.capacity * sizeof(Amaf)) if has_amaf else NULL
        cdef int32_t count = 1
        cdef int32_t i = 0
        cdef int32_t k = 0
        if kept == NULL or has_amaf and amaf == NULL:
            free(kept)
            free(amaf)
            raise MemoryError(f"search tree: no memory for {self.capacity} nodes")
        with nogil:
            kept[0] = self.nodes[node]
            if has_amaf:
                amaf[0] = self.amaf[node]
            while i < count:   # breadth first: `i` is the next node whose children are to be copied
                if kept[i].children >= 0:
                    for k in range(kept[i].n_children):
                        kept[count + k] = self.nodes[kept[i].children + k]
                        if has_amaf:
                            amaf[count + k] = self.amaf[kept[i].children + k]
                    kept[i].children = count
                    count += kept[i].n_children
                i += 1
            free(self.nodes)
            free(self.amaf)
            self.nodes, self.amaf = kept, amaf
            self.count = count
        return 0
