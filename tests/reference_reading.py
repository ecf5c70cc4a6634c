"""A deliberately slow reader, written from the definitions: the twin of core.reading.

It lists every position of an arena that any moves lead to, then works out from the ends backwards
which of them are won.  There is no depth, no order of moves, no proof number and no test of eyes:
a chain lives where the opponent, moving alone, cannot take it.  Only the simple ko is known.
"""

from collections.abc import Callable, Iterable

from gtpengine.core.board import Board
from gtpengine.core.types import BLACK, EMPTY, NO_POINT, STRIDE, WALL, WHITE

Stones = tuple[int, ...]  # colors of the points of the board, in the order of Board.points()
Node = tuple[Stones, int]  # ... and the point that must not be retaken, or NO_POINT
TAKEN = None  # instead of a node: the chain in question is off the board


class TooLarge(Exception):
    """The arena has more positions than were allowed."""


class ReferenceReader:
    """All positions of an arena around the chain at ``stone``."""

    def __init__(
        self, board: Board, arena: Iterable[int], safe: Iterable[int], stone: int, most: int
    ) -> None:
        self.points = board.points()
        self.index = {point: i for i, point in enumerate(self.points)}
        self.arena, self.safe, self.stone = set(arena), set(safe), stone
        self.owner = board.color_at(stone)
        self.root = (tuple(board.color_at(point) for point in self.points), NO_POINT)
        self.after: dict[Node, dict[int, list[Node | None]]] = {}
        todo = [self.root]
        while todo:
            node = todo.pop()
            if node in self.after:
                continue
            if len(self.after) >= most:
                raise TooLarge
            self.after[node] = {color: self.moves(node, color) for color in (BLACK, WHITE)}
            todo.append(self.passed(node))
            for nodes in self.after[node].values():
                todo.extend(child for child in nodes if child is not None)
        attacker = BLACK + WHITE - self.owner
        self.mortal = self.least(
            lambda node, found: any(
                child is TAKEN or self.passed(child) in found
                for child in self.after[self.passed(node)][attacker]
            )
        )

    def is_captured(self, owner_first: bool) -> bool:
        """Whether the opponent takes the chain; only the owner may pass while no ko is banned."""
        attacker = BLACK + WHITE - self.owner

        def attacks(node: Node, lost: set[Node]) -> bool:
            children = self.after[node][attacker]
            if node != self.passed(node):
                children = [*children, self.passed(node)]
            return any(child is TAKEN or defends(child, lost) for child in children)

        def defends(node: Node, lost: set[Node]) -> bool:
            children = [*self.after[node][self.owner], self.passed(node)]
            return all(child in lost for child in children)

        lost = self.least(attacks)
        return defends(self.root, lost) if owner_first else self.root in lost

    def is_living(self, owner_first: bool) -> bool:
        """Whether the owner reaches a position where the opponent alone cannot take the chain."""
        attacker = BLACK + WHITE - self.owner

        def saves(node: Node, saved: set[Node]) -> bool:
            children = self.after[node][self.owner]
            if node != self.passed(node):
                children = [*children, self.passed(node)]
            return node not in self.mortal or any(
                child is not None and resists(child, saved) for child in children
            )

        def resists(node: Node, saved: set[Node]) -> bool:
            children = [*self.after[node][attacker], self.passed(node)]
            return node not in self.mortal or all(child in saved for child in children)

        saved = self.least(saves)
        return self.root in saved if owner_first else resists(self.root, saved)

    def least(self, holds: Callable[[Node, set[Node]], bool]) -> set[Node]:
        """The smallest set of nodes for which ``holds`` is true given the set itself."""
        found: set[Node] = set()
        grown = True
        while grown:
            new = {node for node in self.after if node not in found and holds(node, found)}
            found |= new
            grown = bool(new)
        return found

    def passed(self, node: Node) -> Node:
        return node[0], NO_POINT

    def moves(self, node: Node, color: int) -> list[Node | None]:
        children = []
        for point in sorted(self.arena):
            if self.color(node[0], point) == EMPTY and point != node[1]:
                children += self.play(node[0], point, color)
        return children

    def color(self, stones: Stones, point: int) -> int:
        return stones[self.index[point]] if point in self.index else WALL

    def play(self, stones: Stones, point: int, color: int) -> list[Node | None]:
        """The position after a move, in a list; an empty list if it is illegal."""
        after = self.with_points(stones, [point], color)
        taken: set[int] = set()
        for beside in self.neighbors(point):
            if self.color(after, beside) == BLACK + WHITE - color:
                chain, n_liberties = self.chain(after, beside)
                if n_liberties == 0:
                    taken |= chain
        after = self.with_points(after, taken, EMPTY)
        chain, n_liberties = self.chain(after, point)
        if n_liberties == 0:
            return []
        if self.color(after, self.stone) != self.owner:
            return [TAKEN]
        is_ko = len(taken) == 1 and len(chain) == 1 and n_liberties == 1
        return [(after, min(taken) if is_ko else NO_POINT)]

    def with_points(self, stones: Stones, points: Iterable[int], color: int) -> Stones:
        changed = list(stones)
        for point in points:
            changed[self.index[point]] = color
        return tuple(changed)

    def neighbors(self, point: int) -> list[int]:
        return [point + step for step in (1, -1, STRIDE, -STRIDE) if point + step in self.index]

    def chain(self, stones: Stones, point: int) -> tuple[set[int], int]:
        """The chain at a stone and its liberties; one with a safe stone always has some."""
        chain, liberties, todo = {point}, set(), [point]
        while todo:
            for beside in self.neighbors(todo.pop()):
                color = self.color(stones, beside)
                if color == EMPTY:
                    liberties.add(beside)
                elif color == self.color(stones, point) and beside not in chain:
                    chain.add(beside)
                    todo.append(beside)
        return chain, len(liberties) + len(chain & self.safe)
