"""Write the reference pages of the documentation from the code.

python docs/reference.py            # writes the pages
python docs/reference.py --check    # writes nothing; fails if one is out of date

Whole pages: settings, commands, stats, pipelines, methods. Parts of pages, between two comments:
the table of fields in `fields.md`, the list of pipelines in `addon.md`. The descriptions in
`article.schema.json`.
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
import sys
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from newsclean import cli, settings
from newsclean.article import Article, MarkdownArticle
from newsclean.crawl_state import STATS
from newsclean.extraction.methods import (
    boilerpipe,
    coreex,
    hybrid,
    mss,
    stadynot,
    tree_filter,
    visual,
)
from newsclean.extraction.methods.registry import METHODS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import ModuleType

DOCS = Path(__file__).parent
_SETTINGS = """# Settings

All settings of newsclean, with their defaults. Set them in the settings of your project, or for one
crawl with `-s NAME=VALUE`. An unknown setting or an invalid value ends the crawl before its first
request, with an error that names the setting.

This page is made from `newsclean/settings.py`: `python docs/reference.py` writes it."""

_COMMANDS = """# Commands

`newsclean COMMAND --help` prints the same in the terminal. `python -m newsclean` works as well.

This page is made from the commands themselves: `python docs/reference.py` writes it.
"""

_STATS = """# Stats

newsclean adds these stats to a Scrapy crawl. They are printed at the end of the log, and Spidermon
and other monitors can read them.

This page is made from `newsclean/crawl_state.py`: `python docs/reference.py` writes it.
"""

_PIPELINES = """# Pipelines

