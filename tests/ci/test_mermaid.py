"""Sequence diagrams are read by Mermaid itself, in a browser without a window.

Needs Chromium and Mermaid's file for browsers: `npm install mermaid` in the root of the repository, or MERMAID_JS=.../mermaid.min.js.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from checker.commands.reports import stored
from checker.report.mermaid import mermaid

ROOT = Path(__file__).parents[2]
CHROMIUM = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
MERMAID = Path(os.environ.get("MERMAID_JS", ROOT / "node_modules/mermaid/dist/mermaid.min.js"))
pytestmark = pytest.mark.skipif(CHROMIUM is None or not MERMAID.exists(), reason="needs Chromium and Mermaid")
PAGE = """<body><pre></pre><script src="file://%s"></script><script type="application/json" id="texts">%s</script><script>
(async () => {
  const refused = [];
  for (const [name, text] of Object.entries(JSON.parse(document.getElementById("texts").textContent)))
    try { await mermaid.parse(text); } catch (error) { refused.push(name + ": " + error.message); }
  document.querySelector("pre").textContent = "refused " + JSON.stringify(refused);
})();
</script></body>"""


def refused(texts: dict[str, str], folder: Path) -> list[str]:
    """The diagrams that Mermaid does not read, with its words."""
    page = folder / "diagrams.html"
    page.write_text(PAGE % (MERMAID.resolve(), json.dumps(texts).replace("<", "\\u003c")), encoding="utf-8")
    command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=60000", "--dump-dom", f"file://{page}"]
    out = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    return list(json.loads(out.partition("<pre>refused ")[2].partition("</pre>")[0]))


def test_mermaid_reads_every_diagram_of_the_gallery(tmp_path: Path) -> None:
    """And refuses one that is broken, so that it was asked."""
    texts = {file.parent.name: mermaid(stored(str(file))) for file in sorted((ROOT / "counterexamples").glob("*/trace.itf.json"))}
    assert [name.partition(":")[0] for name in refused({**texts, "broken": "sequenceDiagram\n  p1 ->"}, tmp_path)] == ["broken"]
