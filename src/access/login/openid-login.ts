import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { Configuration, ServerMetadata } from 'openid-client';
import { ACCESS_SCOPES, type AccessScope } from '../../caller.ts';
import { AppError, asAppError, forbiddenError, unavailableError, upstreamError } from '../../errors.ts';
import { withDeadline } from '../../lib/concurrency/deadline.ts';
import { createLimiter } from '../../lib/concurrency/limiter.ts';
import type { createSealer } from '../../lib/secrets/sealer.ts';
import type { Logger } from '../../log.ts';
import { createIssuerKeys } from '../tokens/issuer-keys.ts';
import { formatIssuerUser, readSubject, verifyClaims } from '../tokens/signed-claims.ts';
import type { OpenIdLogin, PendingLogin, SignedInPerson } from '../types.ts';
import {
  createOpenIdProvider,
  createProviderUnavailableError,
  listErrorMessages,
  type OpenIdProviderOptions,
} from './openid-provider.ts';
import { createReplayGuard } from './replay-guard.ts';

export interface OpenIdLoginOptions extends OpenIdProviderOptions {
  /** Scopes for everyone who signs in. If empty, the scopes that the provider grants apply. */
  readonly scopes: readonly AccessScope[];
  /** Resource (RFC 8707) for which scopes are requested: the audience of access tokens, if it is a URL. */
  readonly resource: string | undefined;
  readonly redirectUri: string;
  /** Encrypts the state of a started login. All nodes have its key, because any node may finish the login. */
  readonly sealer: ReturnType<typeof createSealer>;
}

export const LOGIN_TIMEOUT_MS = 10 * 60_000;
const FINISH_MS = 15_000;
const MAX_FINISHING = 16;
const MAX_WAITING = 64;
const MAX_NAME_CHARS = 100;

