import type { Configuration, CustomFetch, ServerMetadata } from 'openid-client';
import { type AppError, unavailableError } from '../../errors.ts';
import type { GuardedFetch } from '../../lib/network/fetch.ts';
import { getIssuerHost, type IssuerKeysOptions } from '../tokens/issuer-keys.ts';
import { createRefreshedValue } from '../tokens/refreshed-value.ts';
import { TOKEN_SIGNATURE_ALGORITHMS } from '../tokens/signed-claims.ts';

/** Metadata is used for `FRESH_MS`. While the provider is unreachable, it is used for up to `KEPT_MS`. */
const FRESH_MS = 10 * 60_000;
const KEPT_MS = 24 * 3_600_000;
const FETCH_PAUSE_MS = 5000;
const REQUEST_TIMEOUT_MS = 5000;
const MAX_ANSWER_BYTES = 262_144;
const NEVER = new AbortController().signal;

export interface OpenIdProviderOptions extends IssuerKeysOptions {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}

export function createOpenIdProvider(options: OpenIdProviderOptions) {
  const { issuer, clientId, clientSecret, fetch, log, now } = options;
  const host = new URL(issuer).host;
  const insecure = issuer.startsWith('http:');

  const kept = createRefreshedValue<ServerMetadata>({
    async load() {
      const library = await import('openid-client');
      const url = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
      const client = await library.discovery(url, clientId, undefined, undefined, {
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
        { reasons: listErrorMessages(error), issuer },
        earlier ? 'the login is used as it was found before' : 'the login of the issuer cannot be used',
      ),
  });

  async function metadata(): Promise<ServerMetadata> {
    const found = await kept.get();
    if (found) return found;
    throw createProviderUnavailableError(host, kept.failure());
  }

  return {
    metadata,
    /** Returns a client for each way to send the client secret: in a header (basic) or in the body (post). */
    async clients(signal: AbortSignal): Promise<readonly Configuration[]> {
      const [library, server] = await Promise.all([import('openid-client'), metadata()]);
      const ways = clientSecret === undefined ? [library.None()] : secretWays(library, server, clientSecret);
      if (ways.length === 0)
        throw createProviderUnavailableError(
          host,
          new Error('it takes client secrets neither way, basic or post'),
        );
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

export function createProviderUnavailableError(host: string, cause: unknown): AppError {
  return unavailableError(
    `${host} cannot be reached for signing in: try again shortly, or use a key; the log of the server says why`,
    { retryAfter: FETCH_PAUSE_MS / 1000, cause },
  );
}

export function listErrorMessages(error: unknown): string[] {
  const reasons: string[] = [];
  for (let at = error; at instanceof Error && reasons.length < 5; at = at.cause) reasons.push(at.message);
  return reasons;
}

function usable(server: ServerMetadata, issuer: string): ServerMetadata {
  // Compares the issuer exactly, because user names contain the issuer.
  if (server.issuer !== issuer) {
    const named = JSON.stringify(server.issuer.slice(0, 200));
    throw new Error(`it names the issuer ${named}: MAGPIE_OAUTH_ISSUER takes it as written there`);
  }
  const signs = server.id_token_signing_alg_values_supported ?? ['RS256'];
  const algorithms = signs.filter((name) => TOKEN_SIGNATURE_ALGORITHMS.includes(name));
  if (algorithms.length === 0) {
    throw new Error(`it signs with none of ${TOKEN_SIGNATURE_ALGORITHMS.join(', ')}`);
  }
  return { ...server, id_token_signing_alg_values_supported: algorithms };
}

function secretWays(library: typeof import('openid-client'), server: ServerMetadata, secret: string) {
  const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const basic = taken.includes('client_secret_basic') ? [library.ClientSecretBasic(secret)] : [];
  const post = taken.includes('client_secret_post') ? [library.ClientSecretPost(secret)] : [];
  return [...basic, ...post];
}

function fetchBy(fetch: GuardedFetch, issuer: string, signal: AbortSignal): CustomFetch {
  return async (url, { method, headers, body }) => {
    const { 'user-agent': _theirs, ...own } = headers;
    const answer = await fetch(url, {
      signal,
      allow: [getIssuerHost(issuer)],
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
