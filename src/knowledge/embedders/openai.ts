import OpenAI, { APIError } from 'openai';
import { AppError } from '../../errors.ts';
import { untilAborted } from '../../lib/concurrency/deadline.ts';
import { createLimiter, type Limiter } from '../../lib/concurrency/limiter.ts';
import { traceHeaders } from '../../lib/tracing.ts';
import type { EmbeddedKind, Embedder } from '../embedding/embedder.ts';
import { parseEmbeddingVectors } from './openai-answer.ts';
import { asEmbeddingError } from './openai-error.ts';
import { createPause, type Pause } from './pause.ts';

export interface OpenAiOptions {
  /** Base URL of the API, such as `https://api.openai.com/v1`. It may have a private address, because the operator sets it. */
  readonly baseUrl: string;
  readonly key?: string;
  readonly model: string;
  readonly dimensions?: number;
  /** Maximum number of tokens per text that the model reads. Default: 512, which all known models support. */
  readonly maxTokens?: number;
  readonly timeoutMs?: number;
  /** Prefix that the model expects before each text of a kind, such as `query: ` and `passage: ` of E5. Default: none. */
  readonly prefixes?: Readonly<Partial<Record<EmbeddedKind, string>>>;
  readonly fetch?: typeof fetch;
}

const TIMEOUT_MS = 30_000;
const MAX_TOKENS = 512;
/** A query has few retries, because its caller waits. Pauses follow `Retry-After`, or double from 0.5 s. */
const RETRIES = { query: 1, passage: 4 };
const MAX_REQUESTS = 4;
const MAX_WAITING_REQUESTS = 2000;
/** Maximum texts and tokens per request. OpenAI accepts 2,048 and 300,000, but small requests cost less to repeat. */
const MAX_BATCH_TEXTS = 128;
const MAX_BATCH_TOKENS = 30_000;
/** Lower estimate of the UTF-8 bytes per token. English has 4 bytes per token, other scripts and code have about 3. */
const TOKEN_BYTES = 3;
const MAX_ANSWER_BYTES = 32_000_000;
const TOO_MANY_STATUSES = [400, 413, 422];

/** Creates an embedder for OpenAI's API. Throws AppError `upstream`, `timeout` or `unavailable`, which never contains the key. */
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
  const limiter = createRequestLimiter();
  const closing = new AbortController();
  let dimensions = options.dimensions;
  let most = MAX_BATCH_TEXTS;

  async function ask(
    texts: readonly string[],
    kind: EmbeddedKind,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const input = texts.map((text) => text || ' ');
    const body = {
      model,
      input,
      dimensions: options.dimensions,
    };
    const tries = { signal, maxRetries: RETRIES[kind], headers: traceHeaders() };
    // Rejects immediately on abort, because the `openai` package ignores the signal between its attempts.
    const answer = await untilAborted(client.embeddings.create(body, tries), signal);
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
    // The prefix of passages changes their vectors, so it is part of the name.
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
      closing.abort(new AppError('unavailable', 'the server is shutting down; call again when it is back'));
    },
  };
}

function createRequestLimiter(): Limiter {
  return createLimiter({
    concurrency: MAX_REQUESTS,
    maxWaiting: MAX_WAITING_REQUESTS,
    refuse: () =>
      new AppError('unavailable', 'too many texts wait for the embedding model; try again shortly', {
        retryAfter: 10,
      }),
  });
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