A page passes through the pipelines of `ITEM_PIPELINES` in this order.
[addon.md](addon.md#your-own-pipelines) says how to remove, replace and add pipelines.

This page is made from `newsclean/pipelines/`: `python docs/reference.py` writes it."""

_METHODS = """# Methods

Choose one by name: `NEWSCLEAN_METHOD`, `newsclean extract --method`, `newsclean.extract(method=…)`.
The default is `hybrid`. Methods chain with `+`: `stadynot+coreex` marks noise first and lets CoreEx
choose from what is left. `NAME` uses the parameters with the best results (`tuned`), `NAME:paper`
the published ones. [results.md](results.md) compares the methods.

This page is made from `newsclean/extraction/methods/`: `python docs/reference.py` writes it."""

#: The module of each method: its docstring names the paper and explains the method.
_MODULES: dict[str, ModuleType] = {
    "hybrid": hybrid,
    "stadynot": stadynot,
    "coreex": coreex,
    "mss": mss,
    "boilerpipe": boilerpipe,
    "boilerpipe-tree": tree_filter,
    "tree": tree_filter,
    "visual": visual,
}


def settings_page() -> str:
    lines = [_SETTINGS]
    for group, members in settings.groups.items():
        rows = [(f"`{each.name}`", _default(each), each.text) for each in members]
        lines += ["", f"## {group}", "", *_table(("setting", "default", "what it does"), rows)]
    return "\n".join(lines) + "\n"


def _default(setting: settings.Setting) -> str:
    """Return the default of a setting, and the value in newsclean's own project if that differs."""
    own = getattr(settings, setting.name, setting.default)
    words = _written(setting.default)
    return words if own == setting.default else f"{words}; {_written(own)} in newsclean's project"


def _written(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, list) and value:
        return ", ".join(f"`{each}`" for each in value)
    return f"`{value}`"


def commands_page() -> str:
    lines = [_COMMANDS]
    subjects = _subparsers(cli.parser_for(""))
    known = [(f"[`{name}`](#newsclean-{name})", what) for name, (what, _) in subjects.items()]
    lines += _table(("command", "what it does"), known)
    lines += ["", "## Exit codes", ""]
    codes = re.findall(r"^ *(\d+)  (.*)$", cli.EXIT_CODES, re.M)
    lines += _table(("code", "meaning"), codes)
    for name in subjects:
        parser = _subparsers(cli.parser_for(name))[name][1]
        lines += ["", f"## newsclean {name}", "", *_command(parser)]
        for action, (what, inner) in _subparsers(parser).items():
            inner.description = inner.description or f"{what[:1].upper()}{what[1:]}."
            lines += ["", f"### newsclean {name} {action}", "", *_command(inner)]
    return "\n".join(lines) + "\n"


def _subparsers(
    parser: argparse.ArgumentParser,
) -> dict[str, tuple[str, argparse.ArgumentParser]]:
    """Return the help and the parser of each command of a parser."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {each.dest: each.help or "" for each in action._choices_actions}
            return {name: (helps[name], inner) for name, inner in action.choices.items()}
    return {}


def _command(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield from _prose(parser.description or "")
    rows = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            rows += [(f"`{each.dest}`", each.help) for each in action._choices_actions]
        elif not isinstance(action, argparse._HelpAction):
            rows.append((_names(action), _help(action, parser)))
    if rows:
        yield from ("", *_table(("argument", "what it does"), rows))
    if parser.epilog:
        yield from ("", "```", parser.epilog.strip("\n"), "```")


def _names(action: argparse.Action) -> str:
    """Return the argument as one types it: `-o FILE, --output FILE`."""
    value = action.metavar or ("{" + ",".join(action.choices) + "}" if action.choices else "")
    if isinstance(value, tuple):
        value = " ".join(value)
    if not action.option_strings:
        return f"`{value or action.dest}`"
    value = value or ("" if action.nargs == 0 else action.dest.upper())
    return ", ".join(f"`{f'{option} {value}'.strip()}`" for option in action.option_strings)


def _help(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    text = (action.help or "") % (vars(action) | {"prog": parser.prog})
    return _escaped(text)


def _prose(text: str) -> Iterator[str]:
    """Yield a description as Markdown; what it indents stays as it is."""
    paragraphs = re.split(r"\n\n", text.strip("\n"))
    for number, paragraph in enumerate(paragraphs):
        if number:
            yield ""
        if paragraph.startswith("  "):
            yield from ("```", *paragraph.split("\n"), "```")
        else:
            yield _escaped(paragraph)


def _escaped(text: str) -> str:
    """Return plain text as Markdown; what it has between backticks stays as it is."""
    return re.sub(r"(`[^`]*`)|([*_<\\])", lambda found: found[1] or f"\\{found[2]}", text)


def stats_page() -> str:
    rows = [(f"`newsclean/{name}`", what) for name, what in STATS.items()]
    return "\n".join([_STATS, *_table(("stat", "what it counts"), rows), ""])


def pipelines_page() -> str:
    from newsclean import pipelines

    lines = [_PIPELINES]
    for path, number in settings.ITEM_PIPELINES.items():
        name = path.rpartition(".")[2]
        pipeline: Any = getattr(pipelines, name)
        lines += ["", f"## {number}: {name}", "", inspect.getdoc(pipeline) or "", ""]
        needs, gives = (
            ", ".join(f"`{each}`" for each in values) or "nothing"
            for values in (pipeline.needs, pipeline.gives)
        )
        lines.append(f"It reads {needs} of the `PageItem`, and sets {gives}.")
    return "\n".join(lines) + "\n"


def methods_page() -> str:
    lines = [_METHODS]
    for name, module in _MODULES.items():
        lines += ["", f"## {name}", "", inspect.getdoc(module) or ""]
        if rows := [*_parameter_rows(module)]:
            sets = [each for each in ("paper", "tuned", "chained") if each in METHODS[name]]
            shown = [row[: len(sets) + 1] for row in rows]
            lines += ["", *_table(("parameter", *sets), shown)]
    return "\n".join(lines) + "\n"


def _parameter_rows(module: ModuleType) -> Iterator[tuple[str, ...]]:
    """Yield each parameter with its values as published, tuned, and after another method."""
    sets = [getattr(module, name, None) for name in ("PAPER", "TUNED", "CHAINED")]
    given = [each for each in sets if each is not None]
    for each in fields(given[0]) if given else ():
        yield (f"`{each.name}`", *(_value(getattr(one, each.name)) for one in given))


def _value(value: object) -> str:
    if isinstance(value, frozenset | tuple | set):
        return ", ".join(f"`{each}`" for each in sorted(map(str, value))) or "none"
    return f"`{value}`"


def field_comments(kind: type) -> dict[str, str]:
    """Return the comments `#:` of a dataclass by field."""
    found: dict[str, str] = {}
    comment: list[str] = []
    for line in inspect.getsource(kind).splitlines():
        if told := re.match(r"    #: (.*)", line):
            comment.append(told[1])
        else:
            if comment and (named := re.match(r"    (\w+):", line)):
                found[named[1]] = " ".join(comment)
            comment = []
    return found


def fields_table(schema: dict[str, Any]) -> str:
    rows = []
    for name in ("source", *(each.name for each in fields(MarkdownArticle))):
        stated = schema["properties"][name]
        kind = stated["type"]
        kinds = " or ".join([kind] if isinstance(kind, str) else kind)
        examples = [json.dumps(each, ensure_ascii=False) for each in stated.get("examples", ())]
        example = ", ".join(f"`{each}`" for each in examples)
        rows.append((f"`{name}`", kinds, stated["description"], example))
    return "\n".join(_table(("field", "type", "meaning", "example"), rows))


def described(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema with the descriptions of the code."""
    for name, comment in (field_comments(Article) | field_comments(MarkdownArticle)).items():
        schema["properties"][name]["description"] = comment
    return schema


def pipelines_list() -> str:
    """Return `ITEM_PIPELINES` with its comments, as the settings have it."""
    source = inspect.getsource(settings)
    found = re.search(r"^ITEM_PIPELINES = \{\n.*?^\}", source, re.M | re.S)
    assert found is not None
    return f"```python\n{found[0]}\n```"


def pages() -> dict[Path, str]:
    """Return all that this script writes, as it should be."""
    schema = described(json.loads((DOCS / "article.schema.json").read_text("utf-8")))
    made = {
        "settings.md": settings_page(),
        "commands.md": commands_page(),
        "stats.md": stats_page(),
        "pipelines.md": pipelines_page(),
        "methods.md": methods_page(),
        "article.schema.json": json.dumps(schema, indent=2, ensure_ascii=False) + "\n",
        "fields.md": _with_part("fields.md", "fields", fields_table(schema)),
        "addon.md": _with_part("addon.md", "pipelines", pipelines_list()),
    }
    return {DOCS / name: text for name, text in made.items()}


def _with_part(page: str, name: str, part: str) -> str:
    """Return a page with a new part between the two comments of this name."""
    text = (DOCS / page).read_text("utf-8")
    before, begin, rest = text.partition(f"<!-- {name}: begin -->\n")
    _, end, after = rest.partition(f"\n<!-- {name}: end -->")
    if not begin or not end:
        raise ValueError(f"{page} has no part {name!r}")
    return f"{before}{begin}\n{part}\n{end}{after}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str | None]]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return [
        "| " + " | ".join((cell or "").replace("|", "\\|") for cell in line) + " |"
        for line in lines
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    old = [
        path
        for path, text in pages().items()
        if not path.exists() or path.read_text("utf-8") != text
    ]
    for path in old:
        if options.check:
            print(
                f"{path.name} is out of date: python docs/reference.py writes it", file=sys.stderr
            )
        else:
            path.write_text(pages()[path], "utf-8")
    return 1 if options.check and old else 0


if __name__ == "__main__":
    sys.exit(main())
