import { hash } from 'node:crypto';
import { compressText } from '../../src/search/stores/page-text.ts';
import { MOVED_TABLES, tableNameIn } from '../../src/storage/move/tables.ts';
import { openTestDatabase } from './test-database.ts';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
}

/** More digits than a number of JavaScript keeps, for columns that are neither keys nor references. */
const LARGE = 2n ** 60n + 1n;
const REFERENCES =
  /^(?:id|owner|monitor|crawl|folder|document|page|model|rowid|seq|ordinal|entry|at|day|hour|scan|first|passages|words|below|one)$/;
/** Columns of 16 bits or of a meaning that a query would stumble over. */
const SMALL = /^(?:ready|indexed|trash|nonenglish|multilingual|pages|bytes|records|next|last)$/;

/**
 * A row in every table that is moved, with NUL, characters beyond the first plane, bytes that are no text, NULL where it may be, and numbers of 60 bits;
 * references fit, all else is without meaning.
 */
export async function fillOneOfEach(folder: string): Promise<void> {
  const db = await openTestDatabase({ folder });
  try {
    for (const table of MOVED_TABLES) {
      const name = tableNameIn(table, 'sqlite');
      await db.write((sql) => {
        const columns = sql.all<Column>('SELECT name, type, "notnull" FROM pragma_table_info(?)', name);
        const isImplicit = name === 'scans' || name === 'compliance_jobs';
        const names = [...columns.map((column) => `"${column.name}"`), ...(isImplicit ? ['rowid'] : [])];
        const values = [...columns.map((column) => inputOf(name, column)), ...(isImplicit ? [7] : [])];
        const marks = names.map(() => '?').join(', ');
        // page_owners and kb_owners may be there with the number that references name.
        sql.run(`INSERT OR IGNORE INTO ${name} (${names.join(', ')}) VALUES (${marks})`, ...values);
      });
    }
  } finally {
    db.close();
  }
}

function inputOf(
  table: string,
  { name, type, notnull }: Column,
): string | number | bigint | Uint8Array | null {
  // Bytes of 16-bit floats, none of which is too large or no number.
  if (table === 'kb_vectors' && type === 'BLOB')
    return hash('sha256', name, 'buffer').map((byte) => byte & 0x3f);
  if (type === 'BLOB')
    return table.startsWith('page') ? compressText('one word\0') : hash('sha256', name, 'buffer');
  if (type === 'REAL') return 0.1;
  if (type === 'INTEGER') return REFERENCES.test(name) || SMALL.test(name) ? 1 : LARGE;
  if (table === 'scans' || name === 'scan') return 'scan \0';
  if (name === 'grant_id') return inputOf('access_grants', { name: 'id', type, notnull });
  return notnull === 1 || name === 'id' ? `${table} "${name}" \0 \u{1f426} it's` : null;
}
