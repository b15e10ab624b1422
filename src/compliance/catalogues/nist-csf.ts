import type { Catalogue } from '../assessing/catalogue.ts';

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
    return controls;
  },
};
