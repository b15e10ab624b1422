import { CATALOGUES } from '../src/compliance/catalogues/list.ts';
import { CHECK_GROUPS } from '../src/compliance/mappings/check-groups.ts';
import { COVERAGE_EXTENTS, type ControlMapping, readMappings } from '../src/compliance/mappings/mappings.ts';
import { differs, isOpen } from './readings.ts';

const TABLES = CATALOGUES.map(({ id }) => [id, readMappings(id)] as const);

/** What the tables of mappings hold, by standard; which rules a group stands for; and where two readers differ. */
export function mappingReference(): string {
  return [
    '## Tables',
    '',
    '| standard | controls with checks | pairs | whole | part | considered and left out | read twice | settled | differ |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...TABLES.map(([id, rows]) => line(id, rows)),
    line(
      'all',
      TABLES.flatMap(([id, rows]) => rows.map((row) => ({ ...row, control: `${id} ${row.control}` }))),
    ),
    '',
    '## Where two readers differ',
    '',
    'A matter of opinion: a first reader (A) and a second one (B), each with a reason. Nothing that a check sees passes by these.',
    '',
    ...differences(isOpen),
    '',
    '## What the words of a control settled',
    '',
    ...differences((row) => differs(row) && !isOpen(row)),
    '',
    '## Groups',
    '',
    '| group | what was checked | checks | without |',
    '| --- | --- | --- | --- |',
    ...Object.entries(CHECK_GROUPS).map(
      ([name, { title, checks, except = [] }]) =>
        `| \`${name}\` | ${title} | ${short(checks)} | ${short(except)} |`,
    ),
  ].join('\n');
}

function line(id: string, rows: readonly ControlMapping[]): string {
  const pairs = (kept: readonly ControlMapping[]) => kept.reduce((sum, { checks }) => sum + checks.length, 0);
  const by = COVERAGE_EXTENTS.map((reading) => pairs(rows.filter((row) => row.reading === reading)));
  const [whole = 0, part = 0, none = 0] = by;
  const controls = new Set(rows.flatMap(({ control, reading }) => (reading === 'none' ? [] : control)));
  const twice = rows.filter(({ second }) => second !== '');
  const name = id === 'all' ? 'all' : `[\`${id}\`](../src/compliance/mappings/${id}.tsv)`;
  return `| ${[name, controls.size, whole + part, whole, part, none, pairs(twice), pairs(twice.filter((row) => differs(row) && !isOpen(row))), pairs(twice.filter(isOpen))].join(' | ')} |`;
}

function differences(listed: (row: ControlMapping) => boolean): readonly string[] {
  const lines = TABLES.flatMap(([id, rows]) =>
    rows
      .filter(listed)
      .map(
        ({ control, checks, reading, why, second, settled }) =>
          `- ${id} ${control}, \`${checks.join(' ')}\`: A ${reading} (${why}) ${reasoned(second)}${settled && `. Settled: ${settled.replace(/^C \S+: /, '')}`}`,
      ),
  );
  return lines.length > 0 ? lines : ['Nowhere, in what has been read twice.'];
}

/** `B part: it ...`, and that a reader gave no reason. */
function reasoned(second: string): string {
  const said = second.replace(/ \d{4}-\d\d-\d\d/, '');
  return said.includes(':') ? said : `${said}: no reason given`;
}

/** `source/a, b; headers/*`: the kind once, for all of its checks. */
function short(checks: readonly string[]): string {
  const kinds = Map.groupBy(checks, (check) => check.slice(0, check.indexOf('/') + 1));
  return [...kinds]
    .map(([kind, of]) => `\`${kind}\` ${of.map((check) => `\`${check.slice(kind.length)}\``).join(', ')}`)
    .join('; ');
}
