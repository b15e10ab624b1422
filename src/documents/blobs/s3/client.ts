import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { SignatureV4 } from '@smithy/signature-v4';
import { Agent, request } from 'undici';
import { AppError, unavailableError } from '../../../errors.ts';
import type { S3Bucket } from './bucket.ts';
import { connectionError, refusalError, type S3Refusal } from './failure.ts';
import { parseXmlAnswer } from './xml-answer.ts';

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Object key of letters, digits and `-._/`. `key` is undefined for the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal | undefined;
  readonly takes?: readonly string[];
}

export interface S3Object {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

export type S3Client = ReturnType<typeof createS3Client>;
/** Maximum attempts of a request. The first wait is 2 * PAUSE_MS. Each later wait is twice as long. */
const ATTEMPTS = 5;
const [PAUSE_MS, MAX_PAUSE_MS] = [250, 8000];
const [CONNECT_MS, IDLE_MS, REQUEST_MS] = [10_000, 30_000, 120_000];
const CONNECTIONS = 64;
const MAX_ANSWER_BYTES = 8_000_000;
const NOTHING = createHash('sha256').digest('hex');
type RawResponse = Awaited<ReturnType<typeof request>>;

/** Creates the client of a bucket. Requests bypass the network guard, because the operator chose the service. */
export function createS3Client(place: S3Bucket, pauseMs = PAUSE_MS) {
  const agent = new Agent({
    connections: CONNECTIONS,
    pipelining: 1,
    connect: { timeout: CONNECT_MS },
    headersTimeout: IDLE_MS,
    bodyTimeout: IDLE_MS,
    keepAliveTimeout: 4000,
  });
  const closing = new AbortController();
  const sign = createSigner(place);

  const send = async (ask: S3Request, signal: AbortSignal): Promise<RawResponse> => {
    const { url, headers } = await sign(ask);
    return request(url, { dispatcher: agent, method: ask.method, headers, body: ask.body ?? null, signal });
  };

  const endsOf = ({ signal }: S3Request) =>
    AbortSignal.any(signal ? [closing.signal, signal] : [closing.signal]);
  const throwIfEnded = ({ signal }: S3Request) => {
    if (closing.signal.aborted) throw closed();
    signal?.throwIfAborted();
  };

  /** Sends a request once and reads the answer. Throws AppError with `retryAfter` if a further attempt may succeed. */
  async function attempt<T>(
    ask: S3Request,
    ms: number | undefined,
    read: (response: RawResponse) => Promise<T>,
  ): Promise<T | S3Refusal> {
    const ends = endsOf(ask);
    const signal = ms === undefined ? ends : AbortSignal.any([ends, AbortSignal.timeout(ms)]);
    try {
      const response = await send(ask, signal);
      if (response.statusCode < 300) return await read(response);
      const refusal = await readRefusal(response);
      if (ask.takes?.includes(refusal.code)) return refusal;
      throw refusalError(place, refusal);
    } catch (error) {
      throwIfEnded(ask);
      throw connectionError(place, error);
    }
  }

  async function persist<T>(
    ask: S3Request,
    ms: number | undefined,
    read: (response: RawResponse) => Promise<T>,
  ): Promise<T | S3Refusal> {
    for (let sent = 1; ; sent++) {
      try {
        return await attempt(ask, ms, read);
      } catch (error) {
        const passes = error instanceof AppError && error.retryAfter !== undefined;
        if (sent === ATTEMPTS || !passes || closing.signal.aborted) throw error;
      }
      await pause(pauseAfter(sent, pauseMs), undefined, { signal: endsOf(ask) }).catch(() =>
        throwIfEnded(ask),
      );
    }
  }

  return {
    /** Sends a request. `code` is '' or an S3 error code that `ask.takes` lists. Throws for other codes. */
    async ask(ask: S3Request) {
      const answer = await persist(ask, REQUEST_MS, async (response) => ({
        status: response.statusCode,
        code: '',
        headers: headersOf(response),
        text: await readText(response.body),
      }));
      return 'text' in answer ? answer : { ...answer, headers: {}, text: '' };
    },
    async open(ask: Omit<S3Request, 'method' | 'body'>): Promise<S3Object | string> {
      // There is no total timeout, because a large object may take long.
      const opened = await persist({ ...ask, method: 'GET' }, undefined, async (response) => ({
        headers: headersOf(response),
        body: response.body as Readable,
      }));
      return 'body' in opened ? opened : opened.code;
    },
    async close(): Promise<void> {
      closing.abort(closed());
      await agent.destroy();
    },
  };
}

const closed = () => unavailableError('Magpie is shutting down; try again later', { retryAfter: 5 });

function pauseAfter(attempt: number, pauseMs: number): number {
  return Math.min(MAX_PAUSE_MS, pauseMs * 2 ** attempt) * (0.5 + Math.random() / 2);
}

class Sha256 {
  readonly #hash: Hash | Hmac;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  reset(): void {}
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

function createSigner({ url: bucket, region, credentials }: S3Bucket) {
  const signer = new SignatureV4({
    credentials,
    region,
    service: 's3',
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
  return async ({ method, key = '', query = {}, headers = {}, body }: S3Request) => {
    const url = new URL(bucket);
    url.pathname += key;
    url.search = Object.entries(query)
      .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
      .join('&');
    const signed = await signer.sign({
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: { ...query },
      headers: {
        ...headers,
        host: url.host,
        'x-amz-content-sha256': body ? createHash('sha256').update(body).digest('hex') : NOTHING,
      },
    });
    return { url, headers: signed.headers };
  };
}

const escaped = (text: string) =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );

async function readRefusal({ statusCode: status, headers, body }: RawResponse): Promise<S3Refusal> {
  const said = parseXmlAnswer(await readText(body));
  const unsaid = status === 404 ? 'NotFound' : '';
  const region = headers['x-amz-bucket-region'] ?? said.of('Region');
  return { status, code: said.of('Code') ?? unsaid, region: typeof region === 'string' ? region : undefined };
}

async function readText(body: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    pieces.push(piece);
    size += piece.length;
    if (size > MAX_ANSWER_BYTES) throw unavailableError('the file storage sent too long an answer');
  }
  return Buffer.concat(pieces).toString();
}

function headersOf({ headers }: RawResponse): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]));
}
