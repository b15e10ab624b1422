import type { ControlCatalogue } from '../assessing/catalogue.ts';
import { addMappings } from '../mappings/mappings.ts';
import { readControls } from './read-controls.ts';
import standards from './standards.json' with { type: 'json' };

export const CATALOGUES: readonly ControlCatalogue[] = standards.map(
  ({ id, title, edition, source, license, spellings, file }) =>
    addMappings({ id, title, edition, source, license, spellings, controls: () => readControls(file) }),
);
