import type { ClientAuth, Configuration, CustomFetch, ServerMetadata } from 'openid-client';
import { AppError } from '../../errors.ts';
import type { GuardedFetch } from '../../lib/network/fetch.ts';
import type { Logger } from '../../log.ts';
import { ownHost } from '../tokens/issuer-keys.ts';
import { createRenewed } from '../tokens/renewed.ts';
import { ALGORITHMS } from '../tokens/signed-claims.ts';

/** Milliseconds for which the provider's metadata is used as it is, and while the provider cannot be reached. */
const FRESH_MS = 10 * 60_000;
const KEPT_MS = 24 * 3_600_000;
/** Milliseconds between two fetches of it at least, however many people want to sign in. */
const FETCH_PAUSE_MS = 5000;
/** Milliseconds of one request to the provider, and bytes of its answer. */
const REQUEST_TIMEOUT_MS = 5000;
const MAX_ANSWER_BYTES = 262_144;
const NEVER = new AbortController().signal;

export interface OpenIdProviderOptions {
  /** The issuer as it calls itself. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** Reaches public addresses, and the issuer's own host. */
  readonly fetch: GuardedFetch;
  readonly log: Logger;
  readonly now: () => number;
}

/** The provider as a client of it knows it. */
export interface OpenIdProvider {
  /** What it says of itself. AppError `unavailable` when it cannot be reached, or is another issuer's. */
  metadata(): Promise<ServerMetadata>;
  /**
   * The client in every way in which it may authenticate, the likelier way first: a provider takes the one that the client is
   * registered with, and refuses others before it reads the code. Requests end with the signal.
   */
  clients(signal: AbortSignal): Promise<readonly Configuration[]>;
}

/** Finds the provider by OpenID Connect Discovery, and reaches it by the guarded fetch alone. */
export function createOpenIdProvider(options: OpenIdProviderOptions): OpenIdProvider {
  const { issuer, clientId, clientSecret, fetch, log, now } = options;
  const host = new URL(issuer).host;
  const insecure = issuer.startsWith('http:');

  const kept = createRenewed<ServerMetadata>({
    async load() {
      const library = await import('openid-client');
      const client = await library.discovery(discoveryUrl(issuer), clientId, undefined, undefined, {
        [library.customFetch]: fetchBy(fetch, issuer, NEVER),
        timeout: REQUEST_TIMEOUT_MS / 1000,
        ...(insecure ? { execute: [library.allowInsecureRequests] } : {}),
      });
      return usable(client.serverMetadata(), issuer);
    },
    now,
    freshMs: FRESH_MS,
    keptMs: KEPT_MS,
    pauseMs: FETCH_PAUSE_MS,
    onFailure: (error, earlier) =>
      log.warn(
        { reasons: reasonsOf(error), issuer },
        earlier ? 'the login is used as it was found before' : 'the login of the issuer cannot be used',
      ),
  });

  async function metadata(): Promise<ServerMetadata> {
    const found = await kept.get();
    if (found) return found;
    throw awayError(host, kept.failure());
  }

  return {
    metadata,
    async clients(signal) {
      const [library, server] = await Promise.all([import('openid-client'), metadata()]);
      const ways = clientSecret === undefined ? [library.None()] : secretWays(library, server, clientSecret);
      if (ways.length === 0)
        throw awayError(host, new Error('it takes client secrets neither way, basic or post'));
      return ways.map((way) => {
        const client = new library.Configuration(server, clientId, undefined, way);
        client.timeout = REQUEST_TIMEOUT_MS / 1000;
        client[library.customFetch] = fetchBy(fetch, issuer, signal);
        if (insecure) library.allowInsecureRequests(client);
        return client;
      });
    },
  };
}

/** What is asked of the provider fails for a while. */
export function awayError(host: string, cause: unknown): AppError {
  return new AppError(
    'unavailable',
    `${host} cannot be reached for signing in: try again shortly, or use a key; the log of the server says why`,
    { retryAfter: FETCH_PAUSE_MS / 1000, cause },
  );
}

/** The words of an error and of what lies behind it, for the log. */
export function reasonsOf(error: unknown): string[] {
  const reasons: string[] = [];
  for (let at = error; at instanceof Error && reasons.length < 5; at = at.cause) reasons.push(at.message);
  return reasons;
}

/** OpenID Connect Discovery, section 4. Whether what is there is this issuer's is for `usable` to say. */
function discoveryUrl(issuer: string): URL {
  return new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
}

/** Metadata that a login may trust; an Error says why it may not. */
function usable(server: ServerMetadata, issuer: string): ServerMetadata {
  // Letter by letter: users are named by it.
  if (server.issuer !== issuer) {
    const named = JSON.stringify(server.issuer.slice(0, 200));
    throw new Error(`it names the issuer ${named}: MAGPIE_OAUTH_ISSUER takes it as written there`);
  }
  const signs = server.id_token_signing_alg_values_supported ?? ['RS256'];
  const algorithms = signs.filter((name) => ALGORITHMS.includes(name));
  if (algorithms.length === 0) {
    throw new Error(`it signs with none of ${ALGORITHMS.join(', ')}`);
  }
  return { ...server, id_token_signing_alg_values_supported: algorithms };
}

/** OpenID Connect Discovery: a provider that says nothing takes `client_secret_basic`. */
function secretWays(
  library: typeof import('openid-client'),
  server: ServerMetadata,
  secret: string,
): ClientAuth[] {
  const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const basic = taken.includes('client_secret_basic') ? [library.ClientSecretBasic(secret)] : [];
  const post = taken.includes('client_secret_post') ? [library.ClientSecretPost(secret)] : [];
  return [...basic, ...post];
}

/** The library's requests by the guarded fetch: no other host on a private network, no redirects, bounded in time and bytes. */
function fetchBy(fetch: GuardedFetch, issuer: string, signal: AbortSignal): CustomFetch {
  return async (url, { method, headers, body }) => {
    const { 'user-agent': _theirs, ...own } = headers;
    const answer = await fetch(url, {
      signal,
      allow: [ownHost(issuer)],
      method: method === 'POST' ? 'POST' : 'GET',
      headers: own,
      ...(body ? { body: String(body) } : {}),
      timeoutMs: REQUEST_TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      maxRedirects: 0,
    });
    const content = answer.body.length > 0 ? new Uint8Array(answer.body) : null;
    return new Response(content, { status: answer.status, headers: answer.headers });
  };
}
