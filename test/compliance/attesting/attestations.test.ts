import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractText } from 'unpdf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assessControls } from '../../../src/compliance/assessing/assess.ts';
import { computeShareByChecks, computeShareByPeople } from '../../../src/compliance/assessing/assessment.ts';
import type { ControlCatalogue } from '../../../src/compliance/assessing/catalogue.ts';
import type { Evidence } from '../../../src/compliance/assessing/evidence.ts';
import { applyAttestations } from '../../../src/compliance/attesting/apply-attestations.ts';
import type { Attestation, GivenAttestation } from '../../../src/compliance/attesting/attestation.ts';
import { readAttestationsFile } from '../../../src/compliance/attesting/attestations-file.ts';
import { parseAttestationsText } from '../../../src/compliance/attesting/attestations-job.ts';
import { CATALOGUES } from '../../../src/compliance/catalogues/list.ts';
import type { Compliance } from '../../../src/compliance/types.ts';
import type { Database } from '../../../src/storage/sqlite.ts';
import { openCompliance } from '../../../src/wiring/open/open-compliance.ts';
import { AT, complianceFoundation, coveredControls, evidence, finding } from '../../helpers/compliance.ts';
import { oscalFaults } from '../../helpers/oscal-schema.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

/** People's judgements of controls: what they change, and what they cannot change. */

