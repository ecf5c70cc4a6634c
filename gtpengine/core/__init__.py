"""The compiled core: board, history, playouts, search.  Its sources are in ``src_cython/``."""
