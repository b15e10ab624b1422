"""Trains the choice of content: reads what dump.ts wrote, judges it over folds of sites, and writes model.bin.

usage: train.py FOLDER MODEL   (FOLDER has features.bin and pages.jsonl; chances.jsonl is written there, each page judged by trees
that saw no page of its site). Needs lightgbm, numpy and rapidfuzz. main.ts runs it.
"""
import collections, json, re, struct, sys, zlib
import lightgbm as lgb
import numpy as np
from rapidfuzz.distance import LCSseq

FOLDS = 5
PRIOR = 0.4  # share of text that is content, about
SMOOTH = 4  # pages of that share that every word is given besides its own
LEAST_PAGES = 6  # with the word, for it to count
LEAST_WEIGHT = {"names": 9, "words": 21, "headings": 21}  # 30 times the log odds under which a word is left out
TREES = 130
SAMPLE = 0.5  # share of the runs that are learned from, those that weigh much first
PARAMS = dict(
    objective="cross_entropy", learning_rate=0.1, num_leaves=31, num_threads=1, feature_fraction=0.3,
    bagging_fraction=0.7, bagging_freq=1, min_data_in_leaf=20, min_sum_hessian_in_leaf=50, lambda_l2=5,
    verbose=-1, seed=1, max_bin=63,
)
WORD = re.compile(r"\w+")
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}


class Page:
    def __init__(self, line):
        self.id, self.host = line["id"], site(line["host"])
        runs = line["runs"]
        truth = WORD.findall(line["truth"].lower())
        texts = [WORD.findall(run["text"].lower()) for run in runs]
        self.words = np.array([len(text) for text in texts], float)
        self.right = found_in(texts, truth) / np.maximum(self.words, 1)
        self.weight = self.words / (len(truth) + 0.3 * self.words.sum() + 30)
        self.ups = [box[0] for box in line["boxes"]]
        self.box = [run["box"] for run in runs]
        own = [name_tokens(box[1]) for box in line["boxes"]]
        self.names = own
        self.inline = [name_tokens(run["names"]) for run in runs]
        self.tokens = [run_tokens(run["tokens"]) for run in runs]
        self.heading, over = [], ()
        for run, box in zip(runs, self.box):
            heads = line["boxes"][box][2] in HEADINGS
            if heads:
                over = tuple(sorted(set(run["tokens"])))
            self.heading.append(() if heads else over)
        around = []
        for up, names in zip(self.ups, own):
            around.append(frozenset(names) | (around[up] if up >= 0 else frozenset()))
        self.around = [around[box] | set(names) for box, names in zip(self.box, self.inline)]


def site(host):
    return ".".join(host.split(".")[-2:])


def found_in(texts, truth):
    """How many words of each text belong to the longest common subsequence of page and truth."""
    ids = {}
    flat = [ids.setdefault(word, len(ids)) for text in texts for word in text]
    wanted = [ids.setdefault(word, len(ids)) for word in truth]
    hits = np.zeros(len(flat))
    if flat and wanted:
        for step in LCSseq.opcodes(flat, wanted):
            if step.tag == "equal":
                hits[step.src_start : step.src_end] = 1
    owner = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    return np.bincount(owner, hits, len(texts)) if flat else np.zeros(len(texts))


def fnv(text):
    value = 0x811C9DC5
    for char in text:
        value = ((value ^ ord(char)) * 0x01000193) & 0xFFFFFFFF
    return value


KNOWN = {}


def name_tokens(names):
    if names not in KNOWN:
        parts = {part for part in re.split("[ -]", names) if re.fullmatch("[a-z]{2,}", part)}
        KNOWN[names] = tuple(fnv(part) for part in sorted(parts))
    return KNOWN[names]


def run_tokens(tokens):
    pairs = [((a * 31) ^ b) & 0xFFFFFFFF for a, b in zip(tokens, tokens[1:])]
    return tuple(set(tokens) | set(pairs))


