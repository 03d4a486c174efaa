"""The subcommands of ``averse``, by what they are about; ``exercises.cli`` gathers them.

Heavy libraries load inside the subcommand that needs them, so that ``averse --help`` is instant.
"""
