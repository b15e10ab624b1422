import { readFile } from 'node:fs/promises';
import type { ComplianceControl } from '../assessing/catalogue.ts';

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
    const [id = '', ...title] = line.split(' ');
    if (title.length === 0 || group === '')
      throw new Error(`a line of a catalogue is neither a group nor a control: ${JSON.stringify(line)}`);
    controls.push({ id, title: title.join(' '), group });
  }
  return controls;
}
