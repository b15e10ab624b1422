import type { Control, Coverage } from '../catalogue.ts';

/**
 * Controls as catalogues in our own words write them, one a line: `# group`, then `id title`, and after ` => ` the
 * coverage: `part secrets crypto`. Throws Error for a line that is none of these: a fault of the catalogue.
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
    if (title.length === 0 || group === '') throw new Error(`a catalogue's line is ${JSON.stringify(line)}`);
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
    throw new Error(`a coverage is ${JSON.stringify(words)}: it takes whole or part, and what by`);
  }
  return { reach, by };
}

/** Controls whose words stand elsewhere, with their coverage by id. Throws Error for an id that there is not. */
export function withCoverage(
  controls: readonly Control[],
  coverage: Readonly<Record<string, string>>,
): readonly Control[] {
  const ids = new Set(controls.map(({ id }) => id));
  const unknown = Object.keys(coverage).find((id) => !ids.has(id));
  if (unknown !== undefined) throw new Error(`there is no control ${unknown} to cover`);
  return controls.map((control) => {
    const words = coverage[control.id];
    return words === undefined ? control : { ...control, coverage: coverageOf(words) };
  });
}
