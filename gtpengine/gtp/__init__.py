"""The Go Text Protocol, version 2: lines in, answers out, and the commands of this engine."""
