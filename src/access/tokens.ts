import { createHash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify, type LocalJWKSet } from 'jose';
import { SCOPES, type Scope } from '../caller.ts';
import { AppError } from '../errors.ts';
import { unauthenticated } from '../lib/bearer.ts';
import type { GuardedFetch } from '../lib/fetch.ts';
import type { Logger } from '../log.ts';
import { createIssuerKeys } from './issuer-keys.ts';

/** An access token that was found good. */
export interface AccessToken {
  /** The user at the issuer. */
  readonly sub: string;
  /**
   * The owner of what its bearer keeps: `<sub>@<issuer>`, the issuer with its scheme. A name that somebody
   * gives a key cannot be the same by accident; a key for this user is made by giving that very name.
   */
  readonly user: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly clientId: string | undefined;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface Tokens {
  readonly issuer: string;
  /**
   * AppError `unauthenticated`, with one wording whatever is wrong and the reason as its cause, or
   * `unavailable` while the issuer's keys cannot be had.
   */
  verify(token: string): Promise<AccessToken>;
  /** Fetches the issuer's keys ahead of the first token; what fails is in the log. */
  warm(): Promise<void>;
}

export interface TokensOptions {
  /** The issuer as it calls itself in `iss` and in its metadata. */
  readonly issuer: string;
  /** What `aud` has to name. */
  readonly audience: string;
  /** Reaches public addresses, and the issuer's own host. */
  readonly fetch: GuardedFetch;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Asymmetric ones only: with a public key for the secret of an HMAC, everybody could sign. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** RFC 9068 asks for `at+jwt`; many issuers write `JWT` or nothing. Tokens for other ends name another type. */
const TYPES = ['at+jwt', 'application/at+jwt', 'jwt', 'application/jwt'];
/** Seconds by which clocks may differ. */
const TOLERANCE = 30;
/** Most characters of a token; Node takes 16 kB of headers together. */
const LONGEST = 12_000;
/** Most characters of `sub` (RFC 9068 leaves it open, OpenID Connect has 255). */
const LONGEST_SUB = 255;
/** Good tokens remembered, so that the signature is not computed with every request. */
const REMEMBERED = 1000;

/** Checks JWT access tokens of one issuer (RFC 9068), by its keys as they are at the time. */
export function createTokens({ issuer, audience, fetch, log, now = Date.now }: TokensOptions): Tokens {
  const keys = createIssuerKeys({ issuer, fetch, now, log });
  /** By the token's hash, in the order of use; all of them signed by keys of `trusted`. */
  const good = new Map<string, AccessToken>();
  let trusted: LocalJWKSet | undefined;

  async function verify(token: string): Promise<AccessToken> {
    // What is not from this issuer is refused before anything is fetched for it.
    if (token.length > LONGEST) throw new Error(`it is longer than ${LONGEST} characters`);
    checkHeader(token);
    if (decodeJwt(token).iss !== issuer) throw new Error('iss is not the issuer');
    const set = await keys.current();
    if (set !== trusted) good.clear();
    trusted = set;
    const hash = createHash('sha256').update(token).digest('base64');
    const known = good.get(hash);
    if (known && known.expiresAt + TOLERANCE * 1000 > now()) {
      good.delete(hash);
      good.set(hash, known);
      return known;
    }
    good.delete(hash);
    const found = accessToken(await signedBy(token, set), issuer);
    // Keys that changed meanwhile may have been this token's.
    if (set === trusted) good.set(hash, found);
    const [oldest] = good.keys();
    if (good.size > REMEMBERED && oldest !== undefined) good.delete(oldest);
    return found;
  }

  /** The claims of a token that holds by `set`, or by newer keys where its key is not among them. */
  async function signedBy(token: string, set: LocalJWKSet): Promise<JWTPayload> {
    const rules = {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: TOLERANCE,
      currentDate: new Date(now()),
    };
    try {
      return (await jwtVerify(token, set, rules)).payload;
    } catch (error) {
      const newer = error instanceof errors.JWKSNoMatchingKey ? await keys.newer() : undefined;
      if (!newer || newer === set) throw error;
      return (await jwtVerify(token, newer, rules)).payload;
    }
  }

  return {
    issuer,
    async verify(token) {
      try {
        return await verify(token);
      } catch (cause) {
        if (cause instanceof AppError) throw cause;
        const reason = cause instanceof Error ? cause.message : undefined;
        log.debug({ reason }, 'an access token was refused');
        throw unauthenticated(cause);
      }
    },
    async warm() {
      await keys.current().catch(() => {});
    },
  };
}

function checkHeader(token: string): void {
  const { alg, typ } = decodeProtectedHeader(token);
  if (alg === undefined || !ALGORITHMS.includes(alg)) throw new Error('alg is none of those allowed');
  if (typ !== undefined && !TYPES.includes(typ.toLowerCase()))
    throw new Error('typ is not that of an access token');
}

function accessToken(claims: JWTPayload, issuer: string): AccessToken {
  const { sub, exp = 0, cnf } = claims;
  // A token bound to its holder's key (RFC 9449, RFC 8705) is none for whoever merely bears it.
  if (cnf !== undefined) throw new Error('it is bound to a key, and comes without the proof');
  if (typeof sub !== 'string' || sub === '' || sub.length > LONGEST_SUB || /\p{C}/u.test(sub)) {
    throw new Error(`sub is not a name of 1 to ${LONGEST_SUB} characters`);
  }
  const client = claims.client_id ?? claims.azp;
  return {
    sub,
    user: `${sub}@${issuer}`,
    scopes: scopesOf(claims),
    clientId: typeof client === 'string' ? client.slice(0, LONGEST_SUB) : undefined,
    expiresAt: exp * 1000,
  };
}

/** `scope` is a text with spaces (RFC 9068); some issuers write `scp`, as a list or such a text. Others' are ignored. */
function scopesOf({ scope, scp }: JWTPayload): ReadonlySet<Scope> {
  const named = new Set(
    [scope, scp].flatMap((claim) => (typeof claim === 'string' ? claim.split(' ') : claim)),
  );
  return new Set(SCOPES.filter((name) => named.has(name)));
}
