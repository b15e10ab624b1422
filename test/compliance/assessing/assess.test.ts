import { expect, test } from 'vitest';
import { assessControls } from '../../../src/compliance/assessing/assess.ts';
import type { ControlCatalogue } from '../../../src/compliance/assessing/catalogue.ts';
import type { Evidence } from '../../../src/compliance/assessing/evidence.ts';
import { CATALOGUES } from '../../../src/compliance/catalogues/list.ts';
import { AT, coveredControls, evidence, finding } from '../../helpers/compliance.ts';

const CATALOGUE: ControlCatalogue = {
  id: 'made-up',
  title: 'Made up',
  edition: '1',
  source: 'https://standards.example',
  license: 'ours',
  spellings: [],
  controls: async () =>
    coveredControls(`
      # All
      whole Queries hold no foreign text => whole source/sql-injection cwe:89
      part Software is developed securely => part source/sql-injection practice/tests
      license There is a license => whole practice/license
      live Transport is encrypted => whole certificate/*
      packages Nothing vulnerable is used => whole dependencies
      weakness Memory is safe => part cwe:787
      nobody People are trained`),
};

async function statuses(seen: Evidence): Promise<Record<string, string>> {
  const [result] = await assessControls([CATALOGUE], seen);
  return Object.fromEntries((result?.controls ?? []).map(({ id, status }) => [id, status]));
}

test('a control passes only on complete positive evidence without a finding; a search without findings is not a pass', async () => {
  expect(await statuses(evidence())).toEqual({
    whole: 'no_findings',
    part: 'manual',
    license: 'pass',
    live: 'not_assessed',
    packages: 'pass',
    weakness: 'manual',
    nobody: 'manual',
  });
});

test('no control passes where nothing was searched', async () => {
  const nothing = await statuses(evidence([], { looks: [], practices: [] }));
  expect(Object.values(nothing)).not.toContain('pass');
  expect(nothing).toMatchObject({ whole: 'not_assessed', part: 'not_assessed', weakness: 'not_assessed' });
  expect(nothing.license).toBe('not_assessed');
});

test('a scanner that failed, had no input or missed a subject is not evidence', async () => {
  const look = { what: 'source', subject: 'shop', at: AT, ok: true, items: 4 };
  const [result] = await assessControls(
    [CATALOGUE],
    evidence([], { looks: [{ ...look, ok: false, why: 'out of time' }] }),
  );
  expect(result?.controls[0]).toMatchObject({
    status: 'not_assessed',
    reason: expect.stringMatching(/out of time/),
  });
  expect((await statuses(evidence([], { looks: [{ ...look, items: 0 }] }))).whole).toBe('not_applicable');
  const two = [
    { name: 'shop', kind: 'repository' as const },
    { name: 'till', kind: 'repository' as const },
  ];
  expect((await statuses(evidence([], { looks: [look], subjects: two }))).whole).toBe('not_assessed');
  const both = [look, { ...look, subject: 'till', items: 0 }];
  expect((await statuses(evidence([], { looks: both, subjects: two }))).whole).toBe('no_findings');
});

test('a search without findings names its place and its exclusions, and says that it is not a proof', async () => {
  const look = { what: 'source', subject: 'shop', at: AT, ok: true, items: 4, why: '2 files over 2 MB' };
  const [result] = await assessControls([CATALOGUE], evidence([], { looks: [look] }));
  expect(result?.controls[0]).toMatchObject({
    status: 'no_findings',
    reason:
      /^Checked for source\/sql-injection in 4 files: no finding counts against it\. Left out: 2 files over 2 MB\. That is evidence, not proof\. /,
  });
});

test('findings count by rule and by weakness, worst first, accepted ones separately', async () => {
  const seen = evidence([
    finding('source/sql-injection', { severity: 'medium', location: 'b.js:1' }),
    finding('semgrep/sqli', { cwe: ['CWE-89'], severity: 'critical', location: 'a.js:1' }),
    finding('source/sql-injection', { accepted: 'a test', location: 'c.js:1' }),
  ]);
  const [result] = await assessControls([CATALOGUE], seen);
  expect(result?.counts).toEqual({
    pass: 2,
    fail: 2,
    attested: 0,
    exception: 0,
    no_findings: 0,
    not_applicable: 0,
    manual: 2,
    not_assessed: 1,
  });
  expect(result?.controls[0]).toMatchObject({
    status: 'fail',
    severity: 'critical',
    found: 2,
    accepted: 1,
    findings: ['print-semgrep/sqli-a.js:1', 'print-source/sql-injection-b.js:1'],
    at: AT,
  });
  expect(result?.controls[1]).toMatchObject({ status: 'fail', found: 1 });
});

