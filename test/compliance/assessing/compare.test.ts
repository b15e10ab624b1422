import { expect, test } from 'vitest';
import { assessControls } from '../../../src/compliance/assessing/assess.ts';
import type { Assessment } from '../../../src/compliance/assessing/assessment.ts';
import { compareAssessments } from '../../../src/compliance/assessing/compare.ts';
import type { Evidence, EvidenceProbe } from '../../../src/compliance/assessing/evidence.ts';
import { CATALOGUES } from '../../../src/compliance/catalogues/list.ts';
import { buildReportOutline } from '../../../src/compliance/reports/outline.ts';
import { AT, evidence, finding } from '../../helpers/compliance.ts';

/** What has changed between two checks of one scope, and what cannot be compared. */

const STANDARDS = CATALOGUES.filter(({ id }) => id === 'cwe-top-25' || id === 'openssf-scorecard');

async function made(id: string, seen: Evidence): Promise<Assessment> {
  return { id, createdAt: AT, version: '1.2.3', ...seen, standards: await assessControls(STANDARDS, seen) };
}

async function compared(before: Evidence, now: Evidence) {
  return compareAssessments(await made('1', before), await made('2', now));
}

function looks(change: (look: EvidenceProbe) => EvidenceProbe | undefined): { looks: EvidenceProbe[] } {
  return { looks: evidence().looks.flatMap((look) => change(look) ?? []) };
}

const QUERY = finding('source/sql-injection');
const PACKAGE = finding('dependencies/vulnerability', { location: 'a@1 in package-lock.json' });

test('a finding that is absent where it was checked again counts as gone', async () => {
  expect(await compared(evidence([QUERY]), evidence([PACKAGE]))).toMatchObject({
    gone: [QUERY.fingerprint],
    appeared: [PACKAGE.fingerprint],
    accepted: [],
    unknown: [],
  });
});

test.each<[string, Partial<Evidence>, RegExp]>([
  [
    'failed',
    looks((look) => (look.what === 'source' ? { ...look, ok: false, why: 'out of time' } : look)),
    /^found then; now the check of shop for source did not finish \(out of time\)$/,
  ],
  [
    'did not run',
    looks((look) => (look.what === 'source' ? undefined : look)),
    /shop was not checked for source/,
  ],
  [
    'gave up on the file',
    looks((look) => (look.what === 'source' ? { ...look, why: 'src/app.js: source took over 10 s' } : look)),
    /src\/app\.js was not scanned to its end/,
  ],
  [
    'had another subject',
    { subjects: [{ name: 'till', kind: 'repository' }], looks: [], practices: [] },
    /shop was not checked/,
  ],
])('a finding whose scanner %s does not count as gone', async (_, now, reason) => {
  const comparison = await compared(evidence([QUERY]), evidence([], now));
  expect(comparison.gone).toEqual([]);
  expect(comparison.unknown).toEqual([
    { fingerprint: QUERY.fingerprint, reason: expect.stringMatching(reason) },
  ]);
  // Nor is it new when it comes the other way round.
  const back = await compared(evidence([], now), evidence([QUERY]));
  expect(back.appeared).toEqual([]);
  expect(back.unknown[0]?.reason).toMatch(/^found now; then /);
});

test('a finding of a deep scan does not count as gone after a scan that is not deep', async () => {
  const deep = looks((look) => (look.what === 'source' ? { ...look, deep: true } : look));
  const comparison = await compared(evidence([QUERY, PACKAGE], deep), evidence());
  expect(comparison.gone).toEqual([PACKAGE.fingerprint]);
  expect(comparison.unknown).toMatchObject([{ reason: expect.stringMatching(/not a deep one/) }]);
  expect((await compared(evidence([QUERY], deep), evidence([], deep))).gone).toEqual([QUERY.fingerprint]);
  expect((await compared(evidence([QUERY]), evidence([], deep))).gone).toEqual([QUERY.fingerprint]);
});

test('a finding in an unchecked place does not count as gone, unless neither check has covered that place', async () => {
  const open = looks((look) =>
    look.what === 'source' ? { ...look, partly: true, why: '1 big file' } : look,
  );
  const comparison = await compared(evidence([QUERY]), evidence([], open));
  expect(comparison).toMatchObject({
    gone: [],
    unknown: [{ reason: expect.stringMatching(/shop was not checked everywhere for source \(1 big file/) }],
  });
  expect((await compared(evidence([QUERY], open), evidence([], open))).gone).toEqual([QUERY.fingerprint]);
});

test('an accepted finding still exists', async () => {
  const comparison = await compared(evidence([QUERY]), evidence([{ ...QUERY, accepted: 'a test' }]));
  expect(comparison).toMatchObject({ gone: [], unknown: [], accepted: [QUERY.fingerprint] });
});

test('the same finding in two subjects counts as gone only in the subject without it', async () => {
  const subjects = ['shop', 'till'].map((name) => ({ name, kind: 'repository' as const }));
  const both = {
    subjects,
    looks: ['shop', 'till'].flatMap((subject) => evidence().looks.map((look) => ({ ...look, subject }))),
  };
  const comparison = await compared(
    evidence([QUERY, { ...QUERY, subject: 'till' }], both),
    evidence([QUERY], both),
  );
  expect(comparison.gone).toEqual([QUERY.fingerprint]);
});

test('a failed control that was not assessed again has the reason, and does not count as improved', async () => {
  const broken = looks((look) =>
    look.what === 'source' || look.what === 'infrastructure'
      ? { ...look, ok: false, why: 'out of time' }
      : look,
  );
  const [before, now] = [await made('1', evidence([QUERY])), await made('2', evidence([], broken))];
  const comparison = compareAssessments(before, now);
  const change = comparison.changes.find(({ control }) => control === 'CWE-89');
  expect(change).toMatchObject({
    before: 'fail',
    now: 'not_assessed',
    reason: expect.stringMatching(/out of time/),
  });
  const { changes } = buildReportOutline({ assessment: now, key: 'f'.repeat(64), comparison });
  expect(changes.find((line) => line.includes('CWE-89'))).toMatch(
    /failed before, not assessed now \(.*out of time/,
  );
  expect(changes.at(-1)).toMatch(
    /1 finding cannot be compared, such as one found then; now the check of shop for source/,
  );
  // A control that is judged again needs no reason.
  const mended = await compared(evidence([PACKAGE]), evidence());
  const judged = mended.changes.find(({ control }) => control === 'Vulnerabilities');
  expect(judged).toMatchObject({ before: 'fail', now: 'pass' });
  expect(judged?.reason).toBeUndefined();
});