class Words:
    """Of each word, the pages that have it and the share of the text with it that is content; a site's own pages can be left out."""

    def __init__(self, pages, tokens_of):
        self.shares = [self.share(page, tokens_of(page)) for page in pages]

    @staticmethod
    def share(page, runs):
        sums = {}
        for tokens, words, right in zip(runs, page.words, page.right):
            for token in tokens if words else ():
                entry = sums.setdefault(token, [0.0, 0.0])
                entry[0] += words
                entry[1] += words * right
        return {token: right / words for token, (words, right) in sums.items()}

    def count(self, chosen):
        self.pages, self.content = collections.Counter(), collections.Counter()
        for i in chosen:
            for token, share in self.shares[i].items():
                self.pages[token] += 1
                self.content[token] += share

    def weights(self, tokens, without=()):
        result = {}
        for token in tokens:
            count, content = self.pages[token], self.content[token]
            for i in without:
                share = self.shares[i].get(token)
                if share is not None:
                    count, content = count - 1, content - share
            if count < LEAST_PAGES:
                continue
            odds = (content + SMOOTH * PRIOR) / (count - content + SMOOTH * (1 - PRIOR))
            weight = round(30 * float(np.clip(np.log(odds * (1 - PRIOR) / PRIOR), -4, 4)))
            if abs(weight) >= self.least:
                result[token] = weight
        return result


LEXICON = {
    "names": lambda page: page.around,
    "words": lambda page: page.tokens,
    "headings": lambda page: page.heading,
}


def columns(page, names, words, headings):
    """The columns of lexicon.ts."""
    get = lambda table, tokens: [table.get(token, 0) / 30 for token in tokens]
    boxes = []
    for up, tokens in zip(page.ups, page.names):
        values = get(names, tokens)
        _, least, most, total = boxes[up] if up >= 0 else (0, 0, 0, 0)
        own = sum(values)
        boxes.append((own, min([least, *values]), max([most, *values]), own + 0.8 * total))
    rows = []
    for box, inline, tokens, over in zip(page.box, page.inline, page.tokens, page.heading):
        row, at = [sum(get(names, inline))], box
        for _ in range(4):
            row.append(boxes[at][0] if at >= 0 else 0)
            at = page.ups[at] if at >= 0 else -1
        row += boxes[box][1:]
        values = get(words, tokens)
        row += [sum(values) / len(values), min(values), max(values), sum(values)] if values else [0, 0, 0, 0]
        values = get(headings, over)
        row += [sum(values) / len(values), min(values), max(values)] if values else [0, 0, 0]
        rows.append(row)
    return np.array(rows, np.float32).reshape(-1, 15)


def said(pages, lexicon, chosen, hosts):
    """Columns of all pages by the words of the chosen ones; a page's own site has no part in its columns."""
    for words in lexicon.values():
        words.count(chosen)
    seen = set(chosen)
    result = []
    for page in pages:
        without = [i for i in hosts[page.host] if i in seen]
        own = pages_index[page.id]
        tables = [words.weights(words.shares[own], without) for words in lexicon.values()]
        result.append(columns(page, *tables))
    return np.concatenate(result)


def train(values, right, weight, rows):
    """Learns from a sample: rows that weigh little stand for others of their kind."""
    rng = np.random.default_rng(0)
    weight = weight / weight.mean()
    own = weight[rows]
    low, high = 0.0, own.max()
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if np.minimum(1, own / middle).mean() > SAMPLE else (low, middle)
    chance = np.minimum(1, own / high)
    taken = rng.random(len(rows)) < chance
    data = lgb.Dataset(values[rows[taken]], right[rows[taken]], weight=(own / chance)[taken], params=PARAMS)
    return lgb.train(PARAMS, data, TREES)


def below(threshold):
    """The largest 32-bit float that is not above a threshold, so that values are parted as they were."""
    near = np.float32(threshold)
    return near if near <= threshold else np.nextafter(near, np.float32(-np.inf))


