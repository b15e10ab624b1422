import pg from 'pg';
import type { Load, User } from './load-clients.ts';

/** What is wrong with what clients were answered, as the database has it and as a node shows it; empty lists where nothing is. */
export interface WrongWrites {
  /** Answered inserts that are not there, and answered deletions that are. */
  readonly lost: string[];
  readonly undeleted: string[];
  /** Texts that are there twice. */
  readonly twice: string[];
}

export const NO_WRONG_WRITES: WrongWrites = { lost: [], undeleted: [], twice: [] };

/** Ids with their texts, of all users. */
type Entries = readonly { readonly id: string; readonly text: string }[];

export async function wrongWrites(load: Load, read: () => Promise<Entries>): Promise<WrongWrites> {
  const inserted = [...load.inserted.keys()];
  const deleted = [...load.deleted];
  const entries = await read();
  const ids = new Set(entries.map(({ id }) => id));
  const seen = new Set<string>();
  const twice = entries.filter(({ text }) => seen.has(text) || !seen.add(text)).map(({ text }) => text);
  // Deletions that were answered, or sent, while it was read.
  const isGone = (id: string) => load.deleted.has(id) || load.deleting.has(id);
  return {
    lost: inserted.filter((id) => !ids.has(id) && !isGone(id)),
    undeleted: deleted.filter((id) => ids.has(id)),
    twice,
  };
}

export async function entriesInDatabase(url: string): Promise<Entries> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT o.name || '-' || e.at AS id, p.text FROM kb_entries e JOIN kb_owners o ON o.id = e.owner
         JOIN kb_passages p ON p.owner = e.owner AND p.entry = e.at WHERE e.trash <= 0`,
    );
    return rows;
  } finally {
    await client.end();
  }
}

/** Page by page, as each user sees them there. */
export async function entriesAt(url: string, users: readonly User[]): Promise<Entries> {
  const lists = users.map(async ({ key }) => {
    const all: { id: string; text: string }[] = [];
    let cursor: string | undefined;
    do {
      const address = new URL('/listEntries?limit=100', url);
      if (cursor !== undefined) address.searchParams.set('cursor', cursor);
      const response = await fetch(address, { headers: { authorization: `Bearer ${key}` } });
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      const page = (await response.json()) as { entries: { id: string; text: string }[]; next?: string };
      all.push(...page.entries);
      cursor = page.next;
    } while (cursor !== undefined);
    return all;
  });
  return (await Promise.all(lists)).flat();
}