const DAY_MS = 86_400_000;
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
      license There is a license => whole practice/license
      live Transport is encrypted => whole certificate/*
      workflow Workflows are safe => whole practice/workflows
      nobody People are trained`),
};
const BROKEN = [finding('source/sql-injection')];
const NO_WORKFLOW = evidence().practices.map((one) =>
  one.name === 'workflows' ? { ...one, state: 'not_applicable' as const } : one,
);

function attestation(control: string, change: Partial<Attestation> = {}): Attestation {
  return {
    id: `of ${control} ${change.verdict ?? 'pass'}`,
    standard: 'made-up',
    control,
    scope: 'all',
    verdict: 'pass',
    by: 'Ann Lee',
    at: AT,
    why: 'I saw it',
    evidence: [],
    source: 'a test',
    ...change,
  };
}

async function judgedBy(given: readonly Attestation[], seen: Evidence = evidence(), now = AT + DAY_MS) {
  const { standards, attestations } = applyAttestations(
    await assessControls([CATALOGUE], seen),
    given,
    seen,
    now,
  );
  const [result] = standards;
  if (!result) throw new Error('no result');
  const by = Object.fromEntries(result.controls.map((one) => [one.id, one]));
  return { result, by, attestations };
}

test.each([
  // What checks say, what a person says, what comes of it.
  ['nobody', 'pass', 'attested'],
  ['whole', 'pass', 'attested'],
  ['license', 'pass', 'pass'],
  ['live', 'pass', 'not_assessed'],
  ['workflow', 'pass', 'not_applicable'],
  ['nobody', 'fail', 'fail'],
  ['whole', 'fail', 'fail'],
  ['license', 'fail', 'fail'],
  ['live', 'fail', 'fail'],
  ['nobody', 'not_applicable', 'not_applicable'],
  ['live', 'not_applicable', 'not_applicable'],
  ['license', 'not_applicable', 'pass'],
  ['nobody', 'exception', 'exception'],
  ['live', 'exception', 'exception'],
  ['license', 'exception', 'pass'],
] as const)('%s that a person judges as %s is %s', async (control, verdict, status) => {
  const seen = evidence([], { practices: NO_WORKFLOW });
  const given = attestation(control, { verdict, until: AT + 30 * DAY_MS });
  const { by, attestations, result } = await judgedBy([given], seen);
  expect(by[control]?.status).toBe(status);
  const before = (await assessControls([CATALOGUE], seen))[0]?.controls.find(
    ({ id }) => id === control,
  )?.status;
  expect(attestations).toEqual([expect.objectContaining({ id: given.id, counts: status !== before })]);
  expect(by[control]?.attestation).toEqual(status === before ? undefined : given);
  expect(by[control]?.reason).toContain(status === before ? 'does not count: ' : 'by Ann Lee on 2026-11-21');
  expect(result.counts[status]).toBe(result.controls.filter((one) => one.status === status).length);
});

test.each(['pass', 'not_applicable'] as const)(
  'a finding is not hidden by %s, and the reason says so',
  async (verdict) => {
    const { by, result } = await judgedBy([attestation('whole', { verdict })], evidence(BROKEN));
    expect(by.whole).toMatchObject({ status: 'fail', found: 1, findings: [expect.any(String)] });
    expect(by.whole?.reason).toMatch(
      /does not count: checks found what speaks against it, .* exception with an end/,
    );
    expect(result.counts).toMatchObject({ fail: 1, attested: 0 });
  },
);

test('an exception with an end excepts a finding, which stays listed, until that moment', async () => {
  const until = AT + 3 * DAY_MS;
  const given = attestation('whole', { verdict: 'exception', until });
  const { by, result } = await judgedBy([given], evidence(BROKEN), until - 1);
  expect(by.whole).toMatchObject({ status: 'exception', checked: 'fail', found: 1, severity: 'high' });
  expect(by.whole?.reason).toContain('Checks: 1 finding (1 high)');
  expect(result.counts).toMatchObject({ exception: 1, fail: 0 });
  const after = await judgedBy([given], evidence(BROKEN), until);
  expect(after.by.whole).toMatchObject({
    status: 'fail',
    reason: expect.stringMatching(/does not count: expired on 2026-11-2\d/),
  });
  expect(after.attestations).toEqual([
    expect.objectContaining({ counts: false, note: expect.stringMatching(/^expired on /) }),
  ]);
});

test('an expired judgement counts as absent, and another one applies', async () => {
  const ended = attestation('nobody', { at: AT - 9 * DAY_MS, until: AT - 8 * DAY_MS });
  const { by } = await judgedBy([ended]);
  expect(by.nobody).toMatchObject({
    status: 'manual',
    reason: expect.stringMatching(/pass, by Ann Lee .*does not count: expired on /),
  });
  const older = attestation('nobody', { id: 'older', at: AT - 20 * DAY_MS });
  const both = await judgedBy([ended, older]);
  expect(both.by.nobody).toMatchObject({ status: 'attested', attestation: { id: 'older' } });
});

test('the newest of several judgements counts, or the next where the newest cannot', async () => {
  const given = [
    attestation('whole', { at: AT - DAY_MS, verdict: 'exception', until: AT + 9 * DAY_MS }),
    attestation('whole', { at: AT }),
  ];
  expect((await judgedBy(given)).by.whole?.status).toBe('attested');
  expect((await judgedBy(given, evidence(BROKEN))).by.whole?.status).toBe('exception');
  const { attestations } = await judgedBy(given);
  expect(attestations.map(({ note }) => note)).toEqual(['', 'a newer judgement counts in its place']);
});

test('a judgement of one repository does not apply to others in the same check', async () => {
  const of = attestation('nobody', { scope: 'shop' });
  expect((await judgedBy([of])).by.nobody?.status).toBe('attested');
  const [shop] = evidence().subjects;
  const two = evidence([], { subjects: [...(shop ? [shop] : []), { name: 'till', kind: 'repository' }] });
  const { by, attestations } = await judgedBy([of], { ...two, scope: 'all' });
  expect(by.nobody?.status).toBe('manual');
  expect(attestations).toEqual([expect.objectContaining({ counts: false, note: 'it is about shop alone' })]);
  expect((await judgedBy([attestation('nobody', { scope: 'till' })])).by.nobody?.status).toBe('manual');
});

test('results of checks and judgements of people are counted separately', async () => {
  const { result } = await judgedBy([
    attestation('nobody'),
    attestation('live', { verdict: 'fail' }),
    attestation('whole', { verdict: 'exception', until: AT + 9 * DAY_MS }),
  ]);
  // Of five: license and workflow by checks.
  expect(computeShareByChecks(result)).toBe(2 / 5);
  expect(computeShareByPeople(result)).toBe(3 / 5);
});

describe('the room', () => {
  let folder: string;
  let db: Database;
  let room: Compliance;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'magpie-attest-'));
    db = await openTestDatabase({ folder });
    room = await openCompliance(complianceFoundation(db, folder));
  });
  afterAll(async () => {
    db.close();
    await rm(folder, { recursive: true, force: true });
  });

  const GIVEN: GivenAttestation = {
    standard: 'PCI DSS',
    control: '12.6.1',
    verdict: 'pass',
    by: 'Ann Lee',
    at: '2026-11-01',
    until: '2027-06-30',
    why: 'All staff took part',
    link: 'https://wiki.example/training',
    evidence: [{ name: 'records.pdf', sha256: 'a'.repeat(64), bytes: 7 }],
  };
  const keep = (change: Partial<GivenAttestation>) =>
    room.attest('eve', { ...GIVEN, ...change }, 'all', 'a test');

  test.each([
    [
      { control: '12.6.9' },
      'control has "12.6.9", which pci-dss does not have; the nearest are 12.6.1, 12.6.2',
    ],
    [{ standard: 'hippa' }, 'standard has "hippa", which is not a known standard (did you mean hipaa?)'],
    [{ standard: 'all' }, 'standard has "all": it takes one standard at a time'],
    [{ verdict: 'ok' as never }, 'verdict has "ok": it takes pass, fail, not_applicable, exception'],
    [{ by: ' ' }, 'by has " ": it takes the name of the person'],
    [{ why: undefined as never }, 'why is missing: it takes the reason'],
    [{ at: '2026-02-30' }, 'at has "2026-02-30": it takes the day'],
    [{ at: '2199-01-01' }, 'at has "2199-01-01", which is to come'],
    [{ until: '2026-10-31' }, 'until has "2026-10-31", which is before the judgement itself'],
    [{ until: 'soon' }, 'until has "soon": it takes the last day'],
    [{ verdict: 'exception', until: undefined }, 'until is missing: an exception takes its end'],
    [{ link: 'file:///etc/passwd' }, 'link has "file:///etc/passwd": it takes an http or https address'],
  ] as const)('refuses %j by name, and stores nothing', async (change, message) => {
    await expect(keep(change)).rejects.toThrow(message);
    expect(await room.listAttestations('eve')).toEqual([]);
  });

  test('stores a judgement under the standard and the spelling of the catalogue until the end of its last day', async () => {
    const one = await room.attest('ann', { ...GIVEN, standard: 'soc2', control: 'cc1.1' }, 'shop', 'a test');
    expect(one).toMatchObject({
      standard: 'soc-2',
      control: 'CC1.1',
      scope: 'shop',
      until: Date.UTC(2027, 6, 1),
    });
    expect(await room.listAttestations('ann')).toEqual([one]);
    await expect(room.retractAttestation('bob', one.id)).rejects.toThrow(/there is no judgement/);
    await room.retractAttestation('ann', one.id);
    expect(await room.listAttestations('ann')).toEqual([]);
  });

  test('a check includes the judgements of its owner in every form of its report', async () => {
    await room.attest('cat', GIVEN, 'all', 'magpie compliance attest');
    const until = '2099-01-31';
    await room.attest('cat', { ...GIVEN, control: '6.2.4', verdict: 'exception', until }, 'all', 'a test');
    const made = await room.assessEvidence('cat', ['pci-dss'], evidence(BROKEN));
    expect(await room.readCheck('cat', made.id)).toEqual(made);
    expect(made.standards[0]?.counts).toMatchObject({ attested: 1, exception: 1 });
    const foreign = await room.assessEvidence('dog', ['pci-dss'], evidence(BROKEN));
    expect(foreign.standards[0]?.counts).toMatchObject({ attested: 0, exception: 0 });

    const texts = new Map<string, string>();
    for (const format of ['json', 'markdown', 'html', 'oscal', 'pdf'] as const) {
      const { content, signature } = await room.writeReport('cat', made.id, format);
      const bytes = Buffer.from(content);
      expect(room.verifyReport(bytes, signature).state).toBe('genuine');
      const text =
        format === 'pdf' ? (await extractText(new Uint8Array(bytes), { mergePages: true })).text : `${bytes}`;
      texts.set(format, text);
      for (const words of ['Ann Lee', 'All staff took part', 'records.pdf', '2027-0'])
        expect(text.replaceAll('\\', '').replace(/\s+/g, ' '), `${format}: ${words}`).toContain(words);
      expect(text.replaceAll(/[\s\\]/g, ''), format).toContain('a'.repeat(64));
      // A judgement is in the bytes that are signed.
      const changed = Buffer.from(bytes);
      changed[Math.floor(changed.length / 2)] = (changed[Math.floor(changed.length / 2)] ?? 0) ^ 1;
      expect(room.verifyReport(changed, signature).state).toBe('changed');
    }
    expect(texts.get('markdown')).toContain('attested by a person');
    expect(texts.get('html')).toContain('excepted by a person');
    const oscal = JSON.parse(texts.get('oscal') ?? '');
    expect(oscalFaults(oscal)).toEqual([]);
    const { metadata, results, 'back-matter': matter } = oscal['assessment-results'];
    expect(metadata.parties).toEqual([expect.objectContaining({ type: 'person', name: 'Ann Lee' })]);
    const [{ observations, findings, risks }] = results;
    expect(observations).toContainEqual(
      expect.objectContaining({
        title: '12.6.1 passes',
        description: 'All staff took part',
        expires: '2027-07-01T00:00:00.000Z',
        links: [{ href: 'https://wiki.example/training', rel: 'reference' }],
      }),
    );
    const of = (label: string) =>
      findings.find(({ props }: { props: { value: string }[] }) => props[0]?.value === label)?.target.status;
    expect(of('12.6.1')).toEqual({ state: 'satisfied', reason: 'attested' });
    expect(of('6.2.4')).toEqual({ state: 'not-satisfied', reason: 'exception' });
    expect(risks).toEqual([
      expect.objectContaining({ status: 'deviation-approved', deadline: '2099-02-01T00:00:00.000Z' }),
    ]);
    const hashes = matter.resources.flatMap(({ rlinks = [] }) => rlinks.flatMap(({ hashes: of = [] }) => of));
    expect(hashes).toEqual([{ algorithm: 'SHA-256', value: 'a'.repeat(64) }]);
  });

  const PENTEST = Buffer.from('nothing found');
  const FILE = `attestations:
  - standard: pci-dss
    control: "11.4.3"
    verdict: pass
    by: Ann Lee
    at: 2026-11-01
    until: 2027-10-31
    why: The test of October found nothing.
    evidence: [docs/pentest.pdf]
`;
  const read = (text: string) =>
    room.readAttestations(
      'shop',
      async (path) =>
        ({ '.magpie/attestations.yaml': Buffer.from(text), 'docs/pentest.pdf': PENTEST })[path] ?? undefined,
      new AbortController().signal,
    );

  /** The same without a worker. */
  const readHere = (text: string) =>
    readAttestationsFile(
      {
        text,
        subject: 'shop',
        catalogues: CATALOGUES,
        now: Date.now(),
        read: async (path) => (path === 'docs/pentest.pdf' ? PENTEST : undefined),
      },
      new AbortController().signal,
      async (given) => parseAttestationsText(given),
    );

  test('a file of a repository is read, with the digests of the files that it names', async () => {
    expect(await read(FILE)).toEqual({
      attestations: [
        expect.objectContaining({
          control: '11.4.3',
          scope: 'shop',
          at: Date.UTC(2026, 10, 1),
          until: Date.UTC(2027, 10, 1),
          source: '.magpie/attestations.yaml in shop',
          evidence: [
            {
              name: 'docs/pentest.pdf',
              sha256: createHash('sha256').update(PENTEST).digest('hex'),
              bytes: 13,
            },
          ],
        }),
      ],
    });
    expect(await read('attestations: []\n')).toEqual({ attestations: [] });
    const none = room.readAttestations('shop', async () => undefined, new AbortController().signal);
    expect(await none).toBeUndefined();
  });

  test.each([
    [
      'verdict: pass',
      'verdict: ok',
      'line 4: verdict has "ok": it takes pass, fail, not_applicable, exception',
    ],
    [
      '"11.4.3"',
      '"11.4.33"',
      'line 3: control has "11.4.33", which pci-dss does not have; the nearest are 11.4.3',
    ],
    ['"11.4.3"', '[11.4]', 'line 3: control has "[\\"11.4\\"]": it takes the id of a control'],
    [
      'pci-dss',
      'pci-ds',
      'line 2: standard has "pci-ds", which is not a known standard (did you mean pci-dss?)',
    ],
    ['at: 2026-11-01\n', 'at: 2026-13-01\n', 'line 6: at has "2026-13-01": it takes the day'],
    ['    at: 2026-11-01\n', '', 'line 2: at is missing: it takes the day'],
    ['until: 2027', 'until: 1027', 'line 7: until has "1027-10-31", which is before the judgement itself'],
    ['docs/pentest', 'docs/test', 'line 9: evidence has "docs/test.pdf", which the repository does not have'],
    [
      '[docs/pentest.pdf]',
      `[{ file: docs/pentest.pdf, sha256: ${'0'.repeat(64)} }]`,
      'it was changed since the judgement',
    ],
    [
      '    by:',
      '    who:',
      'line 5: "who" is not a key here: an entry takes standard, control, verdict, by, until, why, link, at',
    ],
    [
      'attestations:',
      'judgements:',
      'line 1: "judgements" is not a key here: the file takes the key attestations',
    ],
    ['why: The', 'why: *x #', 'line 8: '],
    ['why: The', 'why: [', 'line '],
  ])(
    'an error in a file is named with its line, and the file is ignored as a whole: %j as %j',
    async (from, to, message) => {
      const found = await readHere(FILE.replace(from, to));
      expect(found).toEqual({ attestations: [], trouble: expect.stringContaining(message) });
      expect(found?.trouble).toMatch(/^\.magpie\/attestations\.yaml: line \d+: /);
    },
  );

  test('an invalid file gives the same error in a worker of the room', async () => {
    const found = await read(FILE.replace('verdict: pass', 'verdict: ok'));
    expect(found).toEqual(await readHere(FILE.replace('verdict: pass', 'verdict: ok')));
  });

  test('a file can judge a control once', async () => {
    const twice = `${FILE}${FILE.slice(FILE.indexOf('\n') + 1)}`;
    expect((await readHere(twice))?.trouble).toContain('line 10: pci-dss 11.4.3 is judged on line 2 already');
  });

  test('a file that would make reading slow is refused', async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
      .split('')
      .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[at]}`).join(',')}]`)
      .join('\n')}\nattestations: *j\n`;
    expect(await read(bomb)).toMatchObject({
      attestations: [],
      trouble: expect.stringContaining('references'),
    });
    expect((await read('x'.repeat(1_000_001)))?.trouble).toContain('it is over 1000000 characters');
  });
});
