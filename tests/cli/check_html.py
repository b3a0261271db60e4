"""Reads a page from stdin, says everything about it that HTML5 does not allow or that a page of its own must
not have, and counts its elements."""

import collections
import html.parser
import sys

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
# Elements that end an open <p>: inside one, the page would not be what it seems.
BLOCKS = {"article", "details", "div", "dl", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "header", "main", "ol",
          "p", "pre", "section", "table", "ul"}
PARENTS = {"li": {"ul", "ol"}, "dt": {"dl"}, "dd": {"dl"}, "tr": {"thead", "tbody"}, "td": {"tr"}, "th": {"tr"},
           "thead": {"table"}, "tbody": {"table"}, "caption": {"table"}, "summary": {"details"},
           "figcaption": {"figure"}, "rect": {"svg"}}
FORBIDDEN = {"script", "link", "img", "iframe", "object", "embed", "form", "base"}


class Checker(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.targets, self.wrong = [], [], [], []
        self.counts, self.text = collections.Counter(), []

    def complain(self, what):
        self.wrong.append(f"{what} at {self.getpos()}, in {' '.join(self.open)}")

    def handle_starttag(self, tag, attrs, closed=False):
        self.counts[tag] += 1
        names = [name for name, _ in attrs]
        if len(names) != len(set(names)):
            self.complain(f"<{tag}> has an attribute twice")
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src", "data", "action", "srcset", "xlink:href"):
                self.targets.append(value)
            if name.startswith("on") or name == "style":
                self.complain(f"<{tag}> has {name}")
        if tag in FORBIDDEN:
            self.complain(f"<{tag}>")
        if "p" in self.open and tag in BLOCKS:
            self.complain(f"<{tag}> in <p>")
        if tag in PARENTS and (not self.open or self.open[-1] not in PARENTS[tag]):
            self.complain(f"<{tag}> out of place")
        if tag not in VOID and not closed:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs, closed=True)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.complain(f"</{tag}> closes what is not open")

    def handle_data(self, data):
        self.text.append(data)


page = sys.stdin.buffer.read().decode("utf-8")
checker = Checker()
checker.feed(page)
checker.close()
if not page.startswith("<!DOCTYPE html>\n"):
    checker.wrong.append("no doctype")
if checker.open:
    checker.wrong.append(f"left open: {checker.open}")
if len(checker.ids) != len(set(checker.ids)):
    checker.wrong.append("an id stands twice")
for target in checker.targets:
    if not target.startswith("#") or target[1:] not in checker.ids:
        checker.wrong.append(f"leads nowhere, or away: {target}")
for control in [c for c in page if (ord(c) < 0x20 and c not in "\n\t") or 0x7F <= ord(c) <= 0x9F]:
    checker.wrong.append(f"control character {ord(control):#x}")
print(*checker.wrong, sep="\n", end="\n" if checker.wrong else "")
print(*(f"{tag}={checker.counts[tag]}" for tag in ("article", "details", "svg")))
print("known & <old>" in "".join(checker.text))
sys.exit(bool(checker.wrong))
