import type { Control, Coverage } from '../catalogue.ts';

/**
 * Reads the controls of a catalogue in our own words, one a line: `# group`, then `id title`, and after ` => ` the
 * coverage: `part secrets crypto`. Throws Error for any other line: a mistake in the catalogue.
 */
export function controlsFrom(lines: string): readonly Control[] {
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

/** `whole injection` or `part secrets cwe:79`. Throws Error for anything else. */
export function coverageOf(words: string): Coverage {
  const [reach, ...by] = words.split(' ');
  if ((reach !== 'whole' && reach !== 'part') || by.length === 0) {
    throw new Error(
      `invalid coverage ${JSON.stringify(words)}: it takes whole or part, then the names of checks`,
    );
  }
  return { reach, by };
}

/** Adds the coverage, by id, to controls whose words are in a file of their publisher. Throws Error for an unknown id. */
export function withCoverage(
  controls: readonly Control[],
  coverage: Readonly<Record<string, string>>,
): readonly Control[] {
  const ids = new Set(controls.map(({ id }) => id));
  const unknown = Object.keys(coverage).find((id) => !ids.has(id));
  if (unknown !== undefined) throw new Error(`the coverage names an unknown control: ${unknown}`);
  return controls.map((control) => {
    const words = coverage[control.id];
    return words === undefined ? control : { ...control, coverage: coverageOf(words) };
  });
}
