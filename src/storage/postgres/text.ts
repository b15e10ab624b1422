import type pg from 'pg';

/** What stands in quotes, and the placeholders outside of it. The parts follow each other without overlap, so it is linear. */
const PARTS = /'[^']*'|"[^"]*"|\?(\d*)/g;
/** Texts that are kept translated and prepared; there are fewer in the source, so the bound is for mistakes. */
const MAX_TEXTS = 1000;

export interface Prepared {
  readonly text: string;
  /** The name under which a connection keeps it prepared; undefined beyond the bound. */
  readonly name: string | undefined;
}

const known = new Map<string, Prepared>();

/** Hints for SQLite's planner, and a function that PostgreSQL has under another name. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/ INDEXED BY \w+/g, ''],
  [/\bCROSS JOIN\b/g, 'JOIN'],
  [/\binstr\(/g, 'strpos('],
];

/** SQL with `?` and `?1` as PostgreSQL wants it, `$1`, and the name of its prepared statement. */
export function prepared(text: string): Prepared {
  const before = known.get(text);
  if (before) return before;
  const isKept = known.size < MAX_TEXTS;
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

/** Has a connection prepare its statements again: those that it has give rows as tables were when they were prepared. */
export async function forgetStatements(client: pg.ClientBase): Promise<void> {
  await client.query('DEALLOCATE ALL');
  const { connection } = client as unknown as { readonly connection: Remembered };
  connection.parsedStatements = {};
  connection.submittedNamedStatements = {};
}

/** What the client knows to be prepared. */
interface Remembered {
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
}
