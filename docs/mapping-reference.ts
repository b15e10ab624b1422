import { CATALOGUES } from '../src/compliance/catalogues/list.ts';
import { CHECK_GROUPS } from '../src/compliance/mapping.ts';
import { type Mapping, mappingsOf, READINGS } from '../src/compliance/mappings.ts';
import { differs } from './readings.ts';

const TABLES = CATALOGUES.map(({ id }) => [id, mappingsOf(id)] as const);

/** What the tables of mappings hold, by standard; which rules a group stands for; and where two readers differ. */
export function mappingReference(): string {
  return [
    '## Tables',
    '',
    '| standard | controls with checks | pairs | whole | part | considered and left out | read twice | differ |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...TABLES.map(([id, rows]) => line(id, rows)),
    line(
      'all',
      TABLES.flatMap(([id, rows]) => rows.map((row) => ({ ...row, control: `${id} ${row.control}` }))),
    ),
    '',
    '## Where two readers differ',
    '',
    ...differences(),
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

function line(id: string, rows: readonly Mapping[]): string {
  const pairs = (kept: readonly Mapping[]) => kept.reduce((sum, { checks }) => sum + checks.length, 0);
  const by = READINGS.map((reading) => pairs(rows.filter((row) => row.reading === reading)));
  const [whole = 0, part = 0, none = 0] = by;
  const controls = new Set(rows.flatMap(({ control, reading }) => (reading === 'none' ? [] : control)));
  const twice = rows.filter(({ second }) => second !== '');
  const name = id === 'all' ? 'all' : `[\`${id}\`](../src/compliance/mappings/${id}.tsv)`;
  return `| ${[name, controls.size, whole + part, whole, part, none, pairs(twice), pairs(twice.filter(differs))].join(' | ')} |`;
}

function differences(): readonly string[] {
  const lines = TABLES.flatMap(([id, rows]) =>
    rows
      .filter(differs)
      .map(
        ({ control, checks, reading, why, second }) =>
          `- ${id} ${control}, \`${checks.join(' ')}\`: ${reading} (${why}) ${second}`,
      ),
  );
  return lines.length > 0 ? lines : ['Nowhere, in what has been read twice.'];
}

/** `source/a, b; headers/*`: the kind once, for all of its checks. */
function short(checks: readonly string[]): string {
  const kinds = Map.groupBy(checks, (check) => check.slice(0, check.indexOf('/') + 1));
  return [...kinds]
    .map(([kind, of]) => `\`${kind}\` ${of.map((check) => `\`${check.slice(kind.length)}\``).join(', ')}`)
    .join('; ');
}
