import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ACCESS_SCOPES } from '../../caller.ts';
import { AppError, asAppError, badRequestError } from '../../errors.ts';
import { unauthenticated } from '../../lib/network/bearer.ts';
import { createSealer } from '../../lib/secrets/sealer.ts';
import { generateKeyId } from '../keys/key.ts';
import { networkOf } from '../limits/network.ts';
import { createRateLimiter } from '../limits/rate-limiter.ts';
import { type AppClientsOptions, createAppClients } from './app-clients.ts';
import type { AppGrant, GrantStore, GrantToken } from './grant-store.ts';
import { isRegistered, parseRedirectUri } from './redirect-uri.ts';

export interface AuthorizationServerOptions extends AppClientsOptions {
  /** Origin of the server. */
  readonly issuer: string;
  readonly store: GrantStore;
}

/** What an app asks a user for. `scopes` is empty if the app leaves the choice to the user. */
export interface AppRequest
  extends Pick<AppGrant, 'clientId' | 'clientName' | 'redirectUri' | 'challenge' | 'scopes'> {
  readonly state?: string | undefined;
}

export type AuthorizationServer = ReturnType<typeof createAuthorizationServer>;

type TokenKind = GrantToken['kind'];
const MINUTE_MS = 60_000;
const LIFETIME_MS = { code: MINUTE_MS, access: 60 * MINUTE_MS, refresh: 30 * 24 * 60 * MINUTE_MS };
/**
 * How long a refresh token can be used again. Assistants refresh from several processes or addresses at once, and an
 * answer can be lost. After this time a second use counts as theft.
 */
const GRACE_MS = 2 * MINUTE_MS;
const MAX_LIVE_TOKENS = 30;
const MAX_GRANTS = 100;
/** How long expired tokens are kept, so that their second use is noticed. */
const KEPT_MS = 60 * MINUTE_MS;
const CLEANING_MS = 10 * MINUTE_MS;
const FORM_LIFETIME_MS = 60 * MINUTE_MS;
/** Registrations of one address, and fetches of documents for it. */
const REQUESTS_A_MINUTE = 60;
const PREFIXES: Readonly<Record<TokenKind, string>> = { code: 'mpc_', access: 'mpa_', refresh: 'mpr_' };
const [CHALLENGE, VERIFIER] = [/^[\w-]{43}$/, /^[\w.~-]{43,128}$/];

/** A small authorization server (OAuth 2.1) for apps that take no key: code flow with PKCE for public clients. */
export function createAuthorizationServer(options: AuthorizationServerOptions) {
  const { store, secret, now } = options;
  const pepper = createHmac('sha256', secret).update('magpie app tokens').digest();
  const hashOf = (text: string) =>
    createHmac('sha256', pepper).update(text.slice(0, 256)).digest('base64url');
  const parts: ServerParts = {
    ...options,
    hashOf,
    make(kind) {
      const text = `${PREFIXES[kind]}${randomBytes(32).toString('base64url')}`;
      return { text, token: { hash: hashOf(text), kind, expiresAt: now() + LIFETIME_MS[kind] } };
    },
    async find(text, kind) {
      const found = text.startsWith(PREFIXES[kind]) ? await store.findToken(hashOf(text), now()) : undefined;
      return found?.token.kind === kind ? found : undefined;
    },
  };
  return {
    ...createAuthorization(parts),
    exchange: createExchange(parts),

    /** Ends the grant of a token (RFC 7009). An unknown token does not fail. */
    async revokeToken(parameters: URLSearchParams) {
      const found = await store.findToken(hashOf(requireOne(parameters, 'token')), now());
      if (found && found.token.kind !== 'code') await store.deleteGrant(found.grant.id);
      return {};
    },

    /** Verifies an access token. Throws `unauthenticated`. Asks the database, so that revocation holds at once. */
    async verifyToken(text: string) {
      const found = await parts.find(text, 'access');
      if (!found || found.token.expiresAt <= now()) throw unauthenticated();
      const { id: grant, user, scopes } = found.grant;
      return { user, scopes: new Set(scopes), expiresAt: found.token.expiresAt, grant };
    },
    hasGrant: (id: string) => store.hasGrant(id, now()),
    listGrants: (user: string) => store.listGrants(user, now()),
    endGrant: (id: string, user?: string) => store.deleteGrant(id, user),
  };
}

