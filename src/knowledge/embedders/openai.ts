import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI, { APIConnectionTimeoutError, APIError } from 'openai';
import { AppError, type ErrorCode, unavailableError, upstreamError } from '../../errors.ts';
import { waitUnlessAborted } from '../../lib/concurrency/deadline.ts';
import { createLimiter } from '../../lib/concurrency/limiter.ts';
import { networkFailure } from '../../lib/network/network-failure.ts';
import { parseInstant } from '../../lib/time/written-date.ts';
import { traceHeaders } from '../../lib/tracing.ts';
import type { EmbeddedKind, Embedder } from '../embedding/embedder.ts';

export interface OpenAiOptions {
  /** Base URL, such as `https://api.openai.com/v1`. It may have a private address, because the operator sets it. */
  readonly baseUrl: string;
  readonly key?: string;
  readonly model: string;
  readonly dimensions?: number;
  /** Maximum tokens per text. Default: 512, which all known models support. */
  readonly maxTokens?: number;
  readonly timeoutMs?: number;
  /** Prefix before each text, such as `query: ` and `passage: ` of E5. Default: none. */
  readonly prefixes?: Readonly<Partial<Record<EmbeddedKind, string>>>;
  readonly fetch?: typeof fetch;
}

const TIMEOUT_MS = 30_000;
const MAX_TOKENS = 512;
/** A query has fewer retries, because its caller waits. */
const RETRIES = { query: 1, passage: 4 };
const MAX_REQUESTS = 4;
const MAX_WAITING_REQUESTS = 2000;
/** Maximum texts in a request. OpenAI allows 2,048, but a small request is cheap to repeat. */
const MAX_BATCH_TEXTS = 128;
const MAX_BATCH_TOKENS = 30_000;
/** UTF-8 bytes per token: about 3 in code and in scripts other than Latin. English has about 4. */
const TOKEN_BYTES = 3;
const MAX_ANSWER_BYTES = 32_000_000;
const TOO_MANY_STATUSES = [400, 413, 422];

/** Creates an embedder for OpenAI's API. Its errors never contain the key. */
export function createOpenAiEmbedder(options: OpenAiOptions): Embedder {
  const { model, maxTokens = MAX_TOKENS, prefixes = {} } = options;
  const key = options.key ?? 'none';
  const pause = createPause();
  const client = new OpenAI({
    baseURL: options.baseUrl,
    apiKey: key,
    organization: null,
    project: null,
    timeout: options.timeoutMs ?? TIMEOUT_MS,
    logLevel: 'off',
    fetchOptions: { redirect: 'error' },
    fetch: paused(pause, bounded(options.fetch ?? fetch)),
  });
  const limiter = createLimiter({
    concurrency: MAX_REQUESTS,
    maxWaiting: MAX_WAITING_REQUESTS,
    refuse: () =>
      unavailableError('too many texts wait for the embedding model; try again shortly', { retryAfter: 10 }),
  });
  const closing = new AbortController();
  let dimensions = options.dimensions;
  let most = MAX_BATCH_TEXTS;

  async function ask(
    texts: readonly string[],
    kind: EmbeddedKind,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const input = texts.map((text) => text || ' ');
    const body = { model, input, dimensions: options.dimensions };
    const tries = { signal, maxRetries: RETRIES[kind], headers: traceHeaders() };
    // The `openai` package ignores the signal between attempts, so `waitUnlessAborted` watches the signal.
    const answer = await waitUnlessAborted(client.embeddings.create(body, tries), signal);
    const vectors = parseEmbeddingVectors(answer, texts.length, dimensions);
    dimensions ??= vectors[0]?.length;
    return vectors;
  }

  async function askInParts(
    texts: readonly string[],
    kind: EmbeddedKind,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    try {
      return await ask(texts, kind, signal);
    } catch (error) {
      signal.throwIfAborted();
      const status = error instanceof APIError ? error.status : undefined;
      if (texts.length === 1 || !status || !TOO_MANY_STATUSES.includes(status))
        throw asEmbeddingError(error, { model, key });
      const half = Math.ceil(texts.length / 2);
      if (status !== 400) most = Math.min(most, half);
      const parts = [texts.slice(0, half), texts.slice(half)];
      return [
        ...(await askInParts(parts[0] ?? [], kind, signal)),
        ...(await askInParts(parts[1] ?? [], kind, signal)),
      ];
    }
  }

  return {
    // A model's name includes the prefix of passages, because another prefix gives other vectors.
    name: `openai:${model}${options.dimensions === undefined ? '' : `@${options.dimensions}`}${prefixes.passage ? ` ${JSON.stringify(prefixes.passage)}` : ''}`,
    get dimensions() {
      return dimensions ?? 0;
    },
    maxTokens,
    countTokens: async (text) => tokensOf(text),
    async embed(texts, kind, signal) {
      signal.throwIfAborted();
      if (closing.signal.aborted) throw closing.signal.reason;
      const failed = new AbortController();
      const any = AbortSignal.any([signal, closing.signal, failed.signal]);
      const prefix = prefixes[kind] ?? '';
      const prefixed = prefix === '' ? texts : texts.map((text) => prefix + text);
      const batches = batchesOf(prefixed, maxTokens, most);
      try {
        const parts = await Promise.all(
          batches.map((batch) =>
            limiter.run(() => askInParts(batch, kind, any), {
              signal: any,
              priority: kind === 'query' ? 1 : 0,
            }),
          ),
        );
        return parts.flat();
      } catch (error) {
        failed.abort(error);
        throw error;
      }
    },
    async close() {
      closing.abort(unavailableError('the server is shutting down; call again when it is back'));
    },
  };
}

