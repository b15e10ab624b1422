import { expect, test } from 'vitest';
import { scanText } from '../../tools/schemas/scan-text.ts';

/** A scan as a model reads it. */

const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0, suppressed: 0 };
const text = (more: object) =>
  scanText(
    {
      success: true,
      data: {
        scan_id: 'a1',
        status: 'completed',
        repository: 'package lodash 4.17.20',
        vulnerabilities: [],
        summary: counts,
        files: 0,
        ...more,
      },
    } as unknown as Parameters<typeof scanText>[0],
    {} as Parameters<typeof scanText>[1],
    () => false,
  );

test('an incomplete scan without findings does not read like a clean scan', () => {
  expect(text({})).toContain('\nNothing was found.');
  const failed = { name: 'dependencies', ok: false, reason: 'OSV could not be asked', ms: 1, findings: 0 };
  expect(text({ scanners: [failed] })).toContain('Nothing was found, but not everything was scanned.');
  const gap = { kind: 'limits', what: '3 files', fix: 'scan parts' };
  expect(text({ gaps: [gap] })).toContain('Nothing was found, but not everything was scanned.');
});

test('files are counted if there are any', () => {
  expect(text({ files: 1, summary: { ...counts, high: 1 } })).toContain('1 high (1 file).');
  expect(text({ files: 2 })).toContain('Nothing was found (2 files).');
});

test('findings that differ only in their place are told once, with all places', () => {
  const finding = {
    id: 'source/command-injection',
    severity: 'high',
    title: 'Command injection',
    description: 'Text from outside becomes part of a command.',
    fix: 'Call the program without a shell.',
    fingerprint: '1',
    scanner: 'source',
    cwe: ['CWE-78'],
    location: 'a.js:2',
    excerpt: 'exec(a)',
    also: [
      { location: 'b.js:3', fingerprint: '2', trace: [{ path: 'b.js', line: 1, note: 'from a request' }] },
    ],
  };
  expect(
    text({ vulnerabilities: [finding] })
      .split('\n')
      .slice(4),
  ).toEqual([
    '## high: Command injection (source/command-injection, CWE-78) at 2 places',
    'Text from outside becomes part of a command.',
    '- a.js:2',
    '  Code: exec(a)',
    '- b.js:3',
    '  Data flow: line 1 from a request',
    'Fix: Call the program without a shell.',
  ]);
});
