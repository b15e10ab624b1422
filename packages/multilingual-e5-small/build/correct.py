"""Puts the linear step at the end of multilingual-e5-small's graph: its output `embedding` becomes `query` and `passage`.
Means and directions are computed from texts, one JSON object a line: {"src": "...", "lang": "de", "text": "..."}, some dozens
for each of 20 or more languages, from several sources, so that subjects do not count as languages.
Usage: correct.py MODEL_ONNX TOKENIZER_JSON TEXTS_JSONL OUT_ONNX   (needs numpy, onnx, onnxruntime, tokenizers)
MODEL_ONNX has the output `embedding` [texts, 384] of unit length; vectors are kept beside the texts, in TEXTS_JSONL.npz."""
import json, os, re, sys
from collections import defaultdict
import numpy as np, onnx, onnxruntime as ort
from onnx import TensorProto as T, helper as h, numpy_helper as nh
from tokenizers import Tokenizer

DIRECTIONS = 20
MIN_TEXTS_OF_LANGUAGE, MIN_TEXTS_OF_SOURCE = 25, 10
MAX_TOKENS, BATCH, PASSAGE_LETTERS = 256, 8, 700
model_file, tokenizer_file, texts_file, out = sys.argv[1:]
texts = [json.loads(line) for line in open(texts_file)]


def first_sentence(text):
    found = re.match(r'\s*(.{20,200}?[.?!。？！؟।])(\s|$|\S)', text.replace('\n', ' '))
    return found[1] if found else text[:120]


def embed(some):
    session, tokenizer = ort.InferenceSession(model_file), Tokenizer.from_file(tokenizer_file)
    tokenizer.enable_truncation(MAX_TOKENS)
    rows = [tokenizer.encode(text).ids for text in some]
    order, vectors = sorted(range(len(rows)), key=lambda i: len(rows[i])), np.zeros((len(rows), 384), np.float32)
    for batch in (order[at:at + BATCH] for at in range(0, len(order), BATCH)):
        length = max(len(rows[i]) for i in batch)
        ids, mask = np.zeros((2, len(batch), length), np.int64)
        for at, i in enumerate(batch):
            ids[at, :len(rows[i])], mask[at, :len(rows[i])] = rows[i], 1
        vectors[batch] = session.run(['embedding'], dict(input_ids=ids, attention_mask=mask, position_ids=np.arange(length)))[0]
    return vectors


kept = texts_file + '.npz'
if not os.path.exists(kept):
    np.savez(kept, passage=embed(['passage: ' + t['text'][:PASSAGE_LETTERS] for t in texts]),
             query=embed(['query: ' + first_sentence(t['text']) for t in texts]))
vectors = np.load(kept)

of = defaultdict(lambda: defaultdict(list))
for at, text in enumerate(texts): of[text['lang']][text['src']].append(at)
languages = {lang: sources for lang, sources in of.items() if sum(map(len, sources.values())) >= MIN_TEXTS_OF_LANGUAGE}
# Each language counts as much, and in it each source.
means = {kind: np.array([np.mean([vectors[kind][at].mean(0) for at in sources.values() if len(at) >= MIN_TEXTS_OF_SOURCE], 0)
                         for sources in languages.values()]) for kind in ('query', 'passage')}
average = {kind: rows.mean(0) for kind, rows in means.items()}
# English counts half: most questions are English, and what is left of its corner after the directions is taken out better so.
english = list(languages).index('en')
centre = {kind: (average[kind] + means[kind][english]) / 2 for kind in means}
_, lengths, axes = np.linalg.svd(np.concatenate([means[kind] - average[kind] for kind in means]), full_matrices=False)
share = (lengths[:DIRECTIONS] ** 2).sum() / (lengths ** 2).sum()
print(len(languages), 'languages;', DIRECTIONS, 'directions have', f'{share:.3f}', 'of how their means differ')

model = onnx.load(model_file)
graph = model.graph
if [o.name for o in graph.output] != ['embedding']: sys.exit('the graph has been corrected already')
across = axes[:DIRECTIONS].astype(np.float32)
graph.initializer.extend([nh.from_array(across, 'languages'), nh.from_array(np.ascontiguousarray(across.T), 'languages.t')])
del graph.output[:]
for kind in means:
    graph.initializer.append(nh.from_array(centre[kind].astype(np.float32), kind + '.mean'))
    name = lambda part: f'{kind}.{part}'
    graph.node.extend([h.make_node('Sub', ['embedding', name('mean')], [name('centred')]),
                       h.make_node('MatMul', [name('centred'), 'languages.t'], [name('parts')]),
                       h.make_node('MatMul', [name('parts'), 'languages'], [name('language')]),
                       h.make_node('Sub', [name('centred'), name('language')], [name('rest')]),
                       h.make_node('LpNormalization', [name('rest')], [kind], axis=-1, p=2)])
    graph.output.append(h.make_tensor_value_info(kind, T.FLOAT, ['b', 384]))
onnx.save(model, out)