function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / TOKEN_BYTES);
}

function batchesOf(texts: readonly string[], maxTokens: number, most: number): string[][] {
  const batches: string[][] = [];
  let batch: string[] = [];
  let tokens = 0;
  for (const text of texts) {
    const cut = cutTo(text, maxTokens * TOKEN_BYTES);
    const more = tokensOf(cut);
    if (batch.length === most || (batch.length > 0 && tokens + more > MAX_BATCH_TOKENS)) {
      batches.push(batch);
      [batch, tokens] = [[], 0];
    }
    batch.push(cut);
    tokens += more;
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}

function cutTo(text: string, bytes: number): string {
  const start = text.slice(0, bytes);
  const encoded = Buffer.from(start);
  if (encoded.length <= bytes) return start;
  return new TextDecoder().decode(encoded.subarray(0, bytes), { stream: true });
}

function paused(pause: Pause, inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    await pause.waitUntilOver(init?.signal ?? undefined);
    const response = await inner(input, init);
    pause.noteResponse(response);
    return response;
  };
}

function bounded(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    let left = MAX_ANSWER_BYTES;
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.byteLength;
        if (left < 0) controller.error(new RangeError('the answer is too long'));
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body?.pipeThrough(bound) ?? null, { status, statusText, headers });
  };
}

function parseEmbeddingVectors(body: unknown, count: number, dimensions: number | undefined): Float32Array[] {
  const data = member(body, 'data');
  if (!Array.isArray(data)) throw wrong('without a list of vectors');
  if (data.length !== count) throw wrong(`with ${data.length} vectors for ${count} texts`);
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  for (const [place, item] of data.entries()) {
    const index = member(item, 'index') ?? place;
    if (typeof index !== 'number' || !(index in vectors) || vectors[index])
      throw wrong('with vectors of no order');
    vectors[index] = unitVector(member(item, 'embedding'));
  }
  const all = vectors.filter((vector) => vector !== undefined);
  const expected = dimensions ?? all[0]?.length;
  const other = all.find(({ length }) => length !== expected);
  if (other) throw wrong(`with a vector of ${other.length} numbers where there should be ${expected}`);
  return all;
}

