"""Where handicap stones go."""

from gtpengine.coords import point_at


def fixed_handicap_points(size: int, n: int) -> list[int]:
    """The star points of a fixed handicap, in the order of GTP 2 draft 2, section 4.1.1.

    Raises ValueError if the size has no such handicap: none below 7; 2..4 on 7 and on even sizes;
    2..9 on odd sizes from 9.
    """
    most = 0 if size < 7 else 9 if size % 2 and size >= 9 else 4
    if not 2 <= n <= most:
        expected = f"2..{most}" if most else "none on this size"
        raise ValueError(f"number of stones must be {expected}, got '{n}'")
    low = 3 if size < 13 else 4
    high, middle = size + 1 - low, (size + 1) // 2
    corners = [(low, low), (high, high), (low, high), (high, low)]
    sides = [(low, middle), (high, middle), (middle, low), (middle, high)]
    stars = corners[: min(n, 4)] + (sides[:2] if n >= 6 else []) + (sides[2:] if n >= 8 else [])
    if n in (5, 7, 9):
        stars.append((middle, middle))
    return [point_at(column, line) for column, line in stars]


def free_handicap_points(size: int, n: int) -> list[int]:
    """Exactly ``n`` distinct points for free placement, none of them without a liberty in the end.

    Star points first, then as far from each other and from the edge as they get.  Raises ValueError
    unless 2 <= n < size * size.
    """
    if not 2 <= n < size * size:
        raise ValueError(f"number of stones must be 2..{size * size - 1}, got '{n}'")
    board = [point_at(column, line) for line in range(1, size + 1) for column in range(1, size + 1)]
    if n > size * size // 2:
        return board[size * size - n :]  # the upper lines, connected, above empty lower ones
    chosen: list[int] = []
    for most in range(min(n, 9), 1, -1):
        try:
            chosen = fixed_handicap_points(size, most)
            break
        except ValueError:
            continue
    spots = [(point_at(c, r), c, r) for r in range(1, size + 1) for c in range(1, size + 1)]
    taken = [(c, r) for point, c, r in spots if point in chosen]
    while len(chosen) < n:

        def room(spot: tuple[int, int, int]) -> tuple[int, int]:
            _, c, r = spot
            gaps = [(c - x) ** 2 + (r - y) ** 2 for x, y in taken]
            edge = min(c, r, size + 1 - c, size + 1 - r)
            return min([*gaps, 4 * edge * edge]), edge

        point, c, r = max((s for s in spots if s[0] not in chosen), key=room)
        chosen.append(point)
        taken.append((c, r))
    return chosen
