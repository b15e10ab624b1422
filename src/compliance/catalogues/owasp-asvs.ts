import type { Catalogue } from '../assessing/catalogue.ts';

/** OWASP ASVS 5.0.0: its 345 requirements, in OWASP's words, which keep their own license. */
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
    return controls;
  },
};
