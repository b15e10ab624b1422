import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BlobStore } from '../../src/documents/blob-store.ts';
import { createFolderBlobs } from '../../src/documents/blobs/folder.ts';
import { createPostgresBlobs } from '../../src/documents/blobs/postgres.ts';
import type { AnyDatabase } from '../../src/storage/any-database.ts';
import { digestOf } from '../../src/wiring/data/copied-files.ts';
import { runMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { dump, fillUser } from '../helpers/rows-of-user.ts';

export interface UserPlace {
  /** Of the commands. */
  readonly env: Record<string, string>;
  open(): Promise<AnyDatabase>;
  /** Where files are, when they are not beside the database. */
  readonly blobs?: BlobStore;
  remove(): Promise<void>;
}

/** Long enough to be found by no chance in a file of random bytes. */
const ADA = 'ada-lovelace';
const BOB = 'bob-kahn';
const HANDBOOK = `the handbook of ${ADA}, as it came`;

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

/** `magpie user export` and `user delete`, with a row of two users in every table. */
export function userDataContract(make: () => Promise<UserPlace>): void {
  let place: UserPlace;
  const folder = temporaryFolder();
  const magpie = (...args: string[]) => runMagpie(args, place.env);
  const withDatabase = async <T>(work: (db: AnyDatabase) => Promise<T>): Promise<T> => {
    const db = await place.open();
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  };

  beforeAll(async () => {
    place = await make();
    await withDatabase(async (db) => {
      await fillUser(db, ADA, 1);
      await fillUser(db, BOB, 2);
      const files =
        place.blobs ??
        (db.dialect === 'postgres'
          ? createPostgresBlobs(db)
          : createFolderBlobs(join(place.env.MAGPIE_DATA ?? '', 'files')));
      for (const user of [ADA, BOB]) {
        await files.put(user, `blob-${user}`, bytesOf(HANDBOOK.replace(ADA, user)));
        await db.write((sql) =>
          sql.run('UPDATE documents SET blob = ? WHERE owner = ?', `blob-${user}`, user),
        );
      }
    });
  });
  afterAll(async () => {
    await place.remove();
    folder.remove();
  });

  test('an export has every row and file of the user, and no credentials', async () => {
    const target = join(folder.path, 'exported');
    const { code, stdout, stderr } = await magpie('user', 'export', ADA, target, '--json');
    // A slow machine sees how far it is.
    expect(stderr.replaceAll(/writing .*\n?/g, '')).toBe('');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ files: 1, rows: { kb_entries: 1, monitors: 1, scans: 1 } });
    const list = JSON.parse(readFileSync(join(target, 'list.json'), 'utf8'));
    for (const { path, ...digest } of list.files)
      expect(await digestOf(join(target, path), new AbortController().signal)).toEqual(digest);
    const texts = readdirSync(target)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => readFileSync(join(target, name), 'utf8'));
    expect(texts.join('')).not.toContain(BOB);
    expect(texts.join('')).not.toContain(`${ADA} access_keys hash`);
    expect(texts.join('')).not.toContain(`${ADA} monitors webhook`);
    expect(texts.join('')).toContain(`${ADA} kb_passages text`);
    const [file = ''] = readdirSync(join(target, 'files'));
    expect(readFileSync(join(target, 'files', file), 'utf8')).toBe(HANDBOOK);
    expect((await magpie('user', 'export', ADA, target)).stderr).toContain('has something in it');
  });

  test('without --yes nothing is deleted, and a user without data is not found', async () => {
    const before = await withDatabase(dump);
    expect((await magpie('user', 'delete', ADA)).stdout).toMatch(
      /^Kept of ada-lovelace: \d+ rows of \d+ tables, 1 file\./,
    );
    expect(await withDatabase(dump)).toEqual(before);
    const { code, stderr } = await magpie('user', 'delete', 'eve', '--yes');
    expect([code, stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('the user "eve" has no data here'),
    ]);
    expect(code).not.toBe(0);
  });

  test('after a deletion no table or file has a word of the user, and the other user keeps everything', async () => {
    const before = await withDatabase(dump);
    const of = (rows: Record<string, string[]>, user: string) =>
      Object.fromEntries(
        Object.entries(rows).map(([table, all]) => [table, all.filter((row) => row.includes(user)).sort()]),
      );
    const kept = JSON.parse((await magpie('user', 'delete', ADA, '--json')).stdout);
    const { code, stdout, stderr } = await magpie('user', 'delete', ADA, '--yes', '--json');
    expect(stderr.replaceAll(/.*(?:deleted|again|waits).*\n?/g, '')).toBe('');
    expect(code).toBe(0);
    // What was shown before is what was deleted.
    expect(JSON.parse(stdout)).toEqual(kept);
    const after = await withDatabase(dump);
    expect(Object.values(of(after, ADA)).flat()).toEqual([]);
    const { kb_words_data: _, pages_fts_data: __, ...bob } = of(before, BOB);
    expect(of(after, BOB)).toMatchObject(bob);
    expect(after.kb_passages).toHaveLength(1);
    expect(after.kb_entries).toHaveLength(1);
    const data = place.env.MAGPIE_DATA ?? '';
    for (const entry of readdirSync(data, { recursive: true, withFileTypes: true }))
      if (entry.isFile())
        expect(readFileSync(join(entry.parentPath, entry.name)).includes(ADA), entry.name).toBe(false);
  });
}
