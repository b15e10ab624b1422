import type { Catalogue } from '../assessing/catalogue.ts';
import { readControls } from './read-controls.ts';

export const cweTop25: Catalogue = {
  id: 'cwe-top-25',
  title: 'CWE Top 25 Most Dangerous Software Weaknesses',
  edition: '2025 (December 2025)',
  source: 'https://cwe.mitre.org/top25/archive/2025/2025_cwe_top25.html',
  license: 'CWE ids, ranks and titles: CWE Terms of Use (The MITRE Corporation); wording by Magpie',
  spellings: [
    'cwe',
    'cwe25',
    'cwe top 25 2025',
    'cwe/sans top 25',
    'sans/cwe top 25',
    'sans top 25',
    'sans25',
    'mitre top 25',
    'top 25',
  ],
  controls: () => readControls('cwe-top-25'),
};
