import type { Catalogue } from '../assessing/catalogue.ts';
import { readControls } from './read-controls.ts';

/** HIPAA Security Rule: the standards and specifications of 45 CFR 164.308 to 164.316. R: required, A: addressable. */
export const hipaa: Catalogue = {
  id: 'hipaa',
  title: 'HIPAA Security Rule, 45 CFR Part 164 Subpart C',
  edition: '45 CFR 164.308-164.316 (as amended 2013, without what was proposed in January 2025)',
  source: 'https://www.ecfr.gov/current/title-45/subtitle-A/subchapter-C/part-164/subpart-C',
  license: 'Public law of the United States; wording by Magpie',
  spellings: [
    'hipaa security',
    'hipaa security rule',
    '45 cfr 164',
    '45 cfr part 164',
    '45 cfr part 164 subpart c',
  ],
  controls: () => readControls('hipaa'),
};
