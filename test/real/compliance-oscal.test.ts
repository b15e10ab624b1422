import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assessControls } from '../../src/compliance/assessing/assess.ts';
import { CATALOGUES } from '../../src/compliance/catalogues/list.ts';
import { REPORT_WRITERS } from '../../src/compliance/reports/list.ts';
import type { ReportData } from '../../src/compliance/reports/report.ts';
import { AT, evidence, finding } from '../helpers/compliance.ts';

/** Whether compliance-trestle, the program that others read OSCAL with, takes what Magpie writes; its path is in MAGPIE_TEST_TRESTLE. */

const TRESTLE = process.env.MAGPIE_TEST_TRESTLE ?? 'trestle';
const FORMATS = ['oscal', 'oscal_component', 'oscal_poam'] as const;
const folder = mkdtempSync(join(tmpdir(), 'magpie-trestle-'));
const workspace = join(folder, 'workspace');
const trestle = (...args: string[]) =>
  execFileSync(TRESTLE, args, { cwd: workspace, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
let data: ReportData;

beforeAll(async () => {
  mkdirSync(workspace);
  trestle('init', '--local');
  const seen = evidence([
    finding('source/sql-injection', { cwe: ['CWE-89'] }),
    finding('dependencies/vulnerability', { severity: 'low' }),
  ]);
  const standards = await assessControls(CATALOGUES, seen);
  const assessment = { ...seen, id: 'a'.repeat(24), createdAt: AT, standards, version: '0.1.0' };
  data = { assessment, key: 'f'.repeat(64) };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(FORMATS)('%s is imported and validated by compliance-trestle', async (format) => {
  const text = String(await REPORT_WRITERS[format](data));
  const write = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  // It refuses a document with an unknown field, so that its verdict says something.
  const wrong = write('wrong.json', text.replace('"uuid"', '"uid"'));
  expect(() => trestle('import', '-f', wrong, '-o', `wrong-${format}`)).toThrow('uid');
  const file = write(`${format}.json`, text);
  trestle('import', '-f', file, '-o', format);
  expect(trestle('validate', '-a')).toMatch(/^(?:.*WARNING.*\n|Validating.*\n|VALID: .*\n)+$/);
});
