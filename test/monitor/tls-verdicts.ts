/** What is found of each server of `tls-servers.ts`: the rules that are broken, in brackets those for information. */

export interface Verdict {
  readonly magpie: readonly string[];
  /** Default true. */
  readonly up?: boolean;
  /** Whether pages count as trusted; left out where none is shown. */
  readonly trusted?: boolean;
  /** Who serves it, where it is not Node. */
  readonly by?: 'tlslite-ng';
}

export const VERDICTS: Readonly<Record<string, Verdict>> = {
  good: { magpie: ['(protocol/rsa-key-exchange)'], trusted: true },
  EC: { magpie: [], trusted: true },
  expired: { magpie: ['certificate/expired'], trusted: false },
  'not yet valid': { magpie: ['certificate/not-yet-valid'], trusted: false },
  'wrong host': { magpie: ['certificate/wrong-name'], trusted: false },
  'self-signed': { magpie: ['certificate/untrusted'], trusted: false },
  'unknown root': { magpie: ['certificate/untrusted'], trusted: false },
  'weak key': { magpie: ['certificate/weak-key', '(protocol/rsa-key-exchange)'], trusted: false },
  'SHA-1': { magpie: ['certificate/weak-signature'], trusted: false },
  'chain missing': { magpie: ['certificate/incomplete-chain'], trusted: false },
  'ending in 5 days': { magpie: ['certificate/expires-in-7-days'], trusted: true },
  'ending in 10 days': { magpie: ['certificate/expires-in-14-days'], trusted: true },
  'ending in 20 days': { magpie: ['(certificate/expires-in-30-days)'], trusted: true },
  'ending in 29 days': { magpie: ['(certificate/expires-in-30-days)'], trusted: true },
  'a life of 6 days': { magpie: [], trusted: true },
  'no alternative name': { magpie: ['certificate/no-alternative-name'], trusted: false },
  'must-staple': { magpie: ['certificate/missing-staple'], trusted: true },
  'life too long': { magpie: ['(certificate/too-long-life)'], trusted: true },
  'client usage only': { magpie: ['certificate/wrong-usage'], trusted: false },
  'weak curve': { magpie: ['certificate/weak-key', '(protocol/no-tls-1-3)'], trusted: false },
  'unusual curve': { magpie: ['certificate/unusual-key', '(protocol/no-tls-1-3)'], trusted: false },
  'expired intermediate': { magpie: ['certificate/expired-issuer'], trusted: false },
  wildcard: { magpie: [], trusted: true },
  'SHA-1 intermediate': { magpie: ['certificate/weak-signature'], trusted: false },
  'intermediate that is no authority': { magpie: ['certificate/wrong-issuer'], trusted: false },
  'TLS 1.0 only': {
    magpie: [
      'protocol/tls-1-0',
      '(protocol/rsa-key-exchange)',
      '(protocol/no-tls-1-3)',
      'protocol/cbc-chosen',
    ],
    trusted: true,
  },
  'TLS 1.1 only': {
    magpie: [
      'protocol/tls-1-1',
      '(protocol/rsa-key-exchange)',
      '(protocol/no-tls-1-3)',
      'protocol/cbc-chosen',
    ],
    trusted: true,
  },
  'TLS 1.0 to 1.3': {
    magpie: ['protocol/tls-1-0', 'protocol/tls-1-1', '(protocol/rsa-key-exchange)'],
    trusted: true,
  },
  'AES-CBC only': {
    magpie: ['(protocol/no-tls-1-3)', 'protocol/no-forward-secrecy', 'protocol/cbc-chosen'],
    trusted: true,
  },
  'ECDHE-CBC only': { magpie: ['(protocol/no-tls-1-3)', 'protocol/cbc-chosen'], trusted: true },
  NULL: { magpie: ['reachability/down', 'protocol/no-encryption'], up: false },
  anonymous: { magpie: ['reachability/down', 'protocol/no-encryption'], up: false },
  'DH 1024': { magpie: ['protocol/weak-key-exchange', '(protocol/no-tls-1-3)'], trusted: true },
  'RSA key exchange': { magpie: ['(protocol/rsa-key-exchange)', '(protocol/no-tls-1-3)'], trusted: true },
  '1.2 with GCM only': { magpie: ['(protocol/no-tls-1-3)'], trusted: true },
  'client certificate asked': {
    magpie: ['(reachability/client-certificate)', '(protocol/rsa-key-exchange)'],
  },
  'client certificate asked, TLS 1.2': {
    magpie: ['(reachability/client-certificate)', '(protocol/rsa-key-exchange)', '(protocol/no-tls-1-3)'],
  },
  'SSL 3': {
    magpie: ['protocol/ssl-3', '(protocol/rsa-key-exchange)', '(protocol/no-tls-1-3)', 'protocol/cbc-chosen'],
    by: 'tlslite-ng',
  },
  RC4: { magpie: ['protocol/tls-1-0', 'protocol/tls-1-1', 'protocol/rc4'], by: 'tlslite-ng' },
  '3DES': { magpie: ['protocol/tls-1-0', 'protocol/tls-1-1', 'protocol/short-blocks'], by: 'tlslite-ng' },
};
