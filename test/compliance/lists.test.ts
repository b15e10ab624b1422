import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { standardsTable } from '../../docs/standards-table.ts';
import { CONTROL_STATUSES } from '../../src/compliance/assessing/assessment.ts';
import type { Catalogue } from '../../src/compliance/assessing/catalogue.ts';
import { CATALOGUES } from '../../src/compliance/catalogues/list.ts';
import { REPORT_FORMS } from '../../src/compliance/reports/list.ts';
import { FORMATS } from '../../src/compliance/reports/report.ts';
import { checkCompliance } from '../../tools/check-compliance.ts';
import { generateComplianceReport } from '../../tools/generate-compliance-report.ts';

/** What has to grow with the lists of standards and report forms. */

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

function isCatalogue(value: unknown): value is Catalogue {
  return typeof value === 'object' && value !== null && 'controls' in value && 'spellings' in value;
}

test('every catalogue of the folder is in the list', async () => {
  const folder = new URL('src/compliance/catalogues/', root);
  const modules = await Promise.all(
    readdirSync(folder)
      .filter((name) => name.endsWith('.ts') && name !== 'list.ts')
      .map((name) => import(new URL(name, folder).href) as Promise<Record<string, unknown>>),
  );
  const ids = modules.flatMap((module) =>
    Object.values(module)
      .filter(isCatalogue)
      .map(({ id }) => id),
  );
  expect(ids.sort()).toEqual(CATALOGUES.map(({ id }) => id).sort());
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
  expect(REPORT_FORMS.map(({ format }) => format).sort()).toEqual([...FORMATS].sort());
  const forms = generateComplianceReport.input.shape.format.unwrap();
  expect(forms.options).toEqual([...FORMATS]);
  const control = checkCompliance.output.shape.data.shape.standards.element.shape.controls.element;
  expect(control.shape.status.options).toEqual([...CONTROL_STATUSES]);
});
