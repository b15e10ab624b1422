import { z } from 'zod';
import { AppError, badRequestError } from '../../errors.ts';
import { BoundedMap } from '../../lib/concurrency/bounded-map.ts';
import { createLimiter } from '../../lib/concurrency/limiter.ts';
import type { GuardedFetch } from '../../lib/network/fetch.ts';
import { createSealer } from '../../lib/secrets/sealer.ts';
import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import { takeCharacters } from '../../lib/text/text.ts';
import { parseRedirectUri } from './redirect-uri.ts';

export interface AppClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

export interface AppClientsOptions {
  /** Must reach public addresses only, because anyone can name the address of a document. */
  readonly fetch: GuardedFetch;
  readonly secret: Buffer;
  readonly now: () => number;
}

const MAX_ID_CHARS = 4000;
const MAX_NAME_CHARS = 100;
const MAX_URIS = 20;
const MAX_REGISTERED_CHARS = 2000;
const MAX_DOCUMENT_BYTES = 16_384;
const DOCUMENT_TIMEOUT_MS = 5000;
/** How long a document is used before it is fetched again, and how long a failed fetch is not repeated. */
const FRESH_MS = 10 * 60_000;
const FAILED_MS = 30_000;
const MAX_DOCUMENTS = 1000;
const REGISTERED = 'app.';

const UNUSABLE_METADATA = `redirect_uris takes 1 to ${MAX_URIS} addresses (https, http on loopback, or a scheme of the app, without user and fragment) of ${MAX_REGISTERED_CHARS} characters together, and client_name a text`;
const UNUSABLE_DOCUMENT =
  'the document that names the app cannot be used: it has to be JSON of at most 16 kB at a public https address, with this address as client_id, redirect_uris, and no secret';

const redirectUri = z.string().refine((text) => parseRedirectUri(text) !== undefined);
const redirectUris = z.array(redirectUri).min(1).max(MAX_URIS);
const metadata = z.object({
  client_name: z.string().max(1000).optional(),
  redirect_uris: redirectUris.refine((all) => all.join().length <= MAX_REGISTERED_CHARS),
});
const document = metadata.extend({
  client_id: z.string(),
  token_endpoint_auth_method: z.string().default('none'),
  token_endpoint_auth_methods_supported: z.array(z.string()).default([]),
});
const registered = z.tuple([z.string(), z.array(z.string())]);

/** Knows apps by their metadata document, or by a registration, which the client id itself holds encrypted. */
export function createAppClients({ fetch, secret, now }: AppClientsOptions) {
  const sealer = createSealer(secret, 'registered app');
  const documents = new BoundedMap<{ readonly client: Promise<AppClient>; until: number }>(MAX_DOCUMENTS);
  const fetches = createLimiter({
    ...{ concurrency: 16, concurrencyPerOwner: 1, maxWaiting: 100, maxWaitingPerOwner: 4 },
    refuse: () => new AppError('rate_limited', 'too many apps ask at once: wait a moment', { retryAfter: 5 }),
  });

  async function readDocument(id: string): Promise<AppClient> {
    // Has a deadline of its own and not its caller's, because others wait for the same document.
    const signal = AbortSignal.timeout(DOCUMENT_TIMEOUT_MS);
    const headers = { accept: 'application/json' };
    const answer = await fetch(id, { signal, headers, maxBytes: MAX_DOCUMENT_BYTES, maxRedirects: 0 });
    const text = answer.status === 200 ? new TextDecoder().decode(answer.body) : '';
    const found = document.parse(parseJsonOrNothing(text));
    // An app may prefer to sign its requests. It is taken if it can do without, as our metadata asks.
    const methods = [found.token_endpoint_auth_method, ...found.token_endpoint_auth_methods_supported];
    if (found.client_id !== id || !methods.includes('none')) throw new Error('it is not a public client');
    return { id, name: shownName(found.client_name), redirectUris: found.redirect_uris };
  }

  function findFetched(id: string): Promise<AppClient> | undefined {
    const known = documents.get(id);
    return known && known.until > now() ? known.client : undefined;
  }

  function fetchDocument(id: string): Promise<AppClient> {
    const entry = {
      until: now() + FRESH_MS,
      client: readDocument(id).catch((cause: unknown) => {
        entry.until = now() + FAILED_MS;
        throw badRequestError(UNUSABLE_DOCUMENT, { cause });
      }),
    };
    documents.set(id, entry);
    return entry.client;
  }

  return {
    /** Finds an app. Throws `bad_request` for an unknown one, or `rate_limited`. `countFetch` may throw too. */
    async findClient(id: string, network: string, countFetch: () => void): Promise<AppClient> {
      if (id.length <= MAX_ID_CHARS && isDocumentAddress(id)) {
        const known = findFetched(id);
        if (known) return known;
        countFetch();
        // Only a fetch that runs is shared: no one waits in the queue of another network.
        return fetches.run(() => findFetched(id) ?? fetchDocument(id), { owner: network });
      }
      const text = id.startsWith(REGISTERED) ? sealer.unseal(id.slice(REGISTERED.length, MAX_ID_CHARS)) : '';
      const { data } = registered.safeParse(parseJsonOrNothing(text ?? ''));
      if (data) return { id, name: data[0], redirectUris: data[1] };
      throw badRequestError(
        'this app is not known here: remove the connection in the app, and make it again',
      );
    },

    /** Registers an app (RFC 7591). Stores nothing, so that no number of registrations fills anything. */
    registerClient(body: unknown): Record<string, unknown> {
      const { data, error } = metadata.safeParse(body);
      if (!data) {
        const oauth = error.issues[0]?.path[0] === 'redirect_uris' ? 'redirect_uri' : 'client_metadata';
        throw badRequestError(UNUSABLE_METADATA, { oauth: `invalid_${oauth}` });
      }
      const named = JSON.stringify([shownName(data.client_name), data.redirect_uris]);
      return {
        ...data,
        client_id: `${REGISTERED}${sealer.seal(named)}`,
        client_id_issued_at: Math.floor(now() / 1000),
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      };
    },
  };
}

/** Checks the form of a client id that is an address (draft-ietf-oauth-client-id-metadata-document). */
function isDocumentAddress(id: string): boolean {
  if (!id.startsWith('https://') || !URL.canParse(id) || id.includes('#')) return false;
  const { pathname, username, password, href } = new URL(id);
  return href === id && pathname !== '/' && `${username}${password}` === '';
}

/** Leaves out characters that hide or reorder others, because the name is shown where the user decides. */
const shownName = (name = ''): string =>
  takeCharacters(name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').trim(), MAX_NAME_CHARS);
