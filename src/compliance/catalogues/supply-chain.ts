import type { Catalogue } from '../assessing/catalogue.ts';
import { readControls } from './read-controls.ts';

/** SLSA 1.2: its build and source tracks by responsible party. The `source-` ids are the specification's own. */
export const slsa: Catalogue = {
  id: 'slsa',
  title: 'Supply-chain Levels for Software Artifacts (SLSA), build and source tracks',
  edition: '1.2 (November 2025)',
  source: 'https://slsa.dev/spec/v1.2/',
  license: 'Community Specification License 1.0 (The Linux Foundation); wording by Magpie',
  spellings: [
    'slsa 1',
    'slsa 1.0',
    'slsa 1.1',
    'slsa 1.2',
    'slsa build',
    'slsa source',
    'supply-chain levels',
  ],
  controls: () => readControls('slsa'),
};

/** Checks of OpenSSF Scorecard, version 5. Those that need the hosting platform's settings are manual. */
export const scorecard: Catalogue = {
  id: 'openssf-scorecard',
  title: 'OpenSSF Scorecard checks',
  edition: '5 (all 20 checks as of August 2026)',
  source: 'https://github.com/ossf/scorecard/blob/main/docs/checks.md',
  license: 'Apache-2.0 (OpenSSF Scorecard authors; names of checks); wording by Magpie',
  spellings: ['scorecard', 'scorecards', 'ossf', 'ossf scorecard', 'openssf', 'openssf scorecards'],
  controls: () => readControls('openssf-scorecard'),
};
