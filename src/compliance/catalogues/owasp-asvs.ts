import type { Catalogue } from '../catalogue.ts';
import { withCoverage } from './lines.ts';

/** OWASP ASVS 5.0.0: its 345 requirements, in OWASP's words, which stay under their own license. */
export const owaspAsvs: Catalogue = {
  id: 'owasp-asvs',
  title: 'OWASP Application Security Verification Standard',
  edition: '5.0.0 (May 2025)',
  source: 'https://github.com/OWASP/ASVS/tree/v5.0.0',
  license: 'CC BY-SA 4.0, Copyright The OWASP Foundation; requirements unchanged, in another file format',
  spellings: [
    'asvs',
    'asvs 5',
    'asvs 5.0',
    'asvs 5.0.0',
    'owasp asvs 5',
    'owasp asvs 5.0',
    'owasp asvs 5.0.0',
  ],
  async controls() {
    const { default: controls } = await import('./owasp-asvs.json', { with: { type: 'json' } });
    return withCoverage(controls, COVERAGE);
  },
};

const COVERAGE: Readonly<Record<string, string>> = {
  'V1.2.1': 'part source/cross-site-scripting cwe:79',
  'V1.2.4': 'whole source/sql-injection source/nosql-injection cwe:89 cwe:564 cwe:943',
  'V1.2.5': 'whole source/command-injection cwe:78 cwe:88',
  'V1.2.6': 'whole source/ldap-injection cwe:90',
  'V1.2.7': 'whole source/xpath-injection cwe:643',
  'V1.3.2': 'part source/code-injection cwe:94 cwe:95',
  'V1.3.6': 'part source/server-side-request-forgery cwe:918',
  'V1.3.7': 'whole source/template-injection cwe:1336',
  'V1.5.1': 'whole source/xml-external-entities cwe:611 cwe:776',
  'V1.5.2': 'part deserialisation',
  'V2.2.1': 'part source/trust-boundary cwe:20',
  'V3.3.1':
    'part cookies/session-not-secure cookies/not-secure cookies/session-not-secure-but-hsts cookies/not-secure-but-hsts source/insecure-cookie cwe:614',
  'V3.3.2': 'part cookies/csrf-without-same-site cookies/same-site-invalid',
  'V3.3.4': 'part cookies/session-not-http-only source/cookie-readable-by-script cwe:1004',
  'V3.4.1':
    'part headers/hsts-missing headers/hsts-invalid headers/hsts-short headers/no-https redirection/not-at-once redirection/to-another-host',
  'V3.4.2': 'part cors/*',
  'V3.4.3': 'part headers/csp-missing headers/csp-invalid headers/csp-unsafe-inline headers/csp-unsafe-eval',
  'V3.4.4': 'part headers/sniffing-allowed',
  'V3.4.5': 'part headers/referrer-unsafe',
  'V3.4.6': 'part headers/framing-allowed',
  'V3.6.1': 'part headers/scripts-unpinned headers/scripts-insecure',
  'V3.7.2': 'part source/open-redirect cwe:601',
  'V5.3.2': 'part source/path-traversal cwe:22 cwe:23 cwe:36 cwe:73',
  'V9.1.1': 'part source/jwt-unverified cwe:347',
  'V9.1.2': 'part source/jwt-unverified cwe:347',
  'V11.3.1': 'part source/weak-cipher cwe:327',
  'V11.3.2': 'part source/weak-cipher cwe:327',
  'V11.4.1': 'part source/weak-hash cwe:328',
  'V11.4.2': 'part source/weak-hash cwe:916',
  'V11.5.1': 'part source/weak-random cwe:330 cwe:338',
  'V12.1.1':
    'part protocol/ssl-3 protocol/tls-1-0 protocol/tls-1-1 protocol/no-tls-1-3 source/weak-tls-version infrastructure/old-tls-*',
  'V12.1.2':
    'part protocol/no-forward-secrecy protocol/no-encryption protocol/short-keys protocol/rc4 protocol/short-blocks protocol/cbc-chosen protocol/weak-key-exchange',
  'V12.2.1': 'part live-tls infrastructure/kubernetes-plain-ingress infrastructure/plain-transport-*',
  'V12.2.2':
    'part certificate/untrusted certificate/incomplete-chain certificate/expired certificate/not-yet-valid certificate/wrong-name certificate/no-alternative-name certificate/expired-issuer certificate/wrong-issuer certificate/wrong-usage',
  'V12.3.1': 'part transport-settings',
  'V12.3.2': 'part source/tls-verification-off cwe:295',
  'V13.2.2': 'part rights',
  'V13.3.1': 'part secrets',
  'V13.3.4': 'part key-rotation',
  'V13.4.2': 'part source/debug-on cwe:489',
  'V14.2.1': 'part cwe:598',
  'V15.1.2': 'part practice/lockfiles practice/bill-of-materials',
  'V15.2.1': 'part dependencies',
  'V15.2.3': 'part source/debug-on',
  'V15.2.4': 'part practice/lockfiles pins',
  'V15.3.6': 'part source/prototype-pollution cwe:1321',
  'V16.2.5': 'part cwe:532',
};
