import { createRequire } from 'node:module';
import { createEnglishEmbedder, ENGLISH_MODEL } from '../src/knowledge/embedders/english.ts';
import { encodeTruncated, loadTokenizer } from '../src/knowledge/embedders/tokens.ts';

/** One side of the embedding bench, in a process of its own: answers `batched`, `single` with figures. */

const WORDS =
  'the of a system model search result memory page river stone cloud where when found green ocean market study ' +
  'paper light under history language engine computer garden music doctor winter bird measure answer question';
const MODEL = new URL(ENGLISH_MODEL.folder);

interface Side {
  /** Embeds all texts as well as this side can. */
  batched(texts: readonly string[]): Promise<unknown>;
  single(text: string): Promise<unknown>;
}

function texts(count: number): string[] {
  const words = WORDS.split(' ');
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return words[Math.floor((state / 2 ** 32) * words.length)];
  };
  return Array.from({ length: count }, () => Array.from({ length: 50 }, next).join(' '));
}

async function product(): Promise<Side> {
  const embedder = createEnglishEmbedder();
  const { signal } = new AbortController();
  return {
    batched: (all) => embedder.embed(all, 'passage', signal),
    single: (text) => embedder.embed([text], 'query', signal),
  };
}

/** onnxruntime-node as its documentation shows it: two threads of one session, batches of 32. */
async function bare(): Promise<Side> {
  const { InferenceSession, Tensor } = createRequire(import.meta.url)('onnxruntime-node');
  const tokenizer = await loadTokenizer(MODEL);
  const session = await InferenceSession.create(new URL('model.onnx', MODEL).pathname, {
    intraOpNumThreads: 2,
  });
  const ids = new Map<string, readonly number[]>();
  const run = (batch: readonly string[]) => {
    // Tokens are made once, before the clock runs: the runtime alone is what is compared with.
    const rows = batch.map(
      (text) => ids.get(text) ?? encodeTruncated(tokenizer, text, ENGLISH_MODEL.maxTokens),
    );
    for (const [at, text] of batch.entries()) ids.set(text, rows[at] ?? []);
    const length = Math.max(...rows.map((row) => row.length));
    const padded = rows.flatMap((row) => [...row, ...Array(length - row.length).fill(0)]);
    const dims = [rows.length, length];
    return session.run({
      input_ids: new Tensor('int64', BigInt64Array.from(padded, BigInt), dims),
      attention_mask: new Tensor(
        'int64',
        BigInt64Array.from(padded, (id) => (id === 0 ? 0n : 1n)),
        dims,
      ),
      position_ids: new Tensor(
        'int64',
        BigInt64Array.from({ length }, (_, i) => BigInt(i)),
        [length],
      ),
    });
  };
  return {
    async batched(all) {
      for (let at = 0; at < all.length; at += 32) await run(all.slice(at, at + 32));
    },
    single: (text) => run([text]),
  };
}

const started = performance.now();
const side = await (process.argv[2] === 'bare' ? bare() : product());
const all = texts(Number(process.argv[3]));
/** Those that are embedded one by one. */
const some = all.slice(0, all.length / 4);
await side.single('a first question');
const coldMs = performance.now() - started;
await side.batched(all);
process.send?.({ coldMs });
process.on('message', async (what) => {
  const cpu = process.cpuUsage();
  const start = performance.now();
  if (what === 'batched') await side.batched(all);
  else for (const text of some) await side.single(text);
  const count = what === 'batched' ? all.length : some.length;
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({
    rate: (count / (performance.now() - start)) * 1000,
    cpuMs: (user + system) / 1000 / count,
    megabytes: process.memoryUsage().rss / 1e6,
  });
});
