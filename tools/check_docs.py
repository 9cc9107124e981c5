#!/usr/bin/env python3
"""Runs the commands of a document and compares what they print with what the document shows.

    check_docs.py PROGRAM DOCUMENT [--without-page]

PROGRAM is the built `stiction`. Commands run in the order of the document, in one new temporary folder that is
removed at the end. A block is fenced (```), or indented by four spaces.

Commands. A line `$ COMMAND` is run by bash; the lines below it, up to the next `$` or the end of the block, are what
it prints (standard output and standard error).
  - Nothing shown: the output is not compared. A command must end with exit code 0; another code is stated behind it,
    `$ stiction check bad.toml  # exit code 2`.
  - `...` on a line of its own stands for any number of lines; within a line it stands for any text.
  - `~150 ms`, `~2.5`: a number that varies, here with a unit of time; any number and unit of time matches.
  - Spaces between words count as one.

Files. "```toml NAME.toml" (any language) writes the block to NAME.toml; if a command has written that file before, its
text must be that of the block. A TOML block with a line `title = ...` is a whole scene: `stiction check` must accept
it, unless a later command of the document checks it by name. Other TOML blocks are fragments: they must parse.

Text. Lines have at most 120 columns. Links to files of the repository must lead somewhere.

Not run. `<!-- not run: REASON -->` before a block exempts it. A block with commands (`stiction ...`, `./dev ...`) that
has neither `$` nor such a mark is an error, so that no command escapes. `--without-page`, for programs that were built
without the report page: `stiction view` is not run.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

TIME_UNIT = r"(?: ?(?:ns|us|ms|s|min|h)\b)?"
NUMBER = r"[-+]?[0-9][0-9.,]*(?:e[-+]?[0-9]+)?"
COLUMNS = 120
LIMIT_SECONDS = 120  # of one command: a guard against commands that never end, no measurement


@dataclass
class Block:
    line: int  # of its first line of text, counted from 1
    language: str = ""
    name: str = ""  # of the file that it is
    exempt: str = ""  # why it is not run
    text: list[str] = field(default_factory=list)


@dataclass
class Command:
    line: int
    text: str
    code: int
    shown: list[str] = field(default_factory=list)


def read_blocks(lines: list[str]) -> list[Block]:
    """The fenced and indented blocks of a document."""
    blocks, exempt, i = [], "", 0
    while i < len(lines):
        line = lines[i]
        mark = re.match(r"<!-- not run: (.+) -->$", line)
        fence = re.match(r"(```+)\s*(\S*)\s*(\S*)", line)
        follows_text = i > 0 and lines[i - 1].strip() and not lines[i - 1].startswith("<!--")
        if mark:
            exempt = mark[1]
        elif fence:
            block = Block(i + 2, fence[2], fence[3], exempt)
            i += 1
            while i < len(lines) and lines[i].rstrip() != fence[1]:
                block.text.append(lines[i])
                i += 1
            blocks.append(block)
            exempt = ""
        elif line.startswith("    ") and not follows_text:
            block = Block(i + 1, exempt=exempt)
            while i < len(lines) and (lines[i].startswith("    ") or not lines[i].strip()):
                block.text.append(lines[i][4:])
                i += 1
            while block.text and not block.text[-1].strip():
                block.text.pop()
            blocks.append(block)
            exempt = ""
            continue
        elif line.strip():
            exempt = ""
        i += 1
    return blocks


def read_commands(block: Block) -> list[Command]:
    commands = []
    for i, line in enumerate(block.text):
        if line.startswith("$ "):
            code = re.search(r"\s+# exit code (\d+)$", line)
            text = line[2 : code.start()] if code else line[2:]
            commands.append(Command(block.line + i, text, int(code[1]) if code else 0))
        elif commands:
            commands[-1].shown.append(line)
    for command in commands:
        while command.shown and not command.shown[-1].strip():
            command.shown.pop()
    return commands


def make_pattern(shown: str) -> re.Pattern:
    """What a shown line stands for."""
    pattern = ""
    for part in re.split(rf"(\.\.\.|~{NUMBER}{TIME_UNIT}|\s+)", shown.strip()):
        if part == "...":
            pattern += ".*"
        elif re.fullmatch(rf"~{NUMBER}{TIME_UNIT}", part):
            pattern += NUMBER + TIME_UNIT
        elif part.isspace():
            pattern += r"\s+"
        else:
            pattern += re.escape(part)
    return re.compile(pattern)


def matches(shown: list[str], printed: list[str]) -> bool:
    """Whether the printed lines are those shown; a shown line `...` stands for any number of them."""
    if not shown:
        return not printed
    if shown[0].strip() == "...":
        return any(matches(shown[1:], printed[i:]) for i in range(len(printed) + 1))
    if not printed or not make_pattern(shown[0]).fullmatch(printed[0].strip()):
        return False
    return matches(shown[1:], printed[1:])


def first_difference(shown: list[str], printed: list[str]) -> str:
    for i, line in enumerate(shown):
        if line.strip() == "...":
            break
        if i >= len(printed) or not make_pattern(line).fullmatch(printed[i].strip()):
            found = printed[i].strip() if i < len(printed) else ""
            return f"first difference: shown {line.strip()!r}, printed {found!r}"
    return "the lines differ behind a `...`"


class Checker:
    def __init__(self, program: Path, document: Path, folder: Path, with_page: bool):
        self.document, self.folder, self.with_page, self.faults = document, folder, with_page, []
        path = f"{program.parent}:{Path(sys.executable).parent}:{os.environ['PATH']}"
        self.environment = dict(os.environ, PATH=path, LC_ALL="C.UTF-8", NO_COLOR="1")

    def fail(self, line: int, message: str) -> None:
        self.faults.append(f"{self.document}:{line}: {message}")

    def run(self, command: str) -> tuple[int, list[str]]:
        process = subprocess.Popen(["bash", "-c", command], cwd=self.folder, env=self.environment,
                                   start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT)
        try:
            output = process.communicate(timeout=LIMIT_SECONDS)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # the command and all that it started
            process.communicate()
            return -1, [f"did not end within {LIMIT_SECONDS} s"]
        lines = output.decode(errors="replace").splitlines()
        while lines and not lines[-1].strip():
            lines.pop()
        return process.returncode, lines

    def check_command(self, command: Command) -> None:
        if not self.with_page and command.text.startswith("stiction view"):
            return
        code, printed = self.run(command.text)
        listing = "\n    ".join(printed)
        if code != command.code:
            self.fail(command.line, f"`{command.text}` ends with exit code {code}, not {command.code}:\n    {listing}")
        elif command.shown and not matches(command.shown, printed):
            difference = first_difference(command.shown, printed)
            self.fail(command.line, f"`{command.text}`: {difference}; it prints\n    {listing}")

    def check_file(self, block: Block) -> None:
        text = "\n".join(block.text) + "\n"
        path = self.folder / block.name
        if path.exists() and path.read_text() != text:
            self.fail(block.line, f"{block.name} as shown differs from the file that a command wrote")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def check_toml(self, block: Block, checked_later: bool) -> None:
        text = "\n".join(block.text) + "\n"
        is_scene = any(line.startswith("title =") for line in block.text)
        try:
            if not checked_later:
                tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            self.fail(block.line, f"not TOML: {error}")
            return
        if is_scene and not checked_later:
            scene = self.folder / (block.name or f"scene_of_line_{block.line}.toml")
            scene.write_text(text)
            code, printed = self.run(f"stiction check '{scene.name}'")
            if code != 0:
                self.fail(block.line, "stiction check refuses this scene:\n    " + "\n    ".join(printed))

    def check_text(self, lines: list[str]) -> None:
        for i, line in enumerate(lines, 1):
            if len(line) > COLUMNS:
                self.fail(i, f"{len(line)} columns; at most {COLUMNS}")
            for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", line):
                if not (self.document.parent / target).exists():
                    self.fail(i, f"the link {target} leads nowhere")

    def check(self) -> int:
        lines = self.document.read_text().splitlines()
        self.check_text(lines)
        blocks = read_blocks(lines)
        commands = [command for block in blocks if not block.exempt for command in read_commands(block)]
        for block in blocks:
            if block.exempt:
                continue
            own = read_commands(block)
            if not own and any(re.match(r"(stiction|\./dev)( |$)", line) for line in block.text):
                self.fail(block.line, "commands without `$`; write `$ COMMAND`, or `<!-- not run: REASON -->` first")
            if block.name:
                self.check_file(block)
            if block.language == "toml":
                later = f"stiction check {block.name}"
                self.check_toml(block, bool(block.name) and any(later in command.text for command in commands))
            for command in own:
                self.check_command(command)
        for fault in self.faults:
            print(fault)
        print(f"{self.document.name}: {len(commands)} commands, {len(self.faults)} faults")
        return 1 if self.faults else 0


def main() -> int:
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--without-page"]):
        print(__doc__)
        return 2
    with tempfile.TemporaryDirectory(prefix="check_docs_") as folder:
        return Checker(Path(sys.argv[1]).resolve(), Path(sys.argv[2]), Path(folder), len(sys.argv) == 3).check()


if __name__ == "__main__":
    sys.exit(main())