interface ServerParts extends AuthorizationServerOptions {
  hashOf(text: string): string;
  make(kind: TokenKind): { readonly text: string; readonly token: GrantToken };
  find(text: string, kind: TokenKind): ReturnType<GrantStore['findToken']>;
}

/** What happens in the user's browser: an app's request, the user's answer. */
function createAuthorization(parts: ServerParts) {
  const { issuer, store, secret, now, make } = parts;
  const clients = createAppClients(parts);
  const sealer = createSealer(secret, 'request of an app');
  const rate = createRateLimiter({ quota: REQUESTS_A_MINUTE, windowMs: MINUTE_MS, now });

  function countSender(network: string): void {
    const { ok, waitMs } = rate.countRequest(network);
    if (!ok) throw tooMany('this address names too many apps', Math.ceil(waitMs / 1000));
  }

  return {
    registerClient(body: unknown, address: string): Record<string, unknown> {
      countSender(networkOf(address, 'client'));
      return clients.registerClient(body);
    },

    /** Reads the request of an app. `refusal` is meant for the app. Throws for an app that is unknown. */
    async readRequest(parameters: URLSearchParams, address: string) {
      const network = networkOf(address, 'client');
      const id = readOne(parameters, 'client_id') ?? '';
      const client = await clients.findClient(id, network, () => countSender(network));
      const redirectUri = readOne(parameters, 'redirect_uri') ?? '';
      if (!parseRedirectUri(redirectUri) || !isRegistered(redirectUri, client.redirectUris)) {
        throw badRequestError('this app wants to be answered at an address that it has not registered');
      }
      const asked = scopesIn(parameters);
      const request: AppRequest = {
        clientId: client.id,
        clientName: client.name,
        redirectUri,
        state: readOne(parameters, 'state'),
        challenge: readOne(parameters, 'code_challenge') ?? '',
        scopes: ACCESS_SCOPES.filter((scope) => asked.includes(scope)),
      };
      try {
        checkRequest(parameters, request, asked, issuer);
        return { request };
      } catch (error) {
        return { request, refusal: asAppError(error) };
      }
    },

    /** Encrypts a request for the form of the consent page, which only the same browser can send. */
    sealRequest: (request: AppRequest, browser: string): string =>
      sealer.seal(JSON.stringify({ request, browser, until: now() + FORM_LIFETIME_MS })),
    unsealRequest(sealed: string, browser: string): AppRequest | undefined {
      const text = sealer.unseal(sealed);
      if (text === undefined || browser === '') return undefined;
      const form = JSON.parse(text) as { request: AppRequest; browser: string; until: number };
      return form.browser === browser && form.until > now() ? form.request : undefined;
    },

    /** Returns the address that brings the app the answer, with `state` and the issuer (RFC 9207). */
    answerAddress({ redirectUri, state }: AppRequest, answer: Readonly<Record<string, string>>): string {
      const url = new URL(redirectUri);
      const all = { ...answer, ...(state !== undefined && { state }), iss: issuer };
      for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
      return url.href;
    },

    /** Lets an app in, as the user of a key. Returns the code that the app redeems within a minute. */
    async grant(request: AppRequest, holder: Pick<AppGrant, 'user' | 'keyId' | 'scopes'>): Promise<string> {
      const { text, token } = make('code');
      const [at, id] = [now(), `g${generateKeyId().slice(1)}`];
      const times = { createdAt: at, usedAt: at, expiresAt: token.expiresAt };
      await store.insertGrant({ ...request, ...holder, ...times, id }, token, MAX_GRANTS);
      return text;
    },
  };
}

