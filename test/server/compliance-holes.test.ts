import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenBy, type HoledApp } from '../fixtures/holes/app.ts';
import { CATALOGUE } from '../fixtures/holes/catalogue.ts';
import { RETIREMENT } from '../fixtures/holes/retirement.ts';
import { TICKETS } from '../fixtures/holes/tickets.ts';
import { environment, runMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** Applications with known holes, scanned by the real scanners and held against every standard: nothing passes that is broken. */

const folder = temporaryFolder();
const APPS: readonly HoledApp[] = [RETIREMENT, CATALOGUE, TICKETS];
/** What such a folder may show by its files alone. */
const MAY_PASS: ReadonlySet<string> = new Set([
  'openssf-scorecard License',
  'openssf-scorecard Binary-Artifacts',
]);

interface Control {
  readonly id: string;
  readonly status: string;
  readonly reason: string;
  readonly evidence: { readonly checks: readonly string[] };
}
type Statuses = ReadonlyMap<string, Control>;
const assessed = new Map<string, Statuses>();

afterAll(() => folder.remove());

describe.each(APPS)('$name', ({ name, files, holes }) => {
  beforeAll(async () => {
    const root = join(folder.path, name);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const env = environment(join(folder.path, 'data'));
    const { stdout } = await runMagpie(
      ['call', 'checkCompliance', '--standards', 'all', '--scope', root, '--json'],
      env,
    );
    const { data } = JSON.parse(stdout) as {
      data: { standards: { id: string; controls: Control[] }[] };
    };
    const all = data.standards.flatMap(({ id, controls }) =>
      controls.map((one) => [`${id} ${one.id}`, one] as const),
    );
    assessed.set(name, new Map(all));
  });
  const having = (status: string) =>
    [...(assessed.get(name) ?? [])].filter(([, one]) => one.status === status).map(([control]) => control);

  test('only controls that files can prove pass, of over two thousand controls', () => {
    expect(assessed.get(name)?.size).toBeGreaterThan(2000);
    expect(having('pass').filter((one) => !MAY_PASS.has(one))).toEqual([]);
  });

  test.each(holes)('no control that a weakness breaks passes or is marked not applicable: $what', (hole) => {
    const broken = new Set([...brokenBy(hole)].filter((one) => assessed.get(name)?.has(one)));
    expect(broken.size).toBeGreaterThan(5);
    for (const [control, one] of assessed.get(name) ?? []) {
      if (hole.cwe.some((number) => one.evidence.checks.includes(`CWE-${number}`))) broken.add(control);
    }
    for (const status of ['pass', 'not_applicable'])
      expect(having(status).filter((one) => broken.has(one))).toEqual([]);
  });
});
