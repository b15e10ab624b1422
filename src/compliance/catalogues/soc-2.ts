import type { Catalogue } from '../assessing/catalogue.ts';
import { readControls } from './read-controls.ts';

/** SOC 2: the 61 Trust Services Criteria of 2017, in Magpie's own words, since the AICPA's text is not free. */
export const soc2: Catalogue = {
  id: 'soc-2',
  title: 'SOC 2 Trust Services Criteria',
  edition: '2017, points of focus revised 2022',
  source:
    'https://www.aicpa-cima.com/resources/download/2017-trust-services-criteria-with-revised-points-of-focus-2022',
  license: 'Criteria numbers of the AICPA; all wording by Magpie, none by the AICPA',
  spellings: [
    'soc',
    'soc ii',
    'soc 2 type 1',
    'soc 2 type i',
    'soc 2 type 2',
    'soc 2 type ii',
    'soc 2 tsc',
    'tsc',
    'trust services criteria',
    'aicpa',
    'aicpa soc 2',
    'aicpa tsc',
  ],
  controls: () => readControls('soc-2'),
};
