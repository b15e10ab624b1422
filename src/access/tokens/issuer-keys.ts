import { createLocalJWKSet, type JSONWebKeySet, type LocalJWKSet } from 'jose';
import { z } from 'zod';
import { unavailableError } from '../../errors.ts';
import type { GuardedFetch } from '../../lib/network/fetch.ts';
import type { Logger } from '../../log.ts';
import { createRefreshedValue } from './refreshed-value.ts';

const FRESH_MS = 10 * 60_000;
/** How long fetched keys are used while the issuer is unreachable. */
const KEPT_MS = 24 * 3_600_000;
const FETCH_PAUSE_MS = 10_000;
const FETCH_DEADLINE_MS = 10_000;
const REQUEST_TIMEOUT_MS = 5000;
const MAX_ANSWER_BYTES = 262_144;
const MAX_KEYS = 100;
const Metadata = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });
const Keys = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(MAX_KEYS) });

export interface IssuerKeysOptions {
  readonly issuer: string;
  /** Fetches keys. `fetch` must allow public addresses and the issuer's own host. */
  readonly fetch: GuardedFetch;
  readonly now: () => number;
  readonly log: Logger;
}

/** Finds the keys by the issuer's metadata (RFC 8414 or OpenID Connect Discovery) and caches them. */
export function createIssuerKeys({ issuer, fetch, now, log }: IssuerKeysOptions) {
  const keys = createRefreshedValue<{ readonly set: LocalJWKSet; readonly text: string }>({
    async load(kept) {
      const fetched = await fetchKeys(issuer, fetch);
      const text = JSON.stringify(fetched);
      // Returns the same object for equal keys, because a new object clears the cache of verified tokens.
      return kept?.text === text ? kept : { set: createLocalJWKSet(fetched), text };
    },
    now,
    freshMs: FRESH_MS,
    keptMs: KEPT_MS,
    pauseMs: FETCH_PAUSE_MS,
    onFailure: (error, earlier) =>
      log.warn(
        { reason: error instanceof Error ? error.message : undefined },
        failureMessage(issuer, earlier !== undefined),
      ),
  });
  return {
    async getKeys(): Promise<LocalJWKSet> {
      const kept = await keys.get();
      if (kept) return kept.set;
      throw unavailableError(
        'access tokens cannot be checked now, because the keys of their issuer cannot be fetched; try again later',
        { retryAfter: FETCH_PAUSE_MS / 1000, cause: keys.failure() },
      );
    },
    fetchNewerKeys: async () => (await keys.renew())?.set,
  };
}

function failureMessage(issuer: string, earlier: boolean): string {
  const then = earlier
    ? `those fetched before are used for ${KEPT_MS / 3_600_000} hours`
    : 'no token can be checked';
  return `the keys of the issuer ${issuer} cannot be fetched: ${then}`;
}

export function getIssuerHost(issuer: string): string {
  const { hostname, port, protocol } = new URL(issuer);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

async function fetchKeys(issuer: string, fetch: GuardedFetch): Promise<JSONWebKeySet> {
  const signal = AbortSignal.timeout(FETCH_DEADLINE_MS);
  const allow = [getIssuerHost(issuer)];
  const get = async (url: string): Promise<unknown> => {
    const answer = await fetch(url, {
      signal,
      allow,
      headers: { accept: 'application/json' },
      timeoutMs: REQUEST_TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      maxRedirects: 0,
    });
    if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}`);
    try {
      return JSON.parse(new TextDecoder().decode(answer.body));
    } catch {
      throw new Error(`${url} is not JSON`);
    }
  };
  const address = await findKeysAddress(issuer, get);
  const keys = Keys.safeParse(await get(address));
  if (!keys.success) throw new Error(`${address} is not a set of at most ${MAX_KEYS} keys`);
  return keys.data;
}

/** Returns `jwks_uri` of the first metadata document that names this issuer. Throws an Error with all reasons. */
async function findKeysAddress(issuer: string, get: (url: string) => Promise<unknown>): Promise<string> {
  const reasons: string[] = [];
  for (const url of metadataUrls(issuer)) {
    try {
      const { success, data } = Metadata.safeParse(await get(url));
      if (!success) throw new Error(`${url} has no issuer and jwks_uri`);
      // RFC 8414 section 3.3: metadata of another issuer must not be used.
      if (data.issuer !== issuer) {
        throw new Error(
          `${url} names the issuer ${JSON.stringify(data.issuer.slice(0, 200))}: MAGPIE_OAUTH_ISSUER takes it as written there`,
        );
      }
      if (issuer.startsWith('https:') && !data.jwks_uri.startsWith('https:')) {
        throw new Error(`${url} names keys that do not come over https`);
      }
      return data.jwks_uri;
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(reasons.join('; '));
}

/** Returns possible URLs: `/.well-known/` comes before the path (RFC 8414) or after it (OpenID Connect). */
function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/(?<!\/)\/+$/, '');
  return [
    ...new Set([
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}/.well-known/openid-configuration${path}`,
      `${origin}${path}/.well-known/openid-configuration`,
    ]),
  ];
}