function unitVector(values: unknown): Float32Array {
  if (!Array.isArray(values) || values.length === 0) throw wrong('with something else than a vector');
  let squares = 0;
  for (const value of values) {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong('with a vector of no numbers');
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  if (length === 0 || !Number.isFinite(length)) throw wrong('with a vector that has no direction');
  return Float32Array.from(values, (value: number) => value / length);
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}

function wrong(what: string): AppError {
  return upstreamError(
    `the embedding model answered ${what}: check the model in MAGPIE_EMBEDDER and the address in OPENAI_BASE_URL`,
  );
}

const RETRY_AFTER_S = 10;

/** Converts an error of the `openai` package without its message, which may contain texts or the key. */
export function asEmbeddingError(thrown: unknown, { model, key }: { model: string; key: string }): AppError {
  if (thrown instanceof AppError) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const said = thrown instanceof APIError && thrown.status !== undefined ? codesOf(thrown) : text;
  const cause = new Error(said.replaceAll(key, '[key]'));
  const error = (code: ErrorCode, message: string, retryAfter?: number) =>
    new AppError(code, message, { cause, ...(retryAfter !== undefined && { retryAfter }) });
  if (thrown instanceof APIConnectionTimeoutError)
    return error('timeout', 'the embedding model took too long; try again');
  if (!(thrown instanceof APIError))
    return error('upstream', 'the answer of the embedding model cannot be read; check OPENAI_BASE_URL');
  const { status, headers } = thrown;
  if (status === undefined) {
    const failure = networkFailure(thrown);
    const why = failure === undefined ? '' : `: it ${failure.what}`;
    const advice = failure === undefined ? '' : `, or ${failure.advice}`;
    return error(
      'unavailable',
      `the embedding model cannot be reached${why}; check OPENAI_BASE_URL${advice}`,
    );
  }
  if (status === 401 || status === 403)
    return error('unavailable', `the embedding model refused the key (${status}); check OPENAI_API_KEY`);
  if (status === 429 || status === 503) {
    const retryAfter = Number.parseInt(headers?.get('retry-after') ?? '', 10) || RETRY_AFTER_S;
    return error('unavailable', `the embedding model is overloaded (${status}); try again later`, retryAfter);
  }
  const named = JSON.stringify(model);
  return error('upstream', `the embedding service answered ${status}; check that it has the model ${named}`);
}

function codesOf({ status, type, code }: APIError): string {
  const words = [type, code].filter((word) => typeof word === 'string' && /^[\w.-]{1,60}$/.test(word));
  return [status, ...words].join(' ');
}

type Pause = ReturnType<typeof createPause>;
const DEFAULT_PAUSE_MS = 500;
const MAX_PAUSE_MS = 20_000;

function createPause() {
  let until = 0;
  return {
    noteResponse({ status, headers }: Pick<Response, 'status' | 'headers'>): void {
      const named = namedMs(headers);
      if (status !== 429 && (status !== 503 || named === undefined)) return;
      until = Math.max(until, performance.now() + Math.min(named ?? DEFAULT_PAUSE_MS, MAX_PAUSE_MS));
    },
    async waitUntilOver(signal?: AbortSignal): Promise<void> {
      for (let left = until - performance.now(); left > 0; left = until - performance.now()) {
        await sleep(Math.ceil(left), undefined, { signal }).catch((error: unknown) => {
          throw signal?.aborted ? signal.reason : error;
        });
      }
    },
  };
}

/** Returns the wait in ms: `retry-after-ms`, or `Retry-After` in seconds or as a date (RFC 9110, 10.2.3). */
function namedMs(headers: Headers): number | undefined {
  const ms = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (ms >= 0) return ms;
  const after = headers.get('retry-after') ?? '';
  if (/^\s*\d+(?:\.\d+)?\s*$/.test(after)) return Number(after) * 1000;
  const date = parseInstant(after);
  return date === undefined ? undefined : Math.max(0, date - Date.now());
}