test('an accepted finding does not fail a control, and is counted', async () => {
  const [result] = await assessControls(
    [CATALOGUE],
    evidence([finding('source/sql-injection', { accepted: 'a test' })]),
  );
  expect(result?.controls[0]).toMatchObject({
    status: 'no_findings',
    found: 0,
    accepted: 1,
    reason: expect.stringMatching(/Accepted, and not counted: 1 finding/),
  });
});

test('an informational finding counts against no control', async () => {
  const seen = await statuses(
    evidence([
      finding('source/sql-injection', { severity: 'info' }),
      finding('certificate/renewal', { severity: 'info' }),
    ]),
  );
  expect(seen).toEqual(await statuses(evidence()));
});

test('a weakness in a package counts against the package alone', async () => {
  const seen = await statuses(
    evidence([finding('dependencies/vulnerability', { cwe: ['CWE-89', 'CWE-787'] })]),
  );
  expect(seen).toMatchObject({ whole: 'no_findings', packages: 'fail', weakness: 'manual' });
});

test('infrastructure files are not code, and without a workflow workflows are not assessed', async () => {
  const only = evidence([], {
    looks: evidence().looks.map((look) => (look.what === 'source' ? { ...look, items: 0 } : look)),
    practices: evidence().practices.map((one) =>
      one.name === 'workflows' ? { ...one, state: 'not_applicable' } : one,
    ),
  });
  const names = ['Dangerous-Workflow', 'Token-Permissions', 'V1.2.4', 'CWE-78', 'CWE-94'];
  const of = async (seen: Evidence) =>
    (await assessControls(CATALOGUES, seen))
      .flatMap(({ controls }) => controls)
      .filter(({ id }) => names.includes(id))
      .map(({ status }) => status);
  expect(await of(only)).toEqual(names.map(() => 'not_applicable'));
  // The tokens of workflows have settings, which are read; the others are searched for.
  const each = names.map((name) => (name === 'Token-Permissions' ? 'pass' : 'no_findings'));
  expect((await of(evidence())).sort()).toEqual(each.sort());
});

test('a weakness found by another check has a time too', async () => {
  const [result] = await assessControls(
    [CATALOGUE],
    evidence([finding('source/other', { cwe: ['CWE-787'] })]),
  );
  const weakness = result?.controls.find(({ id }) => id === 'weakness');
  expect(weakness).toMatchObject({ status: 'fail', checks: ['CWE-787'], found: 1, at: AT });
});

test('a missing practice fails the control that requires it, and is only mentioned where the control requires more', async () => {
  const { practices } = evidence();
  const missing = practices.map((one) => ({ ...one, state: 'missing' as const, detail: `no ${one.name}` }));
  const [result] = await assessControls([CATALOGUE], evidence([], { practices: missing }));
  const by = Object.fromEntries((result?.controls ?? []).map((one) => [one.id, one]));
  expect(by.license).toMatchObject({ status: 'fail', reason: 'no license' });
  expect(by.part).toMatchObject({ status: 'manual', reason: expect.stringMatching(/Missing: no tests/) });
});

test('no control passes by a check that did not run everywhere, and the reason names it', async () => {
  const look = {
    what: 'source',
    subject: 'shop',
    at: AT,
    ok: true,
    items: 4,
    partly: true,
    why: '1 big file',
  };
  const [result] = await assessControls([CATALOGUE], evidence([], { looks: [look] }));
  expect(result?.controls[0]).toMatchObject({
    status: 'not_assessed',
    reason: 'Not checked everywhere: source in shop (1 big file)',
  });
  expect(result?.controls[1]).toMatchObject({
    status: 'manual',
    reason: expect.stringMatching(/everywhere: source in shop/),
  });
});
