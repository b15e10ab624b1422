import { errors, type JWTPayload, jwtVerify, type LocalJWKSet } from 'jose';
import type { createIssuerKeys } from './issuer-keys.ts';

/** The algorithms are asymmetric. With HMAC, anyone could sign with the public key as the secret. */
export const TOKEN_SIGNATURE_ALGORITHMS =
  'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
export const CLOCK_TOLERANCE_S = 30;
/** Maximum characters of `sub`. OpenID Connect allows 255, and RFC 9068 sets no limit. */
const MAX_SUB_CHARS = 255;

export interface ExpectedClaims {
  readonly issuer: string;
  readonly audience: string;
  readonly now: () => number;
}

/** Verifies a token. Fetches newer keys if `set` lacks the token's key. Throws an Error with the reason. */
export async function verifyClaims(
  token: string,
  set: LocalJWKSet,
  keys: Pick<ReturnType<typeof createIssuerKeys>, 'fetchNewerKeys'>,
  { issuer, audience, now }: ExpectedClaims,
): Promise<JWTPayload> {
  const rules = {
    issuer,
    audience,
    algorithms: TOKEN_SIGNATURE_ALGORITHMS,
    requiredClaims: ['exp', 'sub'],
    clockTolerance: CLOCK_TOLERANCE_S,
    currentDate: new Date(now()),
  };
  try {
    return (await jwtVerify(token, set, rules)).payload;
  } catch (error) {
    const newer = error instanceof errors.JWKSNoMatchingKey ? await keys.fetchNewerKeys() : undefined;
    if (!newer) throw error;
    return (await jwtVerify(token, newer, rules)).payload;
  }
}

export function readSubject({ sub }: JWTPayload): string {
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUB_CHARS || /\p{C}/u.test(sub)) {
    throw new Error(`sub is not a name of 1 to ${MAX_SUB_CHARS} characters`);
  }
  return sub;
}

export const formatIssuerUser = (issuer: string, sub: string): string => `${sub}@${issuer}`;
