import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that the API was sent. */
export interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: { model: string; input: string[]; dimensions?: number; encoding_format?: string };
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is; anything else as JSON. */
  readonly body: unknown;
  /** Milliseconds to wait before it. */
  readonly after?: number;
}

/** A service with OpenAI's embeddings API on loopback: a vector is the count of each word's hash. */
export interface EmbeddingsApi {
  readonly url: string;
  /** The settings of a Magpie that makes its vectors here: for tests in which a model's meaning plays no part. */
  readonly settings: Readonly<Record<string, string>>;
  readonly asked: Asked[];
  readonly most: { atOnce: number };
  /** Answers in the place of the right one, at once or when they come; undefined leaves it. */
  answer: (asked: Asked, right: { data: unknown[] }) => Answer | undefined | Promise<Answer | undefined>;
  unref(): void;
  close(): Promise<void>;
}

const DIMENSIONS = 64;

/** Of the words so far: long texts repeat theirs. */
const hashes = new Map<string, number>();

function hashOf(word: string): number {
  const known = hashes.get(word);
  if (known !== undefined) return known;
  const hash = [...word].reduce(
    (sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0,
    7,
  );
  hashes.set(word, hash);
  return hash;
}

function vectorOf(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions).fill(0.01);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const at = hashOf(word) % dimensions;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  return vector;
}

export async function startEmbeddingsApi(base64 = true): Promise<EmbeddingsApi> {
  const asked: Asked[] = [];
  const most = { atOnce: 0 };
  let atOnce = 0;
  const server = createServer(async (request, response) => {
    most.atOnce = Math.max(most.atOnce, ++atOnce);
    response.on('close', () => atOnce--);
    let text = '';
    for await (const chunk of request) text += chunk;
    const one: Asked = { path: request.url ?? '', headers: request.headers, body: JSON.parse(text) };
    asked.push(one);
    const data = one.body.input.map((input, index) => {
      const vector = vectorOf(input, one.body.dimensions ?? DIMENSIONS);
      const packed = base64 && one.body.encoding_format === 'base64';
      return {
        object: 'embedding',
        index,
        embedding: packed ? Buffer.from(vector.buffer).toString('base64') : [...vector],
      };
    });
    const right = {
      object: 'list',
      data,
      model: one.body.model,
      usage: { prompt_tokens: 1, total_tokens: 1 },
    };
    const { status = 200, headers = {}, body, after = 0 } = (await api.answer(one, right)) ?? { body: right };
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    setTimeout(
      () => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(sent),
      after,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1`;
  const api: EmbeddingsApi = {
    url,
    settings: { MAGPIE_EMBEDDER: `openai:words@${DIMENSIONS}`, OPENAI_BASE_URL: url, OPENAI_API_KEY: 'k' },
    asked,
    most,
    answer: () => undefined,
    unref: () => void server.unref(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return api;
}

/** One for all files of this process, which does not keep the process alive. */
let shared: Promise<EmbeddingsApi> | undefined;

/** Settings of a Magpie that loads no model: it asks a service on loopback for vectors, which counts words. */
export async function withoutModel(): Promise<Record<string, string>> {
  shared ??= startEmbeddingsApi();
  const api = await shared;
  api.unref();
  // What it is asked is of no interest, and would be kept.
  api.asked.length = 0;
  return { ...api.settings };
}