def write_model(model, lexicon, path):
    out = bytearray()

    def part(array):
        out.extend(b"\0" * (-len(out) % 4))
        out.extend(struct.pack("<I", len(array)))
        out.extend(array.tobytes())

    for words in lexicon.values():
        table = {}
        for token, weight in sorted(words.weights(words.pages).items()):
            table.setdefault(token & 0xFFFFFF, weight)
        print(len(table), "words")
        part(np.frombuffer(b"".join(struct.pack("<I", token)[:3] for token in table), "u1"))
        part(np.array(list(table.values()), "i1"))
    roots, leaf_roots, features, thresholds, low, high, leaves = [], [], [], [], [], [], []
    for tree in model.dump_model()["tree_info"]:
        roots.append(len(features))
        leaf_roots.append(len(leaves))
        first, first_leaf = len(features), len(leaves)

        def add(node):
            if "leaf_value" in node:
                leaves.append(node["leaf_value"])
                return ~(len(leaves) - 1 - first_leaf)
            assert node["decision_type"] == "<="
            at = len(features)
            features.append(node["split_feature"])
            thresholds.append(below(node["threshold"]))
            low.append(0)
            high.append(0)
            low[at] = add(node["left_child"])
            high[at] = add(node["right_child"])
            return at - first

        add(tree["tree_structure"])
    for array in (
        np.array(roots, "<i4"), np.array(features, "u1"), np.array(thresholds, "<f4"), np.array(low, "<i2"),
        np.array(high, "<i2"), np.array(leaves, "<f4"), np.array(leaf_roots, "<i4"),
    ):
        part(array)
    head = struct.pack("<4sII", b"MGC1", model.num_feature(), zlib.crc32(out))
    with open(path, "wb") as file:
        file.write(head + out)
    print(len(head + out), "bytes")


def main(folder, path):
    global pages_index
    pages, width = [], 0
    for line in open(f"{folder}/pages.jsonl"):
        line = json.loads(line)
        width = line["width"]
        pages.append(Page(line))
    counted = np.fromfile(f"{folder}/features.bin", np.float32).reshape(-1, width)
    pages_index = {page.id: i for i, page in enumerate(pages)}
    hosts = collections.defaultdict(list)
    for i, page in enumerate(pages):
        hosts[page.host].append(i)
    fold = np.array([zlib.crc32(page.host.encode()) % FOLDS for page in pages])
    lengths = [len(page.words) for page in pages]
    row_fold = np.repeat(fold, lengths)
    words, right, weight = (np.concatenate([getattr(page, key) for page in pages]) for key in ("words", "right", "weight"))
    lexicon = {}
    for name, tokens_of in LEXICON.items():
        lexicon[name] = Words(pages, tokens_of)
        lexicon[name].least = LEAST_WEIGHT[name]
    chances = np.zeros(len(words))
    for one in [*range(FOLDS), FOLDS]:
        chosen = [i for i in range(len(pages)) if fold[i] != one]
        values = np.concatenate([counted, said(pages, lexicon, chosen, hosts)], axis=1)
        model = train(values, right, weight, np.flatnonzero((row_fold != one) & (words > 0)))
        mine = row_fold == one
        if one < FOLDS:
            chances[mine] = model.predict(values[mine], num_threads=1)
            some = mine & (words > 0)
            near = np.clip(chances[some], 1e-5, 1 - 1e-5)
            loss = -(right[some] * np.log(near) + (1 - right[some]) * np.log(1 - near))
            print("fold", one, "loss", round(float(np.average(loss, weights=weight[some])), 4), flush=True)
    write_model(model, lexicon, path)
    ends = np.cumsum([0, *lengths])
    with open(f"{folder}/chances.jsonl", "w") as file:
        for i, page in enumerate(pages):
            own = [round(float(value), 4) for value in chances[ends[i] : ends[i + 1]]]
            file.write(json.dumps({"id": page.id, "chances": own}) + "\n")


main(*sys.argv[1:])
