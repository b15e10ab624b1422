import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Writes `pieces.bin` from the tokenizer.json of a Unigram model: the trie of its pieces as it is in memory, so that it is
 * read and not built. Run as `node packages/multilingual-e5-small/build/pieces.ts TOKENIZER_JSON PIECES_BIN`.
 *
 * Numbers are little-endian 32-bit integers unless said otherwise:
 * 1. head: 0x3145504d ("MPE1"), number of nodes, number of pieces, id of the unknown piece;
 * 2. for each node, and one beyond the last: the number of its first child. Children of a node are neighbours, in the order of
 *    their units; node 0 is the root;
 * 3. for each node: the id of the piece that ends there, or -1;
 * 4. for each piece: its score times 10,000;
 * 5. for each node: the UTF-16 unit that leads to it (16 bits).
 */
const [from, to] = process.argv.slice(2);
if (!from || !to) throw new Error('usage: pieces.ts TOKENIZER_JSON PIECES_BIN');

interface Unigram {
  readonly vocab: readonly (readonly [piece: string, score: number])[];
  readonly unk_id: number;
}
interface Node {
  readonly unit: number;
  id: number;
  readonly children: Map<number, Node>;
}

const MAGIC = 0x3145504d;
const SCORE_PARTS = 10_000;
const { vocab, unk_id: unknown }: Unigram = JSON.parse(readFileSync(from, 'utf8')).model;
const root: Node = { unit: 0, id: -1, children: new Map() };
for (const [id, [piece]] of vocab.entries()) {
  let node = root;
  for (let at = 0; at < piece.length; at++) {
    const unit = piece.charCodeAt(at);
    const next: Node = node.children.get(unit) ?? { unit, id: -1, children: new Map() };
    node.children.set(unit, next);
    node = next;
  }
  node.id = id;
}
const nodes = [root];
const firstChild: number[] = [];
for (let at = 0; at < nodes.length; at++) {
  firstChild.push(nodes.length);
  const children = [...(nodes[at]?.children.values() ?? [])];
  nodes.push(...children.sort((a, b) => a.unit - b.unit));
}
firstChild.push(nodes.length);
const scores = vocab.map(([, score]) => Math.round(score * SCORE_PARTS));
if (vocab.some(([, score], id) => (scores[id] ?? 0) / SCORE_PARTS !== score)) {
  throw new Error('scores have more than four decimals');
}
const numbers = Int32Array.from([
  ...[MAGIC, nodes.length, vocab.length, unknown],
  ...firstChild,
  ...nodes.map(({ id }) => id),
  ...scores,
]);
const units = Uint16Array.from(nodes, ({ unit }) => unit);
writeFileSync(to, Buffer.concat([Buffer.from(numbers.buffer), Buffer.from(units.buffer)]));
process.stdout.write(
  `${nodes.length} nodes, ${vocab.length} pieces, ${numbers.byteLength + units.byteLength} bytes\n`,
);
