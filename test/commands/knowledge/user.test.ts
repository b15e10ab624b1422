import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toAnyDatabase } from '../../../src/storage/any-database.ts';
import { MOVED_TABLES, tableNameIn } from '../../../src/storage/move/tables.ts';
import { OWNED_TABLES, ownedTableName } from '../../../src/storage/user/tables.ts';
import { userDataContract } from '../../contracts/user-data.ts';
import { startEmbeddingsApi } from '../../helpers/embeddings-api.ts';
import { environment, runMagpie, startMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { OTHER_TABLES, OWNERLESS_TABLES } from '../../helpers/other-tables.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

userDataContract(async () => {
  const folder = temporaryFolder();
  return {
    env: environment(folder.path),
    open: async () => toAnyDatabase(await openTestDatabase({ folder: folder.path })),
    remove: async () => folder.remove(),
  };
});

test('every table is listed, with its link to a user or the reason for having none', () => {
  const known = [...OWNED_TABLES.map(({ name }) => name), ...Object.keys(OWNERLESS_TABLES)];
  expect(known.sort()).toEqual([...new Set(known)]);
  expect(known).toEqual([...MOVED_TABLES.map(({ name }) => name), ...OTHER_TABLES].sort());
});

test('every SQLite table is listed too', async () => {
  const folder = temporaryFolder();
  const db = await openTestDatabase({ folder: folder.path });
  const list = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`;
  const tables = (await db.read((sql) => sql.all<{ name: string }>(list))).map(({ name }) => name);
  db.close();
  folder.remove();
  const known = new Set([
    ...OWNED_TABLES.flatMap((table) => ownedTableName(table, 'sqlite') ?? []),
    ...MOVED_TABLES.filter(({ name }) => name in OWNERLESS_TABLES).map((table) =>
      tableNameIn(table, 'sqlite'),
    ),
  ]);
  // Indexes of words, whose rows go with those of their tables.
  const others = tables.filter(
    (name) => !known.has(name) && !/^(?:pages_fts|kb_words_|kb_postings)/.test(name),
  );
  expect(others).toEqual([]);
});

test('nothing is deleted from a data folder with a running server', async () => {
  const folder = temporaryFolder();
  const api = await startEmbeddingsApi();
  const env = { ...environment(folder.path), ...api.settings };
  await runMagpie(['upsert', 'The spare key is with Ada.'], env);
  const server = await startMagpie(env);
  try {
    const { stderr, code } = await runMagpie(['user', 'delete', 'tester', '--yes'], env);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/^magpie: /);
    expect((await runMagpie(['query', 'spare key'], env)).stdout).toContain('with Ada');
  } finally {
    await server.stop();
  }
  const shown = JSON.parse((await runMagpie(['user', 'delete', 'tester', '--json'], env)).stdout);
  expect(shown.rows).toMatchObject({ kb_words: 1, kb_passages: 1 });
  const deleted = await runMagpie(['user', 'delete', 'tester', '--yes', '--json'], env);
  expect([deleted.code, JSON.parse(deleted.stdout)]).toEqual([0, shown]);
  // Nor in the index of words.
  expect(readFileSync(join(folder.path, 'magpie.sqlite')).includes('spare')).toBe(false);
  expect((await runMagpie(['query', 'spare key'], env)).stdout).not.toContain('with Ada');
  expect(readdirSync(folder.path)).not.toContain('indexes');
  await api.close();
  folder.remove();
});
