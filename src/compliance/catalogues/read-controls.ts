import { readFile } from 'node:fs/promises';
import type { Control, ControlCoverage } from '../assessing/catalogue.ts';

/** Reads a standard's controls from `controls/`. Rejects if the file is missing, which means a broken installation. */
export async function readControls(standard: string): Promise<readonly Control[]> {
  return parseControls(await readFile(new URL(`./controls/${standard}.txt`, import.meta.url), 'utf8'));
}

/** Parses lines `# group` and `id title`, in tests also with ` => part secrets crypto`. Throws Error for any other line. */
export function parseControls(lines: string): readonly Control[] {
  let group = '';
  const controls: Control[] = [];
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

/** Parses a coverage: `whole injection` or `part secrets cwe:79`. Throws Error for anything else. */
function coverageOf(words: string): ControlCoverage {
  const [reach, ...by] = words.split(' ');
  if ((reach !== 'whole' && reach !== 'part') || by.length === 0) {
    throw new Error(
      `invalid coverage ${JSON.stringify(words)}: it takes whole or part, then the names of checks`,
    );
  }
  return { reach, by };
}
