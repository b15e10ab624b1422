import { setTimeout } from 'node:timers/promises';
import { AppError, upstreamError } from '../../../../errors.ts';
import type { FetchOptions, FetchResult } from '../../../../lib/network/fetch.ts';
import { omitUndefined } from '../../../../lib/omit-undefined.ts';

export type Fetch = (url: string, options: FetchOptions) => Promise<FetchResult>;

export interface AdvisoryServiceOptions {
  readonly fetch: Fetch;
  readonly name: string;
  /** Base URL of the advisory service. It may be private, because only the operator can set it. */
  readonly url: string;
  /** Time limit of one request in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Wait in milliseconds before a request to a busy service is repeated. Default: 1,000. */
  readonly pauseMs?: number;
}

const MAX_ANSWER_BYTES = 40_000_000;
const RETRIED_STATUSES = new Set([429, 500, 502, 503, 504]);
/** Maximum wait in seconds that a busy service may request. Above it, the request is not repeated. */
const MAX_RETRY_DELAY_SECONDS = 10;

export async function askJson(
  options: AdvisoryServiceOptions,
  path: string,
  signal: AbortSignal,
  body?: unknown,
): Promise<unknown> {
  const { name } = options;
  const answer = await askBytes(options, path, signal, body);
  if (answer.status !== 200) throw createStatusError(name, answer.status);
  try {
    return JSON.parse(new TextDecoder().decode(answer.body)) as unknown;
  } catch (cause) {
    throw upstreamError(`${name} answered something that is not JSON`, { cause });
  }
}

export async function askBytes(
  { fetch, name, url, timeoutMs = 30_000, pauseMs = 1000 }: AdvisoryServiceOptions,
  path: string,
  signal: AbortSignal,
  body?: unknown,
): Promise<FetchResult> {
  const request: FetchOptions = {
    signal,
    timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    allow: [new URL(url).host],
    headers: omitUndefined({
      accept: 'application/json',
      'content-type': body === undefined ? undefined : 'application/json',
    }),
    method: body === undefined ? 'GET' : 'POST',
    body: body === undefined ? undefined : JSON.stringify(body),
  };
  let answer = await fetch(`${url}${path}`, request);
  if (RETRIED_STATUSES.has(answer.status)) {
    const asked = Number(answer.headers.get('retry-after') ?? 0);
    if (asked > MAX_RETRY_DELAY_SECONDS) throw createStatusError(name, answer.status, asked);
    await setTimeout(Math.max(pauseMs, asked * 1000), undefined, { signal });
    answer = await fetch(`${url}${path}`, request);
  }
  if (RETRIED_STATUSES.has(answer.status)) throw createStatusError(name, answer.status);
  return answer;
}

export function createStatusError(name: string, status: number, retryAfter?: number): AppError {
  const what = status === 429 ? 'is limiting requests' : `answered with status ${status}`;
  return new AppError(
    status === 429 ? 'rate_limited' : 'upstream',
    `${name} ${what}: try again later`,
    retryAfter === undefined ? {} : { retryAfter },
  );
}
