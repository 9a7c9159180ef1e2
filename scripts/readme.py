"""Runs the Python that pages of the documentation show: the blocks of each page, one after another, in one namespace.

usage: python scripts/readme.py PAGE…
"""

import re
import sys


def main(pages: list[str]) -> None:
    for page in pages:
        with open(page, encoding="utf-8") as file:
            text = file.read()
        namespace: dict[str, object] = {}
        count = 0
        for block in re.finditer(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
            # Lines are counted as in the page, for the traceback.
            above = text.count("\n", 0, block.start(1))
            exec(compile("\n" * above + block.group(1), page, "exec"), namespace)
            count += 1
        if not count:
            sys.exit(f"{page} has no blocks of Python")
        print(f"{page}: {count} blocks of Python ran")


if __name__ == "__main__":
    main(sys.argv[1:])
