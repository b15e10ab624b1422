import type pg from 'pg';

const PARTS = /'[^']*'|"[^"]*"|\?(\d*)/g;
const MAX_TEXTS = 1000;
/** Longer texts have a row of values for each of many records, so that few are sent a second time. */
const MAX_CHARS = 4000;

export interface PreparedStatement {
  readonly text: string;
  readonly name: string | undefined;
}

const known = new Map<string, PreparedStatement>();

const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/ INDEXED BY \w+/g, ''],
  [/\bCROSS JOIN\b/g, 'JOIN'],
  [/\binstr\(/g, 'strpos('],
];

export function prepareText(text: string): PreparedStatement {
  const before = known.get(text);
  if (before) return before;
  const isKept = known.size < MAX_TEXTS && text.length <= MAX_CHARS;
  const made = { text: numbered(text), name: isKept ? `m${known.size}` : undefined };
  if (isKept) known.set(text, made);
  return made;
}

function numbered(text: string): string {
  let count = 0;
  const spelled = SPELLINGS.reduce((all, [from, to]) => all.replace(from, to), text);
  return spelled.replace(PARTS, (part, number: string | undefined) => {
    if (number === undefined) return part;
    if (number !== '') return `$${number}`;
    count++;
    return `$${count}`;
  });
}

/** Makes a connection prepare its statements again. Old statements would not return new columns. */
export async function forgetStatements(client: pg.ClientBase): Promise<void> {
  await client.query('DEALLOCATE ALL');
  const { connection } = client as unknown as { readonly connection: Record<string, unknown> };
  connection.parsedStatements = {};
  connection.submittedNamedStatements = {};
}
