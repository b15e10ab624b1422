import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { UnmaskedFinding } from '../../../src/security/findings/hide.ts';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';

/** Kinds of holes that applications for teaching have, in the idioms of each language's frameworks; all samples are our own. */

const FOLDER = new URL('./holes/', import.meta.url);
const scanner = createSourceScanner();

/** Files after `--- path`, of a sample that begins with `=== rule severity: name`. */
function samplesOf(text: string) {
  return text
    .split(/^=== /m)
    .slice(1)
    .map((sample) => {
      const [head = '', ...files] = sample.split(/^--- /m);
      const [, rule = '', severity = '', name = ''] = /^(\S+) (\S+): (.*)/.exec(head) ?? [];
      const parts = files.map((file) => {
        const end = file.indexOf('\n');
        return { path: file.slice(0, end).trim(), text: file.slice(end + 1) };
      });
      return { rule, severity, name, parts };
    });
}

async function search(parts: readonly { path: string; text: string }[]): Promise<UnmaskedFinding[]> {
  const found: UnmaskedFinding[] = [];
  for (const part of parts)
    if (scanner.wants(part.path)) found.push(...(await scanner.scan(part, { deep: true })));
  const groups = new Set(parts.flatMap(({ path }) => scanner.together?.groupsOf(path) ?? []));
  for (const group of groups) {
    const files = parts.filter(({ path }) => scanner.together?.groupsOf(path).includes(group));
    found.push(...((await scanner.together?.scan(files, { deep: true }, () => undefined))?.findings ?? []));
  }
  return found;
}

for (const file of readdirSync(FOLDER)) {
  const samples = samplesOf(readFileSync(new URL(file, FOLDER), 'utf8'));
  test.each(samples)(`${file}: $rule, $name`, async ({ rule, severity, parts }) => {
    const found = (await search(parts)).map((one) => `${one.id.replace('source/', '')} ${one.severity}`);
    if (severity === 'none') expect(found.filter((one) => one.startsWith(`${rule} `))).toEqual([]);
    else expect(found).toContain(`${rule} ${severity}`);
  });
}