/** Creates the login by OpenID Connect Core 1.0 (3.1), with PKCE (RFC 7636) and `iss` (RFC 9207). */
export function createOpenIdLogin(options: OpenIdLoginOptions): OpenIdLogin {
  const { issuer, clientId, sealer, now } = options;
  const provider = createOpenIdProvider(options);
  const keys = createIssuerKeys(options);
  const host = new URL(issuer).host;
  const firstUse = createReplayGuard(now);
  const finishing = createLimiter({
    concurrency: MAX_FINISHING,
    maxWaiting: MAX_WAITING,
    refuse: () => unavailableError('many people sign in right now: try again shortly', { retryAfter: 5 }),
  });

  async function check(
    begun: PendingLogin,
    answer: URLSearchParams,
    signal: AbortSignal,
  ): Promise<SignedInPerson> {
    const server = await provider.metadata();
    const tokens = await redeem(await provider.clients(signal), begun, answer, options);
    const token = tokens.id_token ?? '';
    // openid-client checks the claims but not the signature, so the signature is verified here.
    const claims = await verifyClaims(token, await keys.getKeys(), keys, { issuer, audience: clientId, now });
    const asked = options.scopes.length > 0 ? [] : wantedScopes(server);
    // RFC 6749 section 5.1: a response without `scope` grants the requested scopes.
    const granted = tokens.scope?.split(' ') ?? asked;
    const scopes =
      options.scopes.length > 0 ? options.scopes : asked.filter((name) => granted.includes(name));
    return {
      user: formatIssuerUser(issuer, readSubject(claims)),
      scopes: new Set(scopes),
      name: nameIn(claims),
    };
  }

  return {
    async begin(next) {
      const library = await import('openid-client');
      const [server, [client]] = await Promise.all([provider.metadata(), provider.clients(NEVER)]);
      const state = library.randomState();
      const nonce = library.randomNonce();
      const verifier = library.randomPKCECodeVerifier();
      const address = library.buildAuthorizationUrl(client as Configuration, {
        ...requestOf(server, options),
        ...{ redirect_uri: options.redirectUri, response_type: 'code', state, nonce },
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      const begun: PendingLogin = { state, nonce, verifier, next, until: now() + LOGIN_TIMEOUT_MS };
      return { address: address.href, kept: sealer.seal(JSON.stringify(begun)) };
    },

    take(kept, state) {
      const text = sealer.unseal(kept);
      if (text === undefined) return undefined;
      const begun = JSON.parse(text) as PendingLogin;
      const isMine = begun.state === state && begun.until > now();
      return isMine && firstUse(createHash('sha256').update(state).digest('base64'), begun.until)
        ? begun
        : undefined;
    },

    async finish(begun, answer, signal) {
      let person: SignedInPerson;
      try {
        person = await finishing.run(
          () => withDeadline(signal, FINISH_MS, (either) => check(begun, answer, either)),
          { signal },
        );
      } catch (error) {
        throw loginError(error, await import('openid-client'), host, options.log);
      }
      if (person.scopes.size > 0) return person;
      throw forbiddenError(
        `${host} knows you, but grants you none of ${ACCESS_SCOPES.join(', ')} here: ask who runs this server for one of them`,
      );
    },

    async endAddress() {
      try {
        const library = await import('openid-client');
        const [server, [client]] = await Promise.all([provider.metadata(), provider.clients(NEVER)]);
        if (server.end_session_endpoint === undefined || !client) return undefined;
        return library.buildEndSessionUrl(client).href;
      } catch {
        return undefined;
      }
    },
  };
}

const NEVER = new AbortController().signal;

async function redeem(
  clients: readonly Configuration[],
  { state, nonce, verifier }: PendingLogin,
  answer: URLSearchParams,
  { redirectUri, scopes, resource }: OpenIdLoginOptions,
) {
  const library = await import('openid-client');
  const came = new URL(redirectUri);
  came.search = answer.toString();
  const checks = {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  };
  const more = scopes.length === 0 && resource !== undefined ? { resource } : undefined;
  for (const [at, client] of clients.entries()) {
    try {
      return await library.authorizationCodeGrant(client, came, checks, more);
    } catch (error) {
      if (at + 1 >= clients.length || !isOtherWay(error, library)) throw error;
    }
  }
  throw new Error('there is no client');
}

function isOtherWay(error: unknown, library: typeof import('openid-client')): boolean {
  if (error instanceof library.WWWAuthenticateChallengeError) return true;
  return error instanceof library.ResponseBodyError && error.error === 'invalid_client';
}

function wantedScopes({ scopes_supported: offered }: ServerMetadata): readonly AccessScope[] {
  const known = ACCESS_SCOPES.filter((name) => offered?.includes(name));
  return known.length > 0 ? known : ACCESS_SCOPES;
}

function requestOf(
  server: ServerMetadata,
  { scopes, resource }: OpenIdLoginOptions,
): Readonly<Record<string, string>> {
  const profile = server.scopes_supported?.includes('profile') ? ['profile'] : [];
  if (scopes.length > 0) return { scope: ['openid', ...profile].join(' ') };
  const scope = ['openid', ...profile, ...wantedScopes(server)].join(' ');
  return resource === undefined ? { scope } : { scope, resource };
}

function nameIn({ preferred_username, name, email }: JWTPayload): string | undefined {
  const found = [preferred_username, name, email].find((one) => typeof one === 'string' && one.trim() !== '');
  if (typeof found !== 'string') return undefined;
  return found.replace(/\p{C}/gu, '').trim().slice(0, MAX_NAME_CHARS) || undefined;
}

type Library = typeof import('openid-client');

const PASSING = ['temporarily_unavailable', 'server_error'];
const REFUSED =
  'access_denied login_required consent_required interaction_required account_selection_required'.split(' ');
const AGAIN = 'sign in again';

/** Logs an error's details and returns a general one, because an attacker may have written the details. */
function loginError(error: unknown, library: Library, host: string, log: Logger): AppError {
  const code = codeOf(error, library);
  log.info(
    { reasons: listErrorMessages(error), code, about: descriptionOf(error, library) },
    'a login has failed',
  );
  if (code === undefined) return answerError(error, host);
  if (PASSING.includes(code)) return createProviderUnavailableError(host, error);
  if (REFUSED.includes(code)) {
    return forbiddenError(
      `${host} did not let you in, or you declined: ${AGAIN}, or ask who runs ${host} for access`,
    );
  }
  if (code === 'invalid_grant') return invalid(host, error);
  log.warn({ code, host }, 'the provider of logins refuses this server as its client: compare its settings');
  return upstreamError(
    `${host} refuses this server as its client (${code}): ask who runs this server to compare the client's settings there with MAGPIE_OIDC_CLIENT_ID, MAGPIE_OIDC_CLIENT_SECRET and MAGPIE_OIDC_SCOPES`,
  );
}

function codeOf(error: unknown, library: Library): string | undefined {
  if (error instanceof library.WWWAuthenticateChallengeError) return 'invalid_client';
  if (error instanceof library.AuthorizationResponseError || error instanceof library.ResponseBodyError) {
    return /^[\w.-]{1,60}$/.test(error.error) ? error.error : 'an unknown error';
  }
  return undefined;
}

function descriptionOf(error: unknown, library: Library): string | undefined {
  if (error instanceof library.AuthorizationResponseError || error instanceof library.ResponseBodyError) {
    return error.error_description?.slice(0, 500);
  }
  return undefined;
}

function answerError(error: unknown, host: string): AppError {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof AppError)
      return at.code === 'cancelled' ? at : createProviderUnavailableError(host, error);
    if (at.name === 'AbortError') return asAppError(at);
    if (at.name === 'TimeoutError') return createProviderUnavailableError(host, error);
    if (at.cause instanceof Response && at.cause.status >= 429)
      return createProviderUnavailableError(host, error);
  }
  return invalid(host, error);
}

function invalid(host: string, cause: unknown): AppError {
  return new AppError(
    'unauthenticated',
    `the answer of ${host} is not valid for this login, or was used before: ${AGAIN}`,
    { cause },
  );
}
