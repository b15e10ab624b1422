import { extractText } from 'unpdf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CATALOGUES } from '../../src/compliance/catalogues/list.ts';
import { type ComplianceScan, complianceScan, KEY } from '../helpers/compliance-scan.ts';
import { oscalFaults } from '../helpers/oscal-schema.ts';

/**
 * Every standard's report in its forms from one real scan, through the whole product: as PDF those of two standards, since
 * test/compliance/reports.test.ts reads each of them again. Pictures of the PDFs are test/real/compliance-pdf.test.ts's.
 */
const AS_PDF = ['owasp-top-10-2021', 'soc-2'];

interface Result {
  readonly counts: Readonly<Record<string, number>>;
  readonly controls: readonly { readonly id: string; readonly status: string; readonly found: number }[];
}

let scan: ComplianceScan;

beforeAll(async () => {
  scan = await complianceScan();
});
afterAll(() => scan.close());

test('the scan that the reports are made of has findings of every kind', async () => {
  expect(scan.found).toBeGreaterThan(5);
  const report = await scan.report(await scan.check('owasp-top-10'), 'json');
  const { assessment } = (await report.json()) as {
    assessment: { findings: { rule: string }[]; looks: { what: string; ok: boolean }[] };
  };
  const kinds = new Set(assessment.findings.map(({ rule }) => rule.split('/', 1)[0]));
  expect([...kinds].sort()).toEqual(['dependencies', 'infrastructure', 'secrets', 'source']);
  expect(assessment.looks.filter(({ ok }) => !ok)).toEqual([]);
});

test.each(CATALOGUES.map((catalogue) => [catalogue.id, catalogue] as const))(
  '%s is reported as JSON, Markdown, HTML and OSCAL, and in part as PDF [compliance.forms]',
  async (id, catalogue) => {
    const check = await scan.check(id);
    const formats = ['json', 'markdown', 'html', 'oscal', ...(AS_PDF.includes(id) ? ['pdf'] : [])];
    const files = await Promise.all(formats.map((format) => scan.report(check, format)));
    expect(files.map(({ status }) => status)).toEqual(formats.map(() => 200));
    const [json = '', markdown = '', html = '', oscal = '', pdf] = await Promise.all(
      files.map(async (file, at) =>
        formats[at] === 'pdf' ? new Uint8Array(await file.arrayBuffer()) : file.text(),
      ),
    );
    const controls = await catalogue.controls();
    const { assessment } = JSON.parse(String(json)) as { assessment: { standards: Result[] } };
    const [result] = assessment.standards;
    expect(result?.controls.map((one) => one.id)).toEqual(controls.map((one) => one.id));
    const failed = result?.controls.filter(({ status }) => status === 'fail') ?? [];
    expect(failed.length).toBe(result?.counts.fail);

    const words: string[] = [];
    if (pdf !== undefined) {
      const { text, totalPages } = await extractText(pdf as Uint8Array, { mergePages: true });
      expect(totalPages).toBeGreaterThan(1);
      words.push(text.replace(/\s+/g, ' '));
    }
    for (const form of [String(markdown), String(html), String(oscal), ...words]) {
      expect(form).toContain(check);
      // Narrow columns of a page break long numbers.
      const bare = form.replace(/\s+/g, '');
      const lacking = controls.filter((one) => !bare.includes(one.id.replace(/\s+/g, '')));
      expect(lacking.map((one) => one.id)).toEqual([]);
      expect(form).not.toContain(KEY);
    }
    for (const heading of ['Summary', 'By risk', 'Control by control', 'Evidence', 'Seal']) {
      expect(markdown).toContain(`## ${heading}`);
      for (const read of words) expect(read).toContain(heading);
    }
    expect(html).toContain('</html>');
    const document = JSON.parse(String(oscal));
    expect(oscalFaults(document)).toEqual([]);
    const findings: { target: { status: { state: string } } }[] =
      document['assessment-results'].results[0].findings ?? [];
    const states = findings.map(({ target }) => target.status.state);
    expect(states.filter((state) => state === 'not-satisfied')).toHaveLength(result?.counts.fail ?? -1);
    expect(states.filter((state) => state === 'satisfied')).toHaveLength(result?.counts.pass ?? -1);
  },
);
