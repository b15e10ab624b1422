import { AppError, type ErrorCode, upstreamError } from '../errors.ts';
import type { HttpMethod } from '../lib/network/exchange.ts';
import type { FetchOptions, FetchResult, GuardedFetch } from '../lib/network/fetch.ts';
import { maskSecretsInForeignText } from '../lib/secrets/known-secrets.ts';
import { withoutInvisible } from '../lib/text/invisible.ts';
import { parseJsonOrNothing } from '../lib/text/parse-json-or-nothing.ts';
import type { AutomationPlatform, JsonRecord, PlatformSession } from './platform.ts';

const REQUEST_TIMEOUT_MS = 20_000;
const MAX_ANSWER_BYTES = 5_000_000;
const MAX_REASON_CHARACTERS = 300;

/** Creates a session. It sends the user's key only in a header and follows no redirect. */
export function createPlatformSession(options: {
  readonly fetch: GuardedFetch;
  readonly platform: AutomationPlatform;
  readonly baseUrl: string;
  readonly key: string;
  readonly team: string;
  readonly magpieKey?: string | undefined;
  readonly signal: AbortSignal;
}): PlatformSession {
  const { fetch, platform, baseUrl, key, team, magpieKey, signal } = options;
  const { hostname, port, protocol } = new URL(baseUrl);
  const own = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  const secrets = [key, team, ...(magpieKey === undefined ? [] : [magpieKey])];

  /** Adds the platform's name and advice to a network error, because the error names only the host. */
  async function reach(url: string, call: FetchOptions): Promise<FetchResult> {
    try {
      return await fetch(url, call);
    } catch (error) {
      if (!(error instanceof AppError) || !['upstream', 'timeout', 'unavailable'].includes(error.code))
        throw error;
      throw new AppError(
        error.code,
        `${platform.title} cannot be reached (${error.message}): try again later; if it stays so, the operator checks MAGPIE_AUTOMATION_URL`,
        { cause: error },
      );
    }
  }

  async function ask(
    method: HttpMethod,
    path: string,
    query: Readonly<Record<string, string>> = {},
    body?: JsonRecord,
  ): Promise<unknown> {
    const url = new URL(`${baseUrl}${platform.api}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const sends = method === 'POST' || body !== undefined;
    const answer = await reach(url.href, {
      signal,
      method,
      headers: {
        accept: 'application/json',
        ...(sends && { 'content-type': 'application/json' }),
        ...platform.authorize(key),
      },
      body: sends ? JSON.stringify(body ?? {}) : undefined,
      allow: [own],
      maxBytes: MAX_ANSWER_BYTES,
      maxRedirects: 0,
      timeoutMs: REQUEST_TIMEOUT_MS,
    });
    const said = parseJsonOrNothing(new TextDecoder().decode(answer.body));
    if (answer.status >= 200 && answer.status < 300) {
      if (method === 'DELETE') return undefined;
      if (said !== undefined) return said;
      throw upstreamError(`${platform.title} answered no JSON at ${own}: check MAGPIE_AUTOMATION_URL`);
    }
    const words = said === undefined ? undefined : platform.reason(said);
    const reason = maskSecretsInForeignText(withoutInvisible(words ?? ''), secrets)
      .replace(/\s+/g, ' ')
      .trim();
    throw refusal(
      platform,
      answer.status,
      reason.slice(0, MAX_REASON_CHARACTERS),
      answer.headers.get('retry-after'),
    );
  }

  return {
    team,
    magpieKey,
    get: (path, query) => ask('GET', path, query),
    post: (path, body, query) => ask('POST', path, query, body),
    put: (path, body) => ask('PUT', path, {}, body),
    patch: (path, body) => ask('PATCH', path, {}, body),
    remove: async (path, body, query) => void (await ask('DELETE', path, query, body)),
  };
}

/** Explains an HTTP status. Some platforms answer 402 when a quota is used up. */
function meaning({ rights, title }: AutomationPlatform, status: number): readonly [ErrorCode, string] {
  if (status === 401) return ['unauthenticated', `check autoplatformapikey: it takes ${rights}`];
  if (status === 403)
    return ['forbidden', `the key has no right to this: it takes ${rights}, of a member of the team`];
  if (status === 404)
    return [
      'not_found',
      'check autoplatformteamid: the team does not exist, or this key has no access to it',
    ];
  if (status === 402 || status === 429) {
    return [
      'rate_limited',
      `the quota of this account is used up for now: try again later, or raise it at ${title}`,
    ];
  }
  if (status >= 400 && status < 500) return ['bad_request', 'change the task, or name another platform'];
  return ['upstream', 'the platform is down or out of order: try again later'];
}

function refusal(platform: AutomationPlatform, status: number, reason: string, after: string | null) {
  const [code, advice] = meaning(platform, status);
  const words = reason === '' ? '' : `: ${reason.replace(/(?<![.\s])[.\s]+$/, '')}`;
  const seconds = /^\d{1,6}$/.test(after ?? '') ? Number(after) : 60;
  return new AppError(
    code,
    `${platform.title} answered ${status}${words}; ${advice}`,
    code === 'rate_limited' ? { retryAfter: seconds } : {},
  );
}
