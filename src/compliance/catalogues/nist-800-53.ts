import type { Catalogue } from '../assessing/catalogue.ts';

/** NIST SP 800-53 5.2.0: all 1,014 controls in force, in NIST's words (OSCAL of 2025-08-26, corrected in SA-15(13)). */
export const nist80053: Catalogue = {
  id: 'nist-800-53',
  title: 'NIST SP 800-53: Security and Privacy Controls for Information Systems and Organizations',
  edition: 'Revision 5, Release 5.2.0 (August 2025)',
  source: 'https://github.com/usnistgov/oscal-content/tree/main/nist.gov/SP800-53/rev5',
  license: "Public domain in the United States (work of NIST); NIST's words, discussion left out",
  spellings: [
    'nist',
    '800-53',
    '800-53 r5',
    'sp800-53',
    'sp 800-53 r5',
    'sp 800-53 rev 5',
    'nist sp 800-53',
    'nist sp 800-53 r5',
    'nist 800-53 r5',
    'nist 800-53 rev 5',
    'nist sp 800-53 rev 5',
    'nist sp 800-53 revision 5',
    'nist sp 800-53 5.2.0',
  ],
  async controls() {
    const { default: controls } = await import('./nist-800-53.json', { with: { type: 'json' } });
    return controls;
  },
};
