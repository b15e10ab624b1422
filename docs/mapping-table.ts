import { type ControlMapping, MAPPING_COLUMNS } from '../src/compliance/mappings/mappings.ts';

/** The opposite of mappingsFrom. */
export function tableOf(mappings: readonly ControlMapping[]): string {
  const lines = mappings.map(({ control, reading, checks, why, first, second, settled }) =>
    [control, reading, checks.join(' '), why, first, second, settled].join('\t'),
  );
  return `${[MAPPING_COLUMNS.join('\t'), ...lines].join('\n')}\n`;
}