/** Answers the token endpoint. What it throws has the code of OAuth, unless it is `rate_limited`. */
function createExchange({ issuer, store, now, hashOf, make, find }: ServerParts) {
  let cleanedAt = Number.NEGATIVE_INFINITY;

  async function issue(text: string, { id, scopes }: AppGrant, graceMs: number) {
    const [access, refresh] = [make('access'), make('refresh')];
    const next = { tokens: [access.token, refresh.token], most: MAX_LIVE_TOKENS };
    const outcome = await store.redeemToken(hashOf(text), id, { at: now(), graceMs, ...next });
    if (outcome === 'busy') throw tooMany('this app has asked for too many tokens', 600);
    if (outcome === 'used') {
      // Two hold the token, and one of them must not. Both lose what they got with it.
      await store.deleteGrant(id);
      throw invalidGrant();
    }
    return {
      access_token: access.text,
      token_type: 'Bearer',
      expires_in: LIFETIME_MS.access / 1000,
      refresh_token: refresh.text,
      scope: scopes.join(' '),
    };
  }

  async function redeem(kind: 'code' | 'refresh', text: string, parameters: URLSearchParams) {
    const { token, grant } = (await find(text, kind)) ?? {};
    if (!token || !grant || readOne(parameters, 'client_id') !== grant.clientId) throw invalidGrant();
    if (kind === 'refresh') {
      if (token.expiresAt <= now()) throw invalidGrant();
      const beyond = scopesIn(parameters).some((name) => !grant.scopes.some((scope) => scope === name));
      if (beyond) throw refusal('invalid_scope', `the user granted ${grant.scopes.join(' ')}`);
      return issue(text, grant, GRACE_MS);
    }
    const redirectUri = readOne(parameters, 'redirect_uri') ?? grant.redirectUri;
    const isProven = provesCode(requireOne(parameters, 'code_verifier'), grant.challenge);
    if (!isProven || redirectUri !== grant.redirectUri) throw invalidGrant();
    // The code of a grant that lasts longer was redeemed. To redeem it again ends the grant, also later.
    if (token.expiresAt <= now() && grant.expiresAt <= token.expiresAt) throw invalidGrant();
    return issue(text, grant, 0);
  }

  return async (parameters: URLSearchParams) => {
    if (now() - cleanedAt > CLEANING_MS) {
      cleanedAt = now();
      await store.deleteExpired(cleanedAt - KEPT_MS);
    }
    checkResource(parameters, issuer);
    const type = requireOne(parameters, 'grant_type');
    const kind = type === 'authorization_code' ? 'code' : 'refresh_token';
    if (kind === 'code') return redeem('code', requireOne(parameters, kind), parameters);
    if (kind === type) return redeem('refresh', requireOne(parameters, kind), parameters);
    throw refusal('unsupported_grant_type', 'grant_type is authorization_code or refresh_token');
  };
}

function checkRequest(
  parameters: URLSearchParams,
  { challenge, scopes }: AppRequest,
  asked: readonly string[],
  issuer: string,
): void {
  if (requireOne(parameters, 'response_type') !== 'code') {
    throw refusal('unsupported_response_type', 'response_type is code');
  }
  if (readOne(parameters, 'code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge)) {
    throw refusal('invalid_request', 'code_challenge is needed, with the method S256');
  }
  if (asked.length > 0 && scopes.length === 0) {
    throw refusal('invalid_scope', `the scopes are ${ACCESS_SCOPES.join(' ')}`);
  }
  checkResource(parameters, issuer);
}

/** Checks that tokens are meant for this server (RFC 8707): its origin, `/mcp`, or an address below. */
function checkResource(parameters: URLSearchParams, issuer: string): void {
  for (const resource of parameters.getAll('resource')) {
    const url = URL.canParse(resource) ? new URL(resource) : undefined;
    const isOurs = url?.origin === issuer && /^\/(?:mcp(?:\/|$)|$)/.test(url.pathname) && url.hash === '';
    if (!isOurs || `${url.username}${url.password}` !== '') {
      throw refusal('invalid_target', `resource is ${issuer}/mcp`);
    }
  }
}

/** Reads a parameter. Throws for one that is repeated, because others could read its other value. */
function readOne(parameters: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = parameters.getAll(name);
  if (more.length > 0) throw refusal('invalid_request', `${name} is there more than once`);
  return value === '' ? undefined : value;
}

function requireOne(parameters: URLSearchParams, name: string): string {
  const value = readOne(parameters, name);
  if (value === undefined) throw refusal('invalid_request', `${name} is missing`);
  return value;
}

const scopesIn = (parameters: URLSearchParams): readonly string[] =>
  (readOne(parameters, 'scope') ?? '').split(' ', 100).filter(Boolean);

function provesCode(verifier: string, challenge: string): boolean {
  const given = createHash('sha256').update(verifier).digest();
  const expected = Buffer.from(challenge, 'base64url');
  return VERIFIER.test(verifier) && expected.length === given.length && timingSafeEqual(given, expected);
}

const tooMany = (message: string, retryAfter: number): AppError =>
  new AppError('rate_limited', message, { retryAfter });
const refusal = (oauth: string, message: string): AppError => badRequestError(message, { oauth });

const invalidGrant = (): AppError =>
  refusal('invalid_grant', 'it is unknown, expired, used before, ended, or of another app');
