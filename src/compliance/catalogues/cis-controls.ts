import type { Catalogue } from '../assessing/catalogue.ts';
import { readControls } from './read-controls.ts';

/** CIS Critical Security Controls: the 153 safeguards in Magpie's own words, since CIS's text may not be redistributed. */
export const cisControls: Catalogue = {
  id: 'cis-controls',
  title: 'CIS Critical Security Controls',
  edition: '8.1 (June 2024)',
  source: 'https://www.cisecurity.org/controls/v8-1',
  license: 'Safeguard numbers of the Center for Internet Security; all wording by Magpie, none by CIS',
  spellings: [
    'cis',
    'cis v8',
    'cis v8.1',
    'cis controls v8',
    'cis controls v8.1',
    'cis critical security controls v8',
    'cis critical security controls v8.1',
    'cis csc',
    'cis 18',
    'cis top 18',
  ],
  controls: () => readControls('cis-controls'),
};
