import { conditions, freshened, isFresh, isKeepable, outlivesErrors, variance } from './cache-policy.ts';
import type { Answer, Ask, Exchange } from './exchange.ts';
import { type FetchCache, findKept, type KeptAnswer } from './fetch-cache.ts';
import { fetchError, forbidden } from './fetch-error.ts';
import type { Politeness } from './politeness.ts';
import type { UrlGuard } from './url-guard.ts';

export interface KeptExchangeOptions {
  readonly exchange: Exchange;
  readonly politeness: Politeness;
  readonly guard: UrlGuard;
  readonly cache: FetchCache | undefined;
  /** The operator's allow list: what was kept under another one is not found. */
  readonly policy: readonly string[];
}

/** An exchange whose answers are kept for `owner`; undefined keeps nothing. */
export type KeptExchange = (ask: Ask & { readonly owner: string | undefined }) => Promise<Answer>;

/** How long a name that may have moved inside is looked up before a kept answer is given, in milliseconds. */
const RECHECK_MS = 1000;

/**
 * HTTP caching (RFC 9111) over a polite exchange: fresh answers are given again, stale ones are asked after,
 * and a failing site is bridged where it allows that. A kept answer whose name has come to lead inside is
 * refused like a new one, after its own DNS look-up; a name that cannot be resolved does not withhold it.
 */
export function createKeptExchange(options: KeptExchangeOptions): KeptExchange {
  const { exchange, politeness, guard, cache } = options;
  const policy = [...options.policy].sort();

  async function politely(ask: Ask): Promise<Answer> {
    const leave = await politeness.enter(ask.url, ask.signal, ask.method === 'GET');
    try {
      const answer = await exchange(ask);
      politeness.heard(ask.url, answer.status, answer.headers.get('retry-after'));
      return answer;
    } finally {
      leave();
    }
  }

  async function given(kept: KeptAnswer, { url, verdict, signal }: Ask): Promise<KeptAnswer> {
    if (await guard.leadsInside(url, verdict, AbortSignal.any([signal, AbortSignal.timeout(RECHECK_MS)])))
      throw forbidden(url);
    return kept;
  }

  return async ({ owner, ...ask }) => {
    if (!cache || owner === undefined || ask.method !== 'GET') return politely(ask);
    const { url, headers, maxBytes } = ask;
    const scope = JSON.stringify([owner, ask.verdict, policy]);
    const kept = await findKept(cache, scope, url.href, headers, maxBytes);
    if (kept && isFresh(kept, Date.now())) return given(kept, ask);
    const answer = kept ? await askAgain(kept, ask) : await politely(ask);
    if (answer === kept) return given(kept, ask);
    const result = kept && answer.status === 304 ? renewed(kept, answer) : withVariance(answer, headers);
    if (isKeepable(result)) void cache.put(scope, url.href, result);
    return result;
  };

  /** Asks whether a stale answer still holds; gives it back where the site fails and it may bridge that. */
  async function askAgain(kept: KeptAnswer, ask: Ask): Promise<Answer> {
    const bridges = outlivesErrors(kept, Date.now());
    try {
      const answer = await politely({ ...ask, headers: { ...ask.headers, ...conditions(kept) } });
      return bridges && answer.status >= 500 ? kept : answer;
    } catch (error) {
      if (bridges && !ask.signal.aborted && failed(error, ask)) return kept;
      throw error;
    }
  }
}

/** The kept answer after a 304, with the newer headers that it brought. */
function renewed(kept: KeptAnswer, news: Answer): KeptAnswer {
  const { status, body, vary } = kept;
  return { ...news, status, body, vary, headers: freshened(kept.headers, news.headers) };
}

function withVariance(answer: Answer, request: Ask['headers']): KeptAnswer {
  return { ...answer, vary: variance(answer.headers, request) };
}

/** Whether the site is to blame, and not who asks or what is asked for. */
function failed(error: unknown, { url, signal }: Ask): boolean {
  return fetchError(error, { url, caller: signal, deadline: signal, timeoutMs: 0 }).code === 'upstream';
}
