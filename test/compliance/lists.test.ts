import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { standardsTable } from '../../docs/standards-table.ts';
import { CONTROL_STATUSES } from '../../src/compliance/assessing/assessment.ts';
import { CATALOGUES } from '../../src/compliance/catalogues/list.ts';
import { REPORT_WRITERS } from '../../src/compliance/reports/list.ts';
import { REPORT_FORMATS } from '../../src/lib/compliance/report-formats.ts';
import { checkCompliance } from '../../tools/check-compliance.ts';
import { generateComplianceReport } from '../../tools/generate-compliance-report.ts';

/** What has to grow with the lists of standards and report forms. */

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

test('every file of controls and every table of mappings belongs to a standard of the list', () => {
  const namesIn = (folder: string, ending: RegExp) =>
    readdirSync(new URL(`src/compliance/${folder}/`, root))
      .filter((name) => ending.test(name))
      .map((name) => name.replace(ending, ''))
      .sort();
  const ids = CATALOGUES.map(({ id }) => id).sort();
  expect(namesIn('catalogues/controls', /\.(?:txt|json)$/)).toEqual(ids);
  expect(namesIn('mappings', /\.tsv$/)).toEqual(ids);
});

test('every catalogue names its source, its license and its edition', () => {
  for (const { id, title, edition, source, license } of CATALOGUES) {
    expect(id).toMatch(/^[a-z0-9-]+$/);
    expect(source, id).toMatch(/^https:\/\//);
    for (const text of [title, edition, license]) expect(text, id).not.toBe('');
  }
});

test('the documentation has the table and the numbers of the list: npm run docs writes the table', async () => {
  const docs = read('docs/compliance.md');
  expect(docs).toContain(await standardsTable());
  const controls = (await Promise.all(CATALOGUES.map((one) => one.controls()))).flat().length;
  expect(docs).toContain(`All ${CATALOGUES.length} standards (${controls.toLocaleString('en')} controls)`);
  expect(read('README.md')).toContain(`${CATALOGUES.length} standards, and`);
});

test('every report form has a writer, and the operations accept exactly these forms and statuses', () => {
  expect(Object.keys(REPORT_WRITERS)).toEqual(REPORT_FORMATS);
  const forms = generateComplianceReport.input.shape.format.unwrap();
  expect(forms.options).toEqual([...REPORT_FORMATS]);
  const control = checkCompliance.output.shape.data.shape.standards.element.shape.controls.element;
  expect(control.shape.status.options).toEqual([...CONTROL_STATUSES]);
});
