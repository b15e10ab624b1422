import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ControlResult, StandardResult } from '../../../src/compliance/assessing/assessment.ts';
import type { Attestation } from '../../../src/compliance/attesting/attestation.ts';
import { CATALOGUES } from '../../../src/compliance/catalogues/list.ts';
import { readMappings } from '../../../src/compliance/mappings/mappings.ts';
import {
  applyRelations,
  parseControlRelations,
  RELATIONS_BY_CONTROL,
} from '../../../src/compliance/relations/control-relations.ts';
import type { Compliance } from '../../../src/compliance/types.ts';
import { type Database, openDatabase } from '../../../src/storage/sqlite.ts';
import { openCompliance } from '../../../src/wiring/open/open-compliance.ts';
import { complianceFoundation, evidence, finding } from '../../helpers/compliance.ts';

/** The table that relates controls of one standard to controls of another, and what follows from it for a check. */

const TABLE = readFileSync(
  new URL('../../../src/compliance/relations/control-relations.tsv', import.meta.url),
  'utf8',
);
/** What the table states, without what follows from it for the other control. */
const STATED = parseControlRelations(TABLE).filter((_, at) => at % 2 === 0);

const standardOf = (name: string) => name.slice(0, name.indexOf(' '));
const controlOf = (name: string) => name.slice(name.indexOf(' ') + 1);

describe('the table', () => {
  test('names controls that exist, of two standards, and a source', async () => {
    const lists = await Promise.all(
      CATALOGUES.map(async ({ id, controls }) => (await controls()).map((one) => `${id} ${one.id}`)),
    );
    const known = new Set(lists.flat());
    const named = STATED.flatMap(({ subject, object }) => [subject, object]);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    for (const { subject, object, source } of STATED) {
      expect(standardOf(subject)).not.toBe(standardOf(object));
      expect(source).toMatch(/^[A-Z].{10,90}$/);
    }
  });

  test('states each pair once, whichever comes first, so that no two relations of a pair differ', () => {
    const pairs = STATED.map(({ subject, object }) => [subject, object].sort().join(' = '));
    expect(pairs.filter((pair, at) => pairs.indexOf(pair) !== at)).toEqual([]);
  });

  test('has no cycle of strict subsets, and what it states directly is what follows from its chains', () => {
    const supersets = new Map<string, string[]>();
    for (const [name, relations] of RELATIONS_BY_CONTROL)
      supersets.set(
        name,
        relations.filter(({ relation }) => relation === 'subset-of').map(({ object }) => object),
      );
    const equals = (name: string) => [
      name,
      ...(RELATIONS_BY_CONTROL.get(name) ?? [])
        .filter(({ relation }) => relation === 'equal-to')
        .map(({ object }) => object),
    ];
    /** All controls that a control is a strict part of, by way of others and of their equals. */
    const above = (name: string, seen = new Set<string>()): Set<string> => {
      for (const same of equals(name))
        for (const one of (supersets.get(same) ?? []).flatMap(equals))
          if (!seen.has(one)) {
            seen.add(one);
            above(one, seen);
          }
      return seen;
    };
    const names = [...RELATIONS_BY_CONTROL.keys()];
    expect(names.filter((name) => equals(name).some((same) => above(name).has(same)))).toEqual([]);
    const direct = (name: string, other: string) =>
      RELATIONS_BY_CONTROL.get(name)?.find(({ object }) => object === other)?.relation;
    const wrong = names.flatMap((name) =>
      [...above(name)].filter((other) => !['subset-of', undefined].includes(direct(name, other))),
    );
    expect(wrong).toEqual([]);
  });

  test('every relation has an inverse that leads back', () => {
    const inverses: Readonly<Record<string, string>> = {
      'equal-to': 'equal-to',
      'subset-of': 'superset-of',
      'intersects-with': 'intersects-with',
    };
    expect(STATED).toHaveLength(TABLE.trimEnd().split('\n').length - 1);
    for (const { subject, relation, object } of STATED) {
      const back = RELATIONS_BY_CONTROL.get(object)?.find((one) => one.object === subject);
      expect(back?.relation).toBe(inverses[relation]);
    }
  });

  test('a weakness is a part of the categories under which OWASP lists it, and equal to one that lists no other', () => {
    const rows = STATED.filter(({ subject }) => subject.startsWith('cwe-top-25 '));
    for (const { subject, relation, object } of rows) {
      const listed = readMappings(standardOf(object))
        .filter(({ control }) => control === controlOf(object))
        .flatMap(({ checks }) => checks.filter((check) => check.startsWith('cwe:')));
      expect(listed).toContain(controlOf(subject).toLowerCase().replace('-', ':'));
      if (relation === 'equal-to') expect(listed).toHaveLength(1);
    }
  });

  test('a point of the annex is a part of that measure of the Directive which its heading names', async () => {
    const annex = await CATALOGUES.find(({ id }) => id === 'nis2-2690')?.controls();
    const rows = STATED.filter(({ object }) => object.startsWith('nis2 '));
    expect(rows.length).toBeGreaterThan(130);
    for (const { subject, object } of rows) {
      const heading = annex?.find(({ id }) => `nis2-2690 ${id}` === subject)?.group;
      expect(heading).toContain('of the Directive');
      expect(heading).toContain(controlOf(object).replace('21(2)', ''));
    }
  });

  test('a broken line is refused', () => {
    const head = 'subject\trelation\tobject\tsource\n';
    expect(() => parseControlRelations(`${head}a 1\tlike\tb 1\tA source\n`)).toThrow('unknown');
    expect(() => parseControlRelations(`${head}a 1\ttoString\tb 1\tA source\n`)).toThrow('unknown');
    expect(() => parseControlRelations(`${head}a 1\tequal-to\tb 1\t\n`)).toThrow('lacks');
    expect(() => parseControlRelations(`${head}a 1\tequal-to\tb 1\tA\tmore\n`)).toThrow('lacks');
  });
});

