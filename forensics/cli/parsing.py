"""How words become verbs and arguments: the list of verbs by group, and keys that begin with a dash."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup, TyperOption


class VerbGroup(TyperGroup):
    """Lists the verbs under their headings, each with its whole first line."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Nothing; the list is written to the formatter."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for name, command in self.commands.items():
            if not command.hidden:
                heading = getattr(command, "rich_help_panel", None) or "Commands"
                groups.setdefault(str(heading), []).append((name, command.get_short_help_str(limit=1000)))
        for heading, rows in groups.items():
            with formatter.section(heading):
                formatter.write_dl(rows)


class KeyCommand(TyperCommand):
    """A verb whose argument may be a key: `-srv-x` is a word, never an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """What is left over after the words were understood."""
        with_value = {
            flag
            for param in self.params
            if isinstance(param, TyperOption) and not param.is_flag
            for flag in (*param.opts, *param.secondary_opts)
        }
        return super().parse_args(ctx, set_keys_apart(args, with_value))


def set_keys_apart(args: list[str], with_value: set[str]) -> list[str]:
    """The words with all keys moved behind `--`; the value of an option stays where it is."""
    if "--" in args:
        at = args.index("--")
        args, last = args[:at], args[at + 1 :]
    else:
        last = []
    options: list[str] = []
    keys: list[str] = []
    for index, word in enumerate(args):
        is_value = index > 0 and args[index - 1] in with_value
        is_key = len(word) > 2 and word[0] == "-" and word[1] != "-" and not is_value
        (keys if is_key else options).append(word)
    return [*options, "--", *keys, *last] if keys or last else options
