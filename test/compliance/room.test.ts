import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Compliance } from '../../src/compliance/types.ts';
import { REPORT_FORMATS } from '../../src/lib/compliance/report-formats.ts';
import { type Database, openDatabase } from '../../src/storage/sqlite.ts';
import { openCompliance } from '../../src/wiring/open/open-compliance.ts';
import { complianceFoundation, evidence, finding } from '../helpers/compliance.ts';

let folder: string;
let db: Database;
let room: Compliance;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'magpie-compliance-'));
  db = await openDatabase({ folder });
  room = await openCompliance(complianceFoundation(db, folder));
});
afterAll(async () => {
  db.close();
  await rm(folder, { recursive: true, force: true });
});

test('standards are found by common spellings; an unknown name is reported with the nearest and all names', () => {
  const asked = [
    'pci-dss',
    'PCI DSS 4.0',
    'soc2',
    'ISO/IEC 27001:2022',
    'nist 800-53 r5',
    'asvs',
    'GDPR Art. 32',
  ];
  expect(room.resolveStandards(asked)).toEqual([
    'pci-dss',
    'soc-2',
    'iso-27001',
    'nist-800-53',
    'owasp-asvs',
    'gdpr-32',
  ]);
  expect(room.resolveStandards(['all'])).toHaveLength(room.listStandards().length);
  expect(() => room.resolveStandards(['hippa'])).toThrow(
    /"hippa", which is not a known standard \(did you mean hipaa\?\): it takes nist-800-53, .*openssf-scorecard/,
  );
});

test('a check belongs to its owner, and other users do not see it', async () => {
  const made = await room.assessEvidence('ann', ['cwe-top-25'], evidence());
  expect(await room.readCheck('ann', made.id)).toEqual(made);
  expect((await room.listChecks('ann'))[0]).toMatchObject({
    id: made.id,
    scope: 'shop',
    standards: ['cwe-top-25'],
  });
  expect(await room.listChecks('bob')).toEqual([]);
  await expect(room.readCheck('bob', made.id)).rejects.toThrow(/there is no compliance check/);
  await expect(room.writeReport('bob', made.id, 'json')).rejects.toThrow(/there is no compliance check/);
  await expect(room.removeCheck('bob', made.id)).rejects.toThrow(/there is no compliance check/);
});

test('a check can be removed', async () => {
  const { id } = await room.assessEvidence('cat', ['slsa'], evidence());
  await room.removeCheck('cat', id);
  await expect(room.readCheck('cat', id)).rejects.toThrow(/there is no compliance check/);
  expect(await room.listChecks('cat')).toEqual([]);
});

test('a check in the background has results when it has ended, and none after its removal', async () => {
  const job = await room.startCheck('gus', ['slsa'], 'shop', async () => evidence());
  await vi.waitUntil(async () => (await room.listChecks('gus')).length === 1, { timeout: 60_000 });
  expect((await room.readCheck('gus', job.id)).scope).toBe('shop');
  const { promise, resolve } = Promise.withResolvers<void>();
  const removed = await room.startCheck('gus', ['slsa'], 'shop', async () => {
    await promise;
    return evidence();
  });
  await expect(room.readCheck('gus', removed.id)).rejects.toThrow(/is under way/);
  await room.removeCheck('gus', removed.id);
  resolve();
  await expect(room.readCheck('gus', removed.id)).rejects.toThrow(/there is no compliance check/);
  expect((await room.listChecks('gus')).map(({ id }) => id)).toEqual([job.id]);
});

test('a later check of the same scope shows the changes', async () => {
  const before = await room.assessEvidence('eve', ['cwe-top-25'], evidence());
  await room.assessEvidence('eve', ['cwe-top-25'], evidence([], { scope: 'another' }));
  const after = await room.assessEvidence('eve', ['cwe-top-25'], evidence([finding('source/sql-injection')]));
  expect(await room.compareChecks('eve', before.id)).toBeUndefined();
  expect(await room.compareChecks('eve', after.id)).toEqual({
    since: before.id,
    lacked: [],
    changes: [
      {
        standard: 'cwe-top-25',
        control: 'CWE-89',
        title: 'Rank 2: SQL injection',
        before: 'no_findings',
        now: 'fail',
      },
      expect.objectContaining({ control: 'CWE-20', now: 'fail' }),
    ],
    appeared: ['print-source/sql-injection-'],
    gone: [],
    accepted: [],
    unknown: [],
  });
});

test('a standard that is missing in the previous check is compared with the newest check that has it', async () => {
  const oldest = await room.assessEvidence('fay', ['cwe-top-25', 'slsa'], evidence());
  const had = await room.assessEvidence('fay', ['cwe-top-25'], evidence([finding('source/sql-injection')]));
  const before = await room.assessEvidence('fay', ['gdpr'], evidence());
  const after = await room.assessEvidence('fay', ['gdpr', 'cwe-top-25', 'slsa', 'hipaa'], evidence());
  const comparison = await room.compareChecks('fay', after.id);
  expect(comparison).toMatchObject({
    since: before.id,
    lacked: [
      { standard: 'cwe-top-25', since: had.id },
      { standard: 'slsa', since: oldest.id },
      { standard: 'hipaa' },
    ],
  });
  // Against the newest that had it, not the oldest, and never line after line of what was not checked.
  expect(comparison?.changes.map(({ control, before: was, now }) => `${control} ${was} ${now}`)).toEqual([
    'CWE-89 fail no_findings',
    'CWE-20 fail manual',
  ]);
  // The same holds for a check that the caller names.
  expect((await room.compareChecks('fay', after.id, had.id))?.lacked).toEqual([
    { standard: 'gdpr-32', since: before.id },
    { standard: 'slsa', since: oldest.id },
    { standard: 'hipaa' },
  ]);
  const report = String((await room.writeReport('fay', after.id, 'markdown')).content);
  expect(report).toContain('- hipaa: checked for the first time in this scope');
  expect(report).toContain(`- slsa: compared with the earlier check ${oldest.id}`);
  expect(report).not.toMatch(/not (?:checked|there) before/);
});

test('a report has a signature, which is valid by the published key and by no other [compliance.seal]', async () => {
  const { id } = await room.assessEvidence('ann', ['openssf-scorecard'], evidence());
  const foreign = await openCompliance(complianceFoundation(db, join(folder, 'another')));
  for (const format of REPORT_FORMATS) {
    const { content, signature } = await room.writeReport('ann', id, format);
    const file = Buffer.from(content);
    expect(room.verifyReport(file, signature)).toMatchObject({ state: 'genuine' });
    expect(foreign.verifyReport(file, signature, room.publicKey())).toMatchObject({ state: 'genuine' });
    expect(foreign.verifyReport(file, signature)).toMatchObject({
      state: 'unknown_key',
      reason: expect.stringContaining('give it by --key'),
    });
  }
});
