import type { Catalogue } from '../assessing/catalogue.ts';
import { readControls } from './read-controls.ts';

/** ISO/IEC 27001:2022, Annex A: the 93 controls by number, in Magpie's own words, since ISO's text is not free. */
export const iso27001: Catalogue = {
  id: 'iso-27001',
  title: 'ISO/IEC 27001 Annex A',
  edition: '2022',
  source: 'https://www.iso.org/standard/27001',
  license: 'Control numbers of ISO/IEC 27001:2022; all wording by Magpie, none by ISO',
  spellings: [
    'iso',
    '27001',
    'iso/iec 27001',
    'iso 27001:2022',
    'iso/iec 27001:2022',
    'iso 27001 annex a',
    'iso/iec 27001:2022 annex a',
    'iso 27002',
    'iso/iec 27002',
    'iso 27002:2022',
    'iso/iec 27002:2022',
    'isms',
  ],
  controls: () => readControls('iso-27001'),
};
