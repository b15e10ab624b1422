import { expect, test } from 'vitest';
import type { Finding } from '../../../src/security/findings/finding.ts';
import { sarifOf } from '../../../src/security/reports/sarif.ts';
import type { SecurityScan } from '../../../src/security/scans/scan.ts';
import { sarifFaults } from '../../helpers/sarif-schema.ts';

const scan: SecurityScan = {
  id: 'abc',
  request: { repository: 'https://git.example/a b.git', branch: 'main', deep: true, dependencies: true },
  state: 'completed',
  createdAt: 1,
  startedAt: 2,
  endedAt: 3,
  report: {
    commit: 'c0ffee',
    files: 1,
    bytes: 1,
    kept: 0,
    left: ['one file over 2 MB'],
    scanners: [{ name: 'source', ok: false, reason: 'it broke', ms: 1, findings: 0 }],
  },
};

const full: Finding = {
  id: 'source/sql-injection',
  aliases: ['bandit/B608'],
  severity: 'high',
  title: 'SQL injection',
  description: 'A query is put together from what a caller sent.',
  fix: 'Use parameters.',
  path: 'src/odd name?#%/line\nbreak:1.py',
  line: 3,
  endLine: 4,
  cwe: ['CWE-89'],
  cvss: { score: 8.1, vector: 'CVSS:3.1/AV:N' },
  excerpt: 'db.execute("..." + name)',
  trace: [
    { path: 'a.py', line: 1, note: 'comes in' },
    { path: 'a.py', line: 3, note: 'is run' },
  ],
  scanners: ['source', 'bandit'],
  fingerprint: 'f'.repeat(32),
  commit: 'beef',
  suppressed: { by: 'comment', reason: 'checked by hand' },
};

const locked: Finding = {
  id: 'CVE-2021-23337',
  severity: 'medium',
  title: 'Command injection in lodash',
  description: 'd',
  fix: 'f',
  path: 'package-lock.json',
  package: { ecosystem: 'npm', name: 'lodash', version: '4.17.20' },
  fixedIn: '4.17.21',
  development: true,
  scanners: ['dependencies'],
  fingerprint: '0'.repeat(32),
};

test('a scan becomes a SARIF log that is valid by the schema, with rules, fingerprints, suppressions and code flows', () => {
  const log = sarifOf(scan, [full, { ...full, suppressed: { by: 'baseline', reason: 'known' } }, locked]);
  expect(sarifFaults(log)).toEqual([]);
  const [run] = log.runs as { results: Record<string, unknown>[]; tool: { driver: { rules: unknown[] } } }[];
  expect(run?.tool.driver.rules).toHaveLength(2);
  expect(run?.tool.driver.rules[0]).toMatchObject({
    id: 'source/sql-injection',
    properties: { 'security-severity': '8.1', tags: ['security', 'external/cwe/cwe-89'] },
  });
  expect(run?.results).toMatchObject([
    {
      ruleIndex: 0,
      level: 'error',
      partialFingerprints: { 'magpie/v1': 'f'.repeat(32) },
      suppressions: [{ kind: 'inSource', status: 'accepted', justification: 'checked by hand' }],
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'src/odd%20name%3F%23%25/line%0Abreak%3A1.py' },
            region: { startLine: 3, endLine: 4 },
          },
        },
      ],
    },
    { suppressions: [{ kind: 'external' }], baselineState: 'unchanged' },
    { ruleIndex: 1, level: 'warning', properties: { location: 'package-lock.json:lodash@4.17.20' } },
  ]);
  const [first] = (run?.results ?? []) as unknown as {
    codeFlows: { threadFlows: { locations: unknown[] }[] }[];
  }[];
  expect(first?.codeFlows[0]?.threadFlows[0]?.locations).toHaveLength(2);
  expect(JSON.stringify(log)).toContain('"executionSuccessful":false');
});

test('the schema check of this test rejects an invalid log', () => {
  const log = sarifOf(scan, [full]) as { runs: { results: { level: string }[] }[] };
  const [result] = log.runs[0]?.results ?? [];
  if (result) result.level = 'terrible';
  expect(sarifFaults(log)).not.toEqual([]);
});

test('an empty scan of a folder becomes a valid SARIF log without a path', () => {
  const { commit: _, ...report } = scan.report ?? { files: 0, bytes: 0, kept: 0, left: [], scanners: [] };
  const request = { ...scan.request, repository: '/home/ann/code' };
  const log = sarifOf({ ...scan, request, report }, []);
  expect(sarifFaults(log)).toEqual([]);
  expect(JSON.stringify(log)).not.toContain('/home/ann');
});
