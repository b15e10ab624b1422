import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A judged collection in BEIR's form: corpus.jsonl, queries.jsonl and qrels.tsv. */
export interface Collection {
  readonly documents: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  readonly queries: readonly { readonly id: string; readonly text: string }[];
  /** Gain by query and document. */
  readonly judged: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export function loadCollection(folder: string): Collection {
  const lines = (name: string) => readFileSync(join(folder, name), 'utf8').trim().split('\n');
  const rows = (name: string) =>
    lines(name).map((line) => JSON.parse(line) as { _id: string; title?: string; text: string });
  const judged = new Map<string, Map<string, number>>();
  for (const line of lines('qrels.tsv').slice(1)) {
    const [query = '', document = '', gain = ''] = line.split('\t');
    judged.set(query, (judged.get(query) ?? new Map<string, number>()).set(document, Number(gain)));
  }
  return {
    documents: rows('corpus.jsonl').map(({ _id, title = '', text }) => ({ id: _id, title, text })),
    queries: rows('queries.jsonl').map(({ _id, text }) => ({ id: _id, text })),
    judged,
  };
}

/** nDCG@10 with the gains as they are judged (Jarvelin and Kekalainen 2002). */
export function ndcg(ids: readonly string[], gains: ReadonlyMap<string, number>): number {
  const dcg = (values: readonly number[]) =>
    values.slice(0, 10).reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0);
  const best = dcg([...gains.values()].sort((a, b) => b - a));
  return best > 0 ? dcg(ids.map((id) => gains.get(id) ?? 0)) / best : 0;
}
