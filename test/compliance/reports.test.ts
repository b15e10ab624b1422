import { extractText } from 'unpdf';
import { beforeAll, expect, test } from 'vitest';
import { assess } from '../../src/compliance/assess.ts';
import type { Assessment } from '../../src/compliance/assessment.ts';
import { CATALOGUES } from '../../src/compliance/catalogues/list.ts';
import type { Format, ReportMatter } from '../../src/compliance/report.ts';
import { FORMS } from '../../src/compliance/reports/list.ts';
import { createSealer } from '../../src/compliance/seal.ts';
import { verifyReport } from '../../src/compliance/verify.ts';
import { AT, evidence, finding } from '../helpers/compliance.ts';
import { oscalFaults } from '../helpers/oscal-schema.ts';

const sealer = createSealer(Buffer.alloc(32, 7));
const HOSTILE = '<script>alert(1)</script>|[x](javascript:1)\n# 日本';
let whole: ReportMatter;

beforeAll(async () => {
  whole = await matterOf(CATALOGUES.map(({ id }) => id));
});

async function matterOf(ids: readonly string[]): Promise<ReportMatter> {
  const seen = evidence([
    finding('source/sql-injection', { severity: 'critical', cwe: ['CWE-89'], location: `src/${HOSTILE}:3` }),
    finding('secrets/password', { title: HOSTILE, fingerprint: 'second' }),
    finding('infrastructure/docker-root-user', { severity: 'low', fingerprint: 'third' }),
  ]);
  const standards = await assess(
    CATALOGUES.filter(({ id }) => ids.includes(id)),
    seen,
  );
  const assessment: Assessment = { id: 'c'.repeat(24), createdAt: AT, version: '1.2.3', ...seen, standards };
  return { assessment, seal: sealer.seal(assessment) };
}

async function written(format: Format, matter = whole): Promise<string | Uint8Array> {
  const form = FORMS.find((one) => one.format === format);
  return (await form?.write(matter)) ?? '';
}

test.each(['json', 'markdown', 'html', 'oscal'] as const)(
  '%s has every control of every standard',
  async (format) => {
    const text = String(await written(format));
    for (const { standard, controls } of whole.assessment.standards) {
      expect(text).toContain(standard.edition);
      expect(controls.filter(({ id }) => !text.includes(id))).toEqual([]);
    }
    expect(await verifyReport(text, sealer, () => whole.assessment)).toMatchObject({
      signed: true,
      kept: true,
    });
  },
);

test("OSCAL passes NIST's schema, standard by standard", async () => {
  const faults = oscalFaults(JSON.parse(String(await written('oscal'))));
  expect(faults).toEqual([]);
  expect(oscalFaults({ 'assessment-results': { uuid: '1' } })).not.toEqual([]);
});

test('OSCAL calls satisfied what passed, and nothing else', async () => {
  const { 'assessment-results': document } = JSON.parse(String(await written('oscal')));
  for (const [at, { counts }] of whole.assessment.standards.entries()) {
    const states = (document.results[at].findings ?? []).map(
      (one: { target: { status: { state: string } } }) => one.target.status.state,
    );
    expect(states.filter((state: string) => state === 'satisfied')).toHaveLength(counts.pass);
    expect(states.filter((state: string) => state === 'not-satisfied')).toHaveLength(counts.fail);
  }
});

test('HTML holds all it needs and runs nothing, whatever was scanned', async () => {
  const html = String(await written('html'));
  expect(html).not.toMatch(/<script|<link|<img|<iframe|url\(|@import|\son\w+=|href="(?!https:\/\/)/i);
  expect(html).toContain("default-src 'none'");
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html.match(/<svg /g)).toHaveLength(2);
  expect(html).toContain('@media print');
  expect(html.indexOf('<h2>Summary')).toBeLessThan(html.indexOf('By risk'));
  expect(html.indexOf('By risk')).toBeLessThan(html.indexOf('Control by control'));
});

test('Markdown keeps foreign text to its cell', async () => {
  const lines = String(await written('markdown')).split('\n');
  const row = lines.find((line) => line.includes('alert(1)')) ?? '';
  expect(row).toMatch(/^\| critical \|/);
  expect(row).toContain('\\<script\\>');
  expect(row.replaceAll('\\|', '').match(/\|/g)).toHaveLength(6);
  expect(lines).not.toContain('# 日本');
});

test('PDF says the same, in text that can be read out again', async () => {
  const matter = await matterOf(['cwe-top-25', 'openssf-scorecard']);
  const pdf = (await written('pdf', matter)) as Uint8Array;
  const { text, totalPages } = await extractText(new Uint8Array(pdf), { mergePages: true });
  expect(totalPages).toBeGreaterThan(3);
  for (const words of [
    'Compliance report',
    'By risk',
    'Control by control',
    'Evidence',
    'CWE-918',
    'Webhooks',
    `${totalPages} / ${totalPages}`,
  ]) {
    expect(text).toContain(words);
  }
  expect(text).toContain('characters that the fonts of this form lack');
  expect(await verifyReport(pdf, sealer, () => matter.assessment)).toMatchObject({
    signed: true,
    kept: true,
  });
});

test.each(CATALOGUES.map(({ id }) => id))('%s comes as PDF', async (id) => {
  const matter = await matterOf([id]);
  const pdf = (await written('pdf', matter)) as Uint8Array;
  expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe('%PDF-');
  expect(Buffer.from(pdf.subarray(-8)).toString()).toContain('%%EOF');
});

test('a report is the same each time that it is written', async () => {
  const matter = await matterOf(['slsa']);
  for (const format of ['json', 'markdown', 'html', 'oscal'] as const) {
    expect(await written(format, matter)).toEqual(await written(format, matter));
  }
});

test('a seal with a byte changed is not good', async () => {
  const text = String(await written('markdown'));
  const digest = /sha256=([0-9a-f]{64})/.exec(text)?.[1] ?? '';
  const other = `${digest.startsWith('0') ? '1' : '0'}${digest.slice(1)}`;
  expect(await verifyReport(text.replace(digest, other), sealer, () => undefined)).toMatchObject({
    signed: false,
  });
});
