import { readFileSync } from 'node:fs';

/** One change of the database schema. Ids only increase, and a released migration is never changed. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
}

/** Splits a schema at lines such as `-- migration 7: access` or `-- migration 2, oldest 1: access`. */
export function readMigrations(file: URL): (Migration & { readonly oldest: number })[] {
  const [, ...parts] = readFileSync(file, 'utf8').split(/^-- migration /m);
  return parts.map((part) => {
    const [head = '', ...sql] = part.split('\n');
    const [numbers = '', name = ''] = head.split(': ');
    const [id = 0, oldest = 1] = numbers.split(', oldest ').map(Number);
    return { id, name, oldest, sql: sql.join('\n') };
  });
}
