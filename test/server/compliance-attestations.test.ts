import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workTree } from '../helpers/git.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** People's judgements from a file of a repository, by command, and in a call: over a real server and the terminal. */

const folder = temporaryFolder();
const code = join(folder.path, 'code');
const root = join(code, 'shop');
const file = join(root, '.magpie', 'attestations.yaml');
const FILE = `attestations:
  - standard: soc-2
    control: CC1.4
    verdict: pass
    by: Ann Lee
    at: 2026-11-01
    why: Everybody was trained.
    evidence: [docs/training.txt]
`;
let env: Record<string, string>;
let magpie: Running;
let shop: string;

beforeAll(async () => {
  shop = await workTree(root, () => {
    for (const one of ['docs', '.magpie']) mkdirSync(join(root, one), { recursive: true });
    writeFileSync(join(root, 'app.js'), 'export const one = 1;\n');
    writeFileSync(join(root, 'docs', 'training.txt'), 'Ann, Bob\n');
    writeFileSync(file, FILE);
  });
  env = { ...environment(join(folder.path, 'data')), MAGPIE_SCAN_ROOTS: code };
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  folder.remove();
});

interface Data {
  readonly check_id: string;
  readonly notes?: readonly string[];
  readonly attestations?: readonly Record<string, unknown>[];
  readonly standards: readonly {
    readonly attested: number;
    readonly counts: Readonly<Record<string, number>>;
    readonly controls: readonly { readonly id: string; readonly status: string; readonly reason: string }[];
  }[];
}

async function check(more: object = {}): Promise<{ status: number; data: Data; error?: string }> {
  const response = await fetch(new URL('/v1/compliance/check', magpie.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ standards: ['soc-2'], scope: shop, ...more }),
  });
  return { status: response.status, ...((await response.json()) as { data: Data; error?: string }) };
}

function controlIn({ standards }: Data, wanted: string) {
  return standards[0]?.controls.find(({ id }) => id === wanted);
}

test('the attestation file of a repository counts in its check, and its mistakes are in the report', async () => {
  const { data } = await check();
  expect(controlIn(data, 'CC1.4')).toMatchObject({
    status: 'attested',
    reason: expect.stringMatching(/by Ann Lee on 2026-11-01/),
  });
  expect(data.attestations).toEqual([
    expect.objectContaining({
      counts: true,
      by: 'Ann Lee',
      evidence: [expect.objectContaining({ bytes: 9 })],
    }),
  ]);
  expect(data.standards[0]).toMatchObject({ attested: 0.016, counts: { attested: 1 } });
  writeFileSync(file, FILE.replace('CC1.4', 'CC1.44'));
  const broken = await check();
  writeFileSync(file, FILE);
  expect(controlIn(broken.data, 'CC1.4')?.status).toBe('manual');
  expect(broken.data.notes).toEqual([expect.stringContaining('line 3: control has "CC1.44"')]);
  const report = await fetch(
    new URL(`/v1/compliance/report/${broken.data.check_id}?format=markdown`, magpie.url),
    {
      headers: { accept: 'text/markdown' },
    },
  );
  expect((await report.text()).replaceAll('\\', '')).toContain(
    'line 3: control has "CC1.44", which soc-2 does not have; the nearest are CC1.4',
  );
});

test('attestations of a call count only for its check, and an invalid one is refused before the scan', async () => {
  const one = { standard: 'soc-2', control: 'CC1.2', verdict: 'not_applicable', by: 'Bob', why: 'No board' };
  const { data } = await check({ attestations: [one] });
  expect(controlIn(data, 'CC1.2')).toMatchObject({
    status: 'not_applicable',
    reason: expect.stringMatching(/by Bob/),
  });
  expect(controlIn((await check()).data, 'CC1.2')?.status).toBe('manual');
  const refused = await check({ attestations: [{ ...one, control: 'CC1.22' }], scope: '/nowhere' });
  expect(refused).toMatchObject({ status: 400, error: /control has "CC1.22".* the nearest are CC1.2/ });
});

test('the terminal adds, lists and removes attestations, checks files, and names missing values', async () => {
  const run = (...args: string[]) => runMagpie(['compliance', ...args], env);
  const given = ['--by', 'Ann Lee', '--why', 'Seen', '--until', '2099-01-31'];
  const attest = (...more: string[]) => run('attest', 'soc-2', 'CC1.1', ...more);
  for (const [args, message] of [
    [['attest', 'soc-2'], 'takes a standard and a control'],
    [['attest', 'soc-2', 'CC1.1'], '--scope is missing'],
    [['attest', 'soc-2', 'CC1.1', '--scope', 'all'], 'verdict is missing: it takes pass, fail'],
    [['attest', 'soc-2', 'CC11', '--scope', 'all', '--verdict', 'pass', ...given], 'the nearest are CC1.1'],
    [['retract'], 'takes the id of an attestation'],
    [['retract', 'x'], 'there is no judgement "x"'],
    [['attestations', join(folder.path, 'none.yaml')], 'it is not there'],
  ] as const) {
    const { code: exit, stderr } = await run(...args);
    expect(stderr).toContain(message);
    expect(exit).not.toBe(0);
  }
  const proof = join(folder.path, 'proof.txt');
  writeFileSync(proof, 'proof');
  const kept = await attest('--scope', shop, '--verdict', 'pass', '--evidence', proof, ...given, '--json');
  const { id, scope, evidence } = JSON.parse(kept.stdout);
  expect({ scope, evidence }).toMatchObject({ scope: shop, evidence: [{ name: 'proof.txt', bytes: 5 }] });
  expect((await run('attestations')).stdout).toContain(`${id}  soc-2 CC1.1  pass  by Ann Lee`);
  expect(controlIn((await check()).data, 'CC1.1')).toMatchObject({
    status: 'attested',
    reason: expect.stringMatching(/proof\.txt/),
  });
  expect((await run('retract', id)).code).toBe(0);
  expect((await run('attestations')).stdout).toContain('There are no attestations yet');
  expect(controlIn((await check()).data, 'CC1.1')?.status).toBe('manual');

  expect((await run('attestations', file)).stdout).toContain('soc-2 CC1.4  pass  by Ann Lee');
  writeFileSync(file, readFileSync(file, 'utf8').replace('pass', 'okay'));
  const wrong = await run('attestations', file);
  writeFileSync(file, FILE);
  expect(wrong).toMatchObject({ code: 1, stdout: /attestations\.yaml: line 4: verdict has "okay"/ });
});
