import { type Check, type Fault, type Gap, rulesOf } from '../check.ts';
import { type Endpoint, tlsEndpoints } from '../target.ts';
import { isUnreached, type TlsOffer, type Visit } from '../visit.ts';

/** The floor of TLS versions and ciphers: what a server accepts when it is offered nothing better. */

const RULES = rulesOf('protocol', {
  // RFC 8996 ends both versions; scores as the usual scanners give them.
  'tls-1-0': {
    score: 6.5,
    title: 'TLS 1.0 is accepted',
    fix: 'Switch TLS 1.0 off; browsers have not used it since 2020 (RFC 8996).',
    cwe: ['CWE-326', 'CWE-327'],
  },
  'tls-1-1': {
    score: 6.5,
    title: 'TLS 1.1 is accepted',
    fix: 'Switch TLS 1.1 off; browsers have not used it since 2020 (RFC 8996).',
    cwe: ['CWE-326', 'CWE-327'],
  },
  'no-forward-secrecy': {
    score: 4.3,
    title: 'Connections can be read later with the key of the certificate',
    fix: 'Prefer ECDHE ciphers, and switch off those with RSA key exchange.',
    cwe: ['CWE-326'],
  },
  'no-encryption': {
    score: 9.1,
    title: 'Ciphers without encryption or without proof of identity are accepted',
    fix: 'Take the NULL and anonymous ciphers out of the configuration.',
    cwe: ['CWE-319', 'CWE-327'],
  },
  'no-tls-1-3': {
    score: 0,
    title: 'TLS 1.3 is not offered',
    fix: 'Switch TLS 1.3 on: it is faster to set up, and has no weak ciphers.',
  },
});

const OFFERS: readonly (readonly [rule: keyof typeof RULES, seen: string, offer: TlsOffer])[] = [
  ['tls-1-0', 'a connection with TLS 1.0', { version: 'TLSv1' }],
  ['tls-1-1', 'a connection with TLS 1.1', { version: 'TLSv1.1' }],
  [
    'no-encryption',
    'a connection with nothing but NULL and anonymous ciphers',
    { version: 'TLSv1.2', ciphers: 'eNULL:aNULL:@SECLEVEL=0' },
  ],
];

export const protocol: Check = {
  name: 'protocol',
  version: 1,
  sort: 'survey',
  rules: Object.values(RULES),
  wants: (target) => tlsEndpoints(target).length > 0,
  async run(target, visit) {
    const faults: Fault[] = [];
    const gaps: Gap[] = [];
    let looked = '';
    for (const endpoint of tlsEndpoints(target)) {
      const usual = await visit.handshake(endpoint);
      if (isUnreached(usual)) {
        gaps.push({ subject: String(endpoint.port), why: `port ${endpoint.port} ${usual.reason}` });
        continue;
      }
      looked = usual.protocol;
      faults.push(...(await faultsOf(endpoint, usual, visit)));
    }
    if (looked === '') return { unseen: gaps.map(({ why }) => why).join('; ') };
    return { faults, gaps, measures: { tls_version: looked } };
  },
};

async function faultsOf(
  endpoint: Endpoint,
  usual: { readonly protocol: string; readonly cipher: string },
  visit: Visit,
): Promise<Fault[]> {
  const subject = String(endpoint.port);
  const faults: Fault[] = [];
  for (const [rule, seen, offer] of OFFERS) {
    const accepted = await visit.handshake(endpoint, offer);
    if (isUnreached(accepted)) continue;
    faults.push({ rule: RULES[rule], description: `${seen} was accepted (${accepted.cipher})`, subject });
  }
  if (usual.protocol !== 'TLSv1.3') {
    const description = `the best that was agreed on is ${usual.protocol}`;
    faults.push({ rule: RULES['no-tls-1-3'], description, subject });
    // Every cipher of TLS 1.3 has it; before, those whose names begin so.
    if (!/^(?:EC)?DHE-/.test(usual.cipher)) {
      const chosen = `${usual.cipher} was chosen by the server`;
      faults.push({ rule: RULES['no-forward-secrecy'], description: chosen, subject });
    }
  }
  return faults;
}
