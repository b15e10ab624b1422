import type { Catalogue } from '../catalogue.ts';
import { withCoverage } from './lines.ts';

/** NIST CSF 2.0: its 106 subcategories, in NIST's words. */
export const nistCsf: Catalogue = {
  id: 'nist-csf',
  title: 'NIST Cybersecurity Framework',
  edition: '2.0 (February 2024)',
  source: 'https://doi.org/10.6028/NIST.CSWP.29',
  license: "Public domain in the United States (work of NIST); NIST's words",
  spellings: [
    'csf',
    'csf 2.0',
    'csf 2',
    'nist csf 2',
    'nist csf 2.0',
    'cybersecurity framework',
    'nist cybersecurity framework 2.0',
    'cswp 29',
  ],
  async controls() {
    const { default: controls } = await import('./nist-csf.json', { with: { type: 'json' } });
    return withCoverage(controls, COVERAGE);
  },
};

const COVERAGE: Readonly<Record<string, string>> = {
  'GV.SC-07': 'part supply-chain dependencies',
  'ID.AM-02': 'part practice/lockfiles practice/bill-of-materials',
  'ID.AM-08': 'part practice/dependency-updates',
  'ID.RA-01': 'part practice/static-analysis practice/dependency-updates',
  'ID.RA-08': 'part disclosure',
  'ID.RA-09': 'part pins',
  'ID.IM-02': 'part practice/tests practice/static-analysis',
  'PR.AA-01': 'part secrets',
  'PR.AA-03':
    'part source/jwt-unverified infrastructure/kubernetes-anonymous-role source/tls-verification-off authentication',
  'PR.AA-04': 'part source/jwt-unverified source/jwt-hard-coded-secret',
  'PR.AA-05': 'part rights exposure',
  'PR.DS-01': 'part data-at-rest secrets',
  'PR.DS-02': 'part transport-settings live-tls',
  'PR.DS-10': 'part isolation',
  'PR.DS-11': 'part recovery',
  'PR.PS-01': 'part hardening isolation',
  'PR.PS-02': 'part dependencies practice/dependency-updates patching',
  'PR.PS-04': 'part logging',
  'PR.PS-05': 'part pins',
  'PR.PS-06': 'part development practice/static-analysis',
  'PR.IR-01': 'part exposure open-ports',
  'PR.IR-04': 'part limits availability',
};
