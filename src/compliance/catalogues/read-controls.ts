import { readFile } from 'node:fs/promises';
import type { ComplianceControl, ControlCoverage } from '../assessing/catalogue.ts';

/** Reads a catalogue: JSON with a publisher's texts, or a text file with Magpie's own words. */
export async function readControls(file: string): Promise<readonly ComplianceControl[]> {
  const text = await readFile(new URL(`./controls/${file}`, import.meta.url), 'utf8');
  return file.endsWith('.json') ? (JSON.parse(text) as ComplianceControl[]) : parseControls(text);
}

/** Parses a text with one control a line. Lines with `#` name groups. Throws Error for an invalid line. */
export function parseControls(lines: string): readonly ComplianceControl[] {
  let group = '';
  const controls: ComplianceControl[] = [];
  for (const line of lines.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    if (line.startsWith('# ')) {
      group = line.slice(2);
      continue;
    }
    const [words = '', coverage] = line.split(' => ');
    const [id = '', ...title] = words.split(' ');
    if (title.length === 0 || group === '')
      throw new Error(`a line of a catalogue is neither a group nor a control: ${JSON.stringify(line)}`);
    controls.push({
      id,
      title: title.join(' '),
      group,
      coverage: coverage ? coverageOf(coverage) : undefined,
    });
  }
  return controls;
}

/** Parses a coverage, for example `whole injection` or `part secrets cwe:79`. Throws Error if invalid. */
function coverageOf(words: string): ControlCoverage {
  const [reach, ...by] = words.split(' ');
  if ((reach !== 'whole' && reach !== 'part') || by.length === 0) {
    throw new Error(
      `invalid coverage ${JSON.stringify(words)}: it takes whole or part, then the names of checks`,
    );
  }
  return { reach, by };
}
