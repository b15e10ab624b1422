"""Main content by trafilatura, as it installs, of a set of pages in WCXB's layout: python extract-peers.py <folder> <file>."""
import gzip
import json
import os
import sys
import time

import trafilatura

folder, output = sys.argv[1:3]
texts = []
seconds = 0.0
for name in sorted(os.listdir(os.path.join(folder, "ground-truth"))):
    if not name.endswith(".json"):
        continue
    with gzip.open(os.path.join(folder, "html", name[:-5] + ".html.gz"), "rt", encoding="utf8", errors="replace") as file:
        html = file.read()
    began = time.process_time()
    texts.append(trafilatura.extract(html, include_comments=True) or "")
    seconds += time.process_time() - began
with open(output, "w", encoding="utf8") as file:
    json.dump({"texts": texts, "seconds": seconds}, file)
