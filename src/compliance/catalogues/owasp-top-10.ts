import type { Catalogue } from '../assessing/catalogue.ts';
import { readControls } from './read-controls.ts';

const LICENSE = 'OWASP Top 10: CC BY-SA 4.0 (categories and their CWE numbers); wording by Magpie';

export const owaspTop10of2021: Catalogue = {
  id: 'owasp-top-10-2021',
  title: 'OWASP Top 10',
  edition: '2021',
  source: 'https://owasp.org/Top10/2021/',
  license: LICENSE,
  spellings: ['owasp 2021', 'owasp10 2021', 'top10 2021', 'owasp top ten 2021'],
  controls: () => readControls('owasp-top-10-2021'),
};

export const owaspTop10of2025: Catalogue = {
  id: 'owasp-top-10-2025',
  title: 'OWASP Top 10',
  edition: '2025',
  source: 'https://owasp.org/Top10/2025/',
  license: LICENSE,
  spellings: [
    'owasp',
    'owasp top 10',
    'owasp top ten',
    'owasp top ten 2025',
    'owasp 2025',
    'owasp10 2025',
    'owasp10',
    'top10',
    'top10 2025',
  ],
  controls: () => readControls('owasp-top-10-2025'),
};