const STANDARD = { title: 'A', edition: '1', source: 'https://a.example', license: 'ours', spellings: [] };

function result(name: string, change: Partial<ControlResult>): StandardResult {
  const control: ControlResult = {
    id: controlOf(name),
    title: `Title of ${name}`,
    group: 'All',
    status: 'manual',
    reason: 'Inspect it.',
    checks: [],
    findings: [],
    found: 0,
    accepted: 0,
    ...change,
  };
  const counts = { ...ZERO, [control.status]: 1 };
  return { standard: { ...STANDARD, id: standardOf(name) }, counts, total: 1, controls: [control] };
}
const ZERO = {
  pass: 0,
  fail: 0,
  attested: 0,
  exception: 0,
  no_findings: 0,
  not_applicable: 0,
  manual: 0,
  not_assessed: 0,
};

/** The status of `name`, open at first, beside a related control with the given status. */
function statusBeside(name: string, status: ControlResult['status'], other: string, change = {}) {
  const results = [
    result(name, { status }),
    result(other, { reach: 'whole', checks: ['source/x'], ...change }),
  ];
  const [first] = applyRelations(results, 1);
  return { ...first?.controls[0], counts: first?.counts };
}

describe('results of related controls', () => {
  const [part, whole] = ['cwe-top-25 CWE-79', 'owasp-top-10-2021 A03:2021'];
  const [one, same] = ['cwe-top-25 CWE-918', 'owasp-top-10-2021 A10:2021'];

  test.each(['manual', 'no_findings'] as const)(
    'an open control (%s) passes with what it is a part of, and passes or fails with what it equals',
    (open) => {
      expect(statusBeside(part, open, whole, { status: 'pass' })).toMatchObject({
        id: 'CWE-79',
        title: `Title of ${part}`,
        status: 'pass',
        checks: ['source/x'],
        counts: { ...ZERO, pass: 1 },
        reason: expect.stringMatching(
          /^Counts by owasp-top-10-2021 A03:2021 \(pass\), which this is a part of \(says OWASP .*Inspect it\.$/,
        ),
      });
      for (const status of ['pass', 'fail'] as const)
        expect(statusBeside(one, open, same, { status, findings: ['f'], found: 1 })).toMatchObject({
          status,
        });
    },
  );

  test('a failure of the whole, a result of a part or of what overlaps, and a judgement are shown and do not count', () => {
    const shown = { status: 'manual', reason: expect.stringMatching(/^Related, not counted: /) };
    expect(statusBeside(part, 'manual', whole, { status: 'fail' })).toMatchObject(shown);
    for (const status of ['pass', 'fail'] as const) {
      expect(statusBeside(whole, 'manual', part, { status })).toMatchObject(shown);
      expect(statusBeside('nis2-2690 9.1', 'manual', 'iso-27001 A.8.24', { status })).toMatchObject(shown);
    }
    const attestation = { by: 'Ann' } as Attestation;
    expect(statusBeside(one, 'manual', same, { status: 'fail', attestation })).toMatchObject(shown);
  });

  test('what is decided, was not assessed or does not apply is not changed; open results say nothing', () => {
    for (const status of ['pass', 'fail', 'attested', 'exception', 'not_applicable'] as const)
      expect(statusBeside(one, status, same, { status: 'pass' })).toMatchObject({
        status,
        reason: 'Inspect it.',
      });
    expect(statusBeside(one, 'not_assessed', same, { status: 'pass' }).status).toBe('not_assessed');
    for (const status of ['manual', 'no_findings', 'not_assessed', 'not_applicable'] as const)
      expect(statusBeside(one, 'manual', same, { status }).reason).toBe('Inspect it.');
  });
});

describe('judgements of people', () => {
  let folder: string;
  let db: Database;
  let room: Compliance;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'magpie-relations-'));
    db = await openDatabase({ folder });
    room = await openCompliance(complianceFoundation(db, folder));
  });
  afterAll(async () => {
    db.close();
    await rm(folder, { recursive: true, force: true });
  });

  const GIVEN = { by: 'Ann Lee', why: 'The policy of May.', until: '2099-01-01' };
  async function controlsOf(owner: string, standards: readonly string[], seen = evidence()) {
    const assessment = await room.assessEvidence(owner, standards, seen);
    const control = (id: string) => assessment.standards[0]?.controls.find((one) => one.id === id);
    return { assessment, control };
  }

  test('one of the whole is shown at its parts, also where that standard is not asked for, and counts nowhere else', async () => {
    await room.attest(
      'ann',
      { ...GIVEN, standard: 'nis2', control: '21(2)(h)', verdict: 'pass' },
      'all',
      'a test',
    );
    const { assessment, control } = await controlsOf('ann', ['nis2-2690']);
    expect(assessment.standards.map(({ standard }) => standard.id)).toEqual(['nis2-2690']);
    expect(control('9.1')).toMatchObject({
      status: 'manual',
      reason: expect.stringMatching(
        /^Related, not counted: nis2 21\(2\)\(h\) \(attested\), which this is a part of \(says Annex/,
      ),
    });
    expect(control('6.10.1')?.reason).not.toContain('nis2 21(2)(h)');
    expect(assessment.attestations).toEqual([]);
  });

  test('one counts for its control alone, and hides no finding', async () => {
    await room.attest(
      'bob',
      { ...GIVEN, standard: 'nis2', control: '21(2)(h)', verdict: 'pass' },
      'all',
      'a test',
    );
    await room.attest(
      'bob',
      { ...GIVEN, standard: 'nis2-2690', control: '9.2', verdict: 'fail' },
      'all',
      'a test',
    );
    await room.attest(
      'bob',
      { ...GIVEN, standard: 'iso-27001', control: 'A.8.8', verdict: 'pass' },
      'all',
      'a test',
    );
    const { control } = await controlsOf('bob', ['nis2-2690'], evidence([finding('source/weak-hash')]));
    expect(control('9.1')?.status).toBe('fail');
    expect(control('9.2')).toMatchObject({ status: 'fail' });
    expect(control('6.10.1')).toMatchObject({
      status: 'manual',
      reason: expect.stringMatching(
        /^Related, not counted: iso-27001 A\.8\.8 \(attested\), which this overlaps with \(says ENISA/,
      ),
    });
    const upward = await controlsOf('bob', ['nis2']);
    expect(upward.control('21(2)(e)')?.status).toBe('manual');
  });
});
