import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ControlCatalogue } from '../src/compliance/assessing/catalogue.ts';
import { CATALOGUES } from '../src/compliance/catalogues/list.ts';
import { CHECK_GROUPS } from '../src/compliance/mappings/check-groups.ts';
import { type ControlMapping, readMappings } from '../src/compliance/mappings/mappings.ts';
import { tableOf } from './mapping-table.ts';
import { differs, merged, readingsFrom } from './readings.ts';

/**
 * The tables of mappings, for someone who reads them without the reasons of the first reader:
 *
 *     node docs/second-reading.ts print <folder>                    writes <folder>/<standard>.md, with blank columns
 *     node docs/second-reading.ts merge <file> <reader> <date>      takes what was written there into the table
 *
 * `<reader>` is a capital letter, such as B; the file is named for its standard (`pci-dss.md`, `pci-dss.b.md`). Disagreements are in
 * docs/mappings.md after `npm run docs`, until the row says the same.
 */

const HEAD = `Read each pair without the table: does a finding of the check speak against the control, and does a clean check show all
that the control asks for? Fill in \`reading\`, and \`note\` where it is not plain.

- \`whole\`: the check sees all that the control asks for (with the other checks of the control, where they are several).
- \`part\`: a finding speaks against the control, and a clean check shows a part of what it asks for.
- \`none\`: a finding does not speak against the control. Some of the pairs below are such; nothing marks them.
- Leave \`reading\` blank where it cannot be judged. Add what is missing at the end, in the same form.

Judge the control by its publisher's words, which you know or can look up; some titles here are ours and short.`;

const [command, ...values] = process.argv.slice(2);
const [first = '', reader = '', date = ''] = values;
if (command === 'print' && first !== '') await print(first);
else if (command === 'merge' && /^[A-Z]$/.test(reader) && /^\d{4}-\d\d-\d\d$/.test(date)) await merge(first);
else {
  process.stderr.write('usage: second-reading.ts print <folder> | merge <standard>.md <reader> <date>\n');
  process.exitCode = 2;
}

async function print(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const catalogue of CATALOGUES)
    writeFileSync(join(folder, `${catalogue.id}.md`), await pageOf(catalogue));
}

async function pageOf({ id, title, edition, controls }: ControlCatalogue): Promise<string> {
  const order = (await controls()).map((one) => one.id);
  const rows = readMappings(id).toSorted(
    (a, b) =>
      order.indexOf(a.control) - order.indexOf(b.control) || a.checks.join().localeCompare(b.checks.join()),
  );
  const words = new Map((await controls()).map((one) => [one.id, `${one.title}. ${one.text ?? ''}`]));
  const groups = [...new Set(rows.flatMap(({ checks }) => checks))].filter((name) => CHECK_GROUPS[name]);
  const legend = groups.sort().map((name) => {
    const group = CHECK_GROUPS[name];
    const except = group?.except ? `; without ${group.except.join(', ')}` : '';
    return `- \`${name}\`: ${group?.title} (${group?.checks.join(', ')}${except})`;
  });
  const lines = rows.map(({ control, checks }, at) => {
    // The words stand once, at the first pair of a control.
    const said = rows[at - 1]?.control === control ? '' : short(words.get(control), 600);
    return `| ${control} | ${said} | \`${checks.join(' ')}\` |  |  |`;
  });
  const table = ['| control | its words | check | reading | note |', '| --- | --- | --- | --- | --- |'];
  const missing = ['## Missing', '', ...table, ''];
  const mapped = new Set(rows.map(({ control }) => control));
  const bare = order.filter((one) => !mapped.has(one)).map((one) => `- ${one} ${short(words.get(one), 120)}`);
  const head = [`# ${title}, ${edition}`, '', HEAD, '', '## Groups', '', ...legend, ''];
  return [
    ...head,
    '## Pairs',
    '',
    ...table,
    ...lines,
    '',
    ...missing,
    '## Controls without a check',
    '',
    ...bare,
    '',
  ].join('\n');
}

function short(text = '', max: number): string {
  return text.replaceAll('|', '/').replace(/\s+/g, ' ').trim().slice(0, max);
}

async function merge(file: string): Promise<void> {
  const standard = CATALOGUES.find(({ id }) => basename(file).startsWith(`${id}.`));
  if (!standard) throw new Error(`${file} is not named for a standard`);
  const order = (await standard.controls()).map(({ id }) => id);
  const readings = readingsFrom(readFileSync(file, 'utf8'));
  const { rows, unknown } = merged(readMappings(standard.id), readings, `${reader} ${date}`, order);
  writeFileSync(new URL(`../src/compliance/mappings/${standard.id}.tsv`, import.meta.url), tableOf(rows));
  process.stdout.write(`${report(standard.id, rows, unknown)}\n`);
}

function report(standard: string, rows: readonly ControlMapping[], unknown: readonly string[]): string {
  const read = rows.filter(({ second }) => second !== '');
  const differ = read.filter(differs);
  return [
    `${standard}: ${read.length} of ${rows.length} rows are read a second time, ${differ.length} differ`,
    ...differ.map(
      ({ control, checks, reading, second }) => `  ${control} ${checks[0]}: ${reading}, and ${second}`,
    ),
    ...unknown.map((line) => `  cannot be taken in: ${line}`),
  ].join('\n');
}
