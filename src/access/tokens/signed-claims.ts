import { errors, type JWTPayload, jwtVerify, type LocalJWKSet } from 'jose';
import type { IssuerKeys } from './issuer-keys.ts';

/** What access tokens and ID tokens of an issuer have in common. */

/** Asymmetric ones only: with a public key as the secret of an HMAC, anyone could sign. */
export const ALGORITHMS = [
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
/** Seconds by which clocks may differ. */
export const CLOCK_TOLERANCE_S = 30;
/** Most characters of `sub` (RFC 9068 leaves it open, OpenID Connect has 255). */
const MAX_SUB_CHARS = 255;

export interface ClaimRules {
  readonly issuer: string;
  /** What `aud` has to name. */
  readonly audience: string;
  readonly now: () => number;
}

/** The claims of a token that is signed by a key of `set`, or of newer keys where its key is not in it; an Error says why not. */
export async function claimsOf(
  token: string,
  set: LocalJWKSet,
  keys: Pick<IssuerKeys, 'fetchNewerKeys'>,
  { issuer, audience, now }: ClaimRules,
): Promise<JWTPayload> {
  const rules = {
    issuer,
    audience,
    algorithms: ALGORITHMS,
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

/** The user at the issuer. */
export function subjectOf({ sub }: JWTPayload): string {
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUB_CHARS || /\p{C}/u.test(sub)) {
    throw new Error(`sub is not a name of 1 to ${MAX_SUB_CHARS} characters`);
  }
  return sub;
}

/** Whose everything is: the same user by an access token and after a login at the same issuer. */
export function userAt(issuer: string, sub: string): string {
  return `${sub}@${issuer}`;
}
