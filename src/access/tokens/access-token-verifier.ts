import { createHash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, type JWTPayload, type LocalJWKSet } from 'jose';
import { ACCESS_SCOPES, type AccessScope } from '../../caller.ts';
import { AppError } from '../../errors.ts';
import { BoundedMap } from '../../lib/concurrency/bounded-map.ts';
import { unauthenticated } from '../../lib/network/bearer.ts';
import type { AccessToken, AccessTokenVerifier } from '../types.ts';
import { createIssuerKeys, type IssuerKeysOptions } from './issuer-keys.ts';
import {
  CLOCK_TOLERANCE_S,
  formatIssuerUser,
  readSubject,
  TOKEN_SIGNATURE_ALGORITHMS,
  verifyClaims,
} from './signed-claims.ts';

export interface AccessTokenVerifierOptions extends Omit<IssuerKeysOptions, 'now'> {
  readonly audience: string;
  readonly now?: () => number;
}

/** RFC 9068 requires `at+jwt`, but many issuers write `JWT` or nothing. Other types are refused. */
const TYPES = ['at+jwt', 'application/at+jwt', 'jwt', 'application/jwt'];
/** Maximum characters of a token. Node.js accepts 16 kB of headers in total. */
const MAX_TOKEN_CHARS = 12_000;
const MAX_CLIENT_CHARS = 255;
const MAX_REMEMBERED = 1000;

export function createAccessTokenVerifier(options: AccessTokenVerifierOptions): AccessTokenVerifier {
  const { issuer, audience, fetch, log, now = Date.now } = options;
  const keys = createIssuerKeys({ issuer, fetch, now, log });
  /** Valid tokens by hash, in order of use. They were verified with the key set `trusted`. */
  const valid = new BoundedMap<AccessToken>(MAX_REMEMBERED);
  let trusted: LocalJWKSet | undefined;

  async function verify(token: string): Promise<AccessToken> {
    if (token.length > MAX_TOKEN_CHARS) throw new Error(`it is longer than ${MAX_TOKEN_CHARS} characters`);
    checkHeader(token);
    if (decodeJwt(token).iss !== issuer) throw new Error('iss is not the issuer');
    const set = await keys.getKeys();
    if (set !== trusted) valid.clear();
    trusted = set;
    const hash = createHash('sha256').update(token).digest('base64');
    const known = valid.get(hash);
    if (known && known.expiresAt + CLOCK_TOLERANCE_S * 1000 > now()) return known;
    valid.delete(hash);
    const found = accessToken(await verifyClaims(token, set, keys, { issuer, audience, now }), issuer);
    if (set === trusted) valid.set(hash, found);
    return found;
  }

  return {
    issuer,
    async verifyToken(token) {
      try {
        return await verify(token);
      } catch (cause) {
        if (cause instanceof AppError) throw cause;
        const reason = cause instanceof Error ? cause.message : undefined;
        log.debug({ reason }, 'an access token was refused');
        throw unauthenticated(cause);
      }
    },
    async fetchKeys() {
      await keys.getKeys().catch(() => {});
    },
  };
}

function checkHeader(token: string): void {
  const { alg, typ } = decodeProtectedHeader(token);
  if (alg === undefined || !TOKEN_SIGNATURE_ALGORITHMS.includes(alg))
    throw new Error('alg is not an allowed one');
  if (typ !== undefined && !TYPES.includes(typ.toLowerCase()))
    throw new Error('typ is not that of an access token');
}

function accessToken(claims: JWTPayload, issuer: string): AccessToken {
  const { exp = 0, cnf } = claims;
  // A token with `cnf` is bound to a client's key (RFC 9449, 8705). Magpie cannot check the client's proof.
  if (cnf !== undefined) throw new Error('it is bound to a key, and comes without the proof');
  const sub = readSubject(claims);
  const client = claims.client_id ?? claims.azp;
  return {
    sub,
    user: formatIssuerUser(issuer, sub),
    scopes: scopesOf(claims),
    clientId: typeof client === 'string' ? client.slice(0, MAX_CLIENT_CHARS) : undefined,
    expiresAt: exp * 1000,
  };
}

/** `scope` is a text separated by spaces (RFC 9068), `scp` a list or a text. Unknown scopes are ignored. */
function scopesOf({ scope, scp }: JWTPayload): ReadonlySet<AccessScope> {
  const named = new Set(
    [scope, scp].flatMap((claim) => (typeof claim === 'string' ? claim.split(' ') : claim)),
  );
  return new Set(ACCESS_SCOPES.filter((name) => named.has(name)));
}
