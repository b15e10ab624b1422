"""Asks chroma and lancedb, as they install, the questions of a collection: python peers.py <folder>.

The folder has passages.jsonl and queries.jsonl (id, text), vectors.f32 and queries.f32 (rows of 384 numbers, from the model that Magpie
is measured with: by default its copy of all-MiniLM-L6-v2, which is chroma's default model as well), and gets results.json: the ids of
100 passages a question, best first.
"""
import array
import json
import os
import sys
import tempfile

DIMENSIONS = 384
ASKED = 100
AT_ONCE = 1000

folder = sys.argv[1]


def rows(name):
    with open(os.path.join(folder, name), encoding="utf8") as file:
        return [json.loads(line) for line in file]


def vectors(name):
    with open(os.path.join(folder, name), "rb") as file:
        numbers = array.array("f", file.read())
    return [numbers[at : at + DIMENSIONS].tolist() for at in range(0, len(numbers), DIMENSIONS)]


def ask_chroma(passages, given, queries, asked):
    import chromadb

    client = chromadb.Client(chromadb.Settings(anonymized_telemetry=False))
    collection = client.create_collection("bench", embedding_function=None)
    for at in range(0, len(passages), AT_ONCE):
        some = passages[at : at + AT_ONCE]
        collection.add(
            ids=[one["id"] for one in some],
            documents=[one["text"] for one in some],
            embeddings=given[at : at + AT_ONCE],
        )
    count = min(ASKED, len(passages))
    return [collection.query(query_embeddings=[one], n_results=count)["ids"][0] for one in asked]


def ask_lancedb(passages, given, queries, asked):
    import lancedb

    database = lancedb.connect(tempfile.mkdtemp(dir=folder))
    table = database.create_table(
        "bench",
        [
            {"id": one["id"], "text": one["text"], "vector": vector}
            for one, vector in zip(passages, given, strict=True)
        ],
    )
    table.create_fts_index("text")
    found = []
    for one, vector in zip(queries, asked, strict=True):
        search = table.search(query_type="hybrid").vector(vector).text(one["text"]).limit(ASKED)
        found.append([row["id"] for row in search.to_list()])
    return found


given = (rows("passages.jsonl"), vectors("vectors.f32"), rows("queries.jsonl"), vectors("queries.f32"))
results = {"chroma": ask_chroma(*given), "lancedb": ask_lancedb(*given)}
with open(os.path.join(folder, "results.json"), "w", encoding="utf8") as file:
    json.dump(results, file)
