import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Config } from '../../../src/config/config.ts';
import { createFolderBlobs } from '../../../src/documents/blobs/folder.ts';
import { createPostgresBlobs } from '../../../src/documents/blobs/postgres.ts';
import { readTableShapes } from '../../../src/storage/move/shape.ts';
import { MOVED_TABLES } from '../../../src/storage/move/tables.ts';
import { describeDatabasePlace, openPostgres } from '../../../src/storage/postgres/open.ts';
import { openDatabase } from '../../../src/storage/sqlite.ts';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { environment, runMagpie, spawnServer, startMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { fillOneOfEach } from '../../helpers/one-of-each.ts';
import { OTHER_TABLES } from '../../helpers/other-tables.ts';
import { dropPostgres, makePostgres, type PostgresPlace } from '../../helpers/postgres.ts';

let folder: ReturnType<typeof temporaryFolder>;
let second: ReturnType<typeof temporaryFolder>;
let place: PostgresPlace;
let words: Record<string, string>;
/** A data folder with texts and a page, which tests copy. */
const texts = temporaryFolder();
beforeAll(async () => {
  words = await withoutModel();
  const pages = join(texts.path, 'birds.html');
  writeFileSync(pages, '<title>Birds</title><p>Wagtails run along the shore of the lake.</p>');
  for (const args of [...TEXTS.map((text) => ['upsert', text]), ['index', pages]]) {
    expect(await runMagpie(args, envOf(texts.path))).toMatchObject({ code: 0 });
  }
});
beforeEach(async () => {
  [folder, second] = [temporaryFolder(), temporaryFolder()];
  place = await makePostgres();
});
afterEach(async () => {
  await place.remove();
  folder.remove();
  second.remove();
});
afterAll(async () => {
  texts.remove();
  await dropPostgres();
});

const envOf = (data: string) => ({ ...environment(data), MAGPIE_USER: 'ada', ...words });
const inFolder = (...args: string[]) => runMagpie(args, envOf(folder.path));
const inSecond = (...args: string[]) => runMagpie(args, envOf(second.path));
/** In PostgreSQL, beside the second folder. */
const inServer = (...args: string[]) => runMagpie(args, { ...envOf(second.path), DATABASE_URL: place.url });
const move = (...more: string[]) => inFolder('migrate', '--to', place.url, ...more);
const TEXTS = ['The magpie builds its nest of mud and twigs', 'Herons wade in shallow water'];

const fillTexts = () => cpSync(texts.path, folder.path, { recursive: true });

/** Texts and a page, a file, and a row in every other table. */
async function fill(): Promise<void> {
  fillTexts();
  await fillOneOfEach(folder.path);
  const blobs = createFolderBlobs(join(folder.path, 'files'));
  const db = await openDatabase({ folder: folder.path });
  const file = await db.read((sql) => sql.get<{ owner: string }>('SELECT owner FROM documents'));
  await db.write((sql) => sql.run("UPDATE documents SET blob = 'a-file'"));
  db.close();
  await blobs.put(
    file?.owner ?? '',
    'a-file',
    (async function* () {
      yield Buffer.alloc(2_500_000, 'Magpie');
    })(),
  );
}

const found = async (run: typeof inFolder, ...words: string[]) => {
  const { code, stdout } = await run(...words, '--json');
  expect([words, code]).toEqual([words, 0]);
  return stdout.replace(/"ms":\d+/, '');
};

test('every column of every table is moved, or listed as rebuilt', async () => {
  const postgres = await place.open();
  const embedded = await openDatabase({ folder: folder.path });
  try {
    const shapes = await readTableShapes(postgres, MOVED_TABLES);
    const tables = await postgres.read((sql) =>
      sql.all<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
           AND relnamespace = 'public'::regnamespace ORDER BY 1`,
      ),
    );
    expect(tables.map(({ name }) => name)).toEqual(
      [...MOVED_TABLES.map(({ name }) => name), ...OTHER_TABLES].sort(),
    );
    for (const { table, columns } of shapes) {
      const own = await embedded.read((sql) =>
        sql.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', table.name),
      );
      const moved = columns.map(({ name, sqlite }) =>
        table.name === 'page_owners' && sqlite.write ? sqlite.write[0].replaceAll('"', '') : name,
      );
      const missed = own.map(({ name }) => name).filter((name) => !moved.includes(name));
      expect([table.name, missed]).toEqual([table.name, table.name === 'page_owners' ? ['id'] : []]);
    }
  } finally {
    embedded.close();
  }
});

test('a whole data folder is moved to PostgreSQL and back, and both give the same answers', async () => {
  await fill();
  const [query, local] = [
    await found(inFolder, 'query', 'where do magpies nest'),
    ['search', 'wagtails', '--engines', 'local'],
  ];
  const hits = await found(inFolder, ...local);
  const moved = await move('--json');
  expect([moved.code, moved.stdout]).toEqual([0, expect.stringMatching(/^\{/)]);
  const report = JSON.parse(moved.stdout);
  expect(report).toMatchObject({ tables: MOVED_TABLES.length, files: 1, differences: [] });
  expect(report.rows).toBeGreaterThanOrEqual(MOVED_TABLES.length + TEXTS.length);
  expect(existsSync(join(folder.path, 'migrate.json'))).toBe(false);
  expect(moved.stdout).not.toContain('magpie@');

  const back = await inServer('migrate', '--to', 'sqlite:', '--json');
  expect([back.code, back.stdout]).toEqual([0, expect.stringMatching(/^\{/)]);
  expect(JSON.parse(back.stdout)).toMatchObject({ rows: report.rows, files: 1, differences: [] });
  expect(await found(inServer, 'query', 'where do magpies nest')).toBe(query);
  expect(await found(inServer, ...local)).toBe(hits);
  const db = await place.open();
  const owner = await db.read((sql) => sql.get<{ owner: string }>('SELECT owner FROM documents'));
  const bytes = await createPostgresBlobs(db).get(owner?.owner ?? '', 'a-file');
  expect((await new Response(bytes).bytes()).length).toBe(2_500_000);
  // Numbers go on where they were.
  const next = await db.write((sql) => sql.get<{ id: number }>("SELECT nextval('page_ids') AS id"));
  expect(next?.id).toBeGreaterThan(1);
  await db.close();

  expect(await found(inSecond, 'query', 'where do magpies nest')).toBe(query);
  expect(await found(inSecond, ...local)).toBe(hits);
  expect(readFileSync(join(second.path, 'secret'))).toEqual(readFileSync(join(folder.path, 'secret')));
});

test('word indexes are complete in a folder after a move back', async () => {
  fillTexts();
  expect((await move()).code).toBe(0);
  expect((await inServer('migrate', '--to', 'sqlite:')).code).toBe(0);
  const { code, stdout } = await inSecond('kb', 'check');
  expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing is wrong')]);
});

test('--check names the differences, and changes nothing', async () => {
  await fill();
  await (await place.open()).close();
  expect((await move('--check')).code).toBe(3);
  expect((await move()).code).toBe(0);
  expect((await move('--check')).code).toBe(0);
  const db = await place.open();
  await db.write(function* (sql) {
    yield* sql.run("UPDATE kb_passages SET text = text || '.' WHERE text LIKE 'Herons%'");
    yield* sql.run('DELETE FROM access_keys');
    yield* sql.run('UPDATE blob_pieces SET bytes = ? WHERE piece = 1', Buffer.from('other'));
  });
  await db.close();
  const { code, stdout } = await move('--check');
  expect(code).toBe(3);
  expect(stdout).toContain('access_keys: 1 row in the source, 0 in the target');
  expect(stdout).toContain('kb_passages: as many rows, but not the same');
  expect(stdout).toContain('the bytes of file 1 are not the same');
  expect(stdout).toContain('differ in 3 places');
});

test('a target that has its own rows is refused', async () => {
  await fill();
  await inServer('upsert', 'A text of its own');
  const { code, stderr } = await move();
  expect([code, stderr]).toEqual([2, expect.stringContaining('the target is not empty')]);
});

test('a move is refused while a server uses the folder or a client uses the database, and blocks others while it runs', async () => {
  await fill();
  const server = await spawnServer(envOf(folder.path));
  const first = await move();
  await server.stop();
  expect([first.code, first.stderr]).toEqual([1, expect.stringMatching(/server|in use/i)]);
  const other = await place.open();
  await other.read((sql) => sql.get('SELECT 1'));
  const refused = await move();
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('another Magpie is connected')]);
  await other.close();
  const { takeExclusiveLock } = await import('../../../src/storage/postgres/database-lock.ts');
  const alone = await takeExclusiveLock(place.url, 'here');
  await expect(openPostgres({ url: place.url })).rejects.toThrow('is being moved');
  await alone.release();
  expect((await move()).code).toBe(0);
});

/** Begins a move, and ends it at the first step whose message begins with `until`. */
async function breakOff(until: string, from: Pick<Config, 'data' | 'database'>, to: string): Promise<void> {
  const { moveData } = await import('../../../src/wiring/data/move-data.ts');
  const stop = new AbortController();
  const progress = (step: string) => {
    if (step.startsWith(until)) stop.abort(new Error('stopped here'));
  };
  const moved = moveData(from as Config, to, false, { signal: stop.signal, progress });
  await expect(moved).rejects.toThrow('stopped here');
}

/** Nothing but `migrate` takes the database of `run`, and all say what to do; `doctor` says it as a problem. */
async function expectRefused(run: typeof inFolder, env: Record<string, string>, to: string): Promise<void> {
  const says = `was stopped, or found differences. Run \`magpie migrate --to ${to}\` again`;
  const commands = [
    ['upsert', 'A text that comes too early'],
    ['query', 'nests'],
    ['kb', 'check'],
    ['key', 'list'],
  ];
  for (const command of commands) {
    const { code, stderr } = await run(...command);
    expect([command, code, stderr]).toEqual([command, 1, expect.stringContaining(says)]);
  }
  await expect(startMagpie(env)).rejects.toThrow(says);
  const { code, stdout } = await run('doctor', '--offline', '--json');
  expect([code, JSON.parse(stdout).findings]).toEqual([
    1,
    expect.arrayContaining([
      {
        state: 'problem',
        what: to === 'sqlite:' ? 'data' : 'database',
        says: expect.stringContaining(says),
      },
    ]),
  ]);
}

test('PostgreSQL with an interrupted move is opened by migrate alone, until the move is complete', async () => {
  fillTexts();
  await breakOff('kb_entries:', { data: folder.path, database: 'sqlite:' }, place.url);
  const env = { ...envOf(second.path), DATABASE_URL: place.url };
  await expectRefused(inServer, env, 'postgres://...');
  // Neither is it a source.
  expect((await inServer('migrate', '--to', 'sqlite:')).stderr).toContain('is incomplete');
  expect((await inServer('migrate', '--files-to', 's3://files')).stderr).toContain('is incomplete');
  expect((await move()).code).toBe(0);
  expect((await inServer('upsert', 'A text of its own')).code).toBe(0);
  expect(await (await startMagpie(env)).stop()).toBe(0);
});

test('a folder with an interrupted move is opened by migrate alone, until the move is complete', async () => {
  fillTexts();
  expect((await move()).code).toBe(0);
  await breakOff('kb_entries:', { data: second.path, database: place.url }, 'sqlite:');
  await expectRefused(inSecond, envOf(second.path), 'sqlite:');
  const backup = await inSecond('backup', join(second.path, 'backup'));
  expect([backup.code, backup.stderr]).toEqual([1, expect.stringContaining('is incomplete')]);
  expect((await inSecond('migrate', '--to', place.url)).stderr).toContain('is incomplete');
  expect((await inServer('migrate', '--to', 'sqlite:')).code).toBe(0);
  expect((await inSecond('upsert', 'A text of its own')).code).toBe(0);
  expect(await (await startMagpie(envOf(second.path))).stop()).toBe(0);
});

test('an interrupted move continues at its last step, even if that step was not recorded', async () => {
  await fill();
  await breakOff('scans:', { data: folder.path, database: 'sqlite:' }, place.url);
  const note = join(folder.path, 'migrate.json');
  const state = JSON.parse(readFileSync(note, 'utf8'));
  expect([state.tables.kb_passages, state.tables.monitors]).toEqual([null, undefined]);
  // Killed between a step and its note.
  writeFileSync(
    note,
    JSON.stringify({ ...state, tables: { ...state.tables, kb_passages: undefined, pages: undefined } }),
  );
  const steps: string[] = [];
  const watch = { signal: new AbortController().signal, progress: (step: string) => steps.push(step) };
  const { moveData } = await import('../../../src/wiring/data/move-data.ts');
  const config = { data: folder.path, database: 'sqlite:' } as Config;
  expect(await moveData(config, place.url, false, watch)).toMatchObject({ differences: [] });
  expect(steps.filter((step) => step.startsWith('kb_entries:'))).toEqual([]);
  expect(steps.some((step) => step.startsWith('monitors:'))).toBe(true);
  expect(existsSync(note)).toBe(false);
});

/** Leaves the note of a move that was broken off with these tables done. */
function noteOf(tables: Readonly<Record<string, null>>): string {
  const note = join(folder.path, 'migrate.json');
  const between = `${folder.path} > ${describeDatabasePlace(place.url)}`;
  writeFileSync(note, JSON.stringify({ between, tables, files: 0 }));
  return note;
}

test('a target that was emptied after an interrupted move is filled from the beginning', async () => {
  fillTexts();
  const note = noteOf({ kb_owners: null, kb_entries: null });
  expect((await move()).code).toBe(0);
  expect(existsSync(note)).toBe(false);
});

test('after a move that ends with differences the target stays closed, and the next move requires an empty target', async () => {
  fillTexts();
  await breakOff('comparing', { data: folder.path, database: 'sqlite:' }, place.url);
  const db = await openPostgres({ url: place.url, takesUnfinished: true });
  await db.write((sql) => sql.run("DELETE FROM kb_passages WHERE text LIKE 'Herons%'"));
  await db.close();
  expect((await move()).code).toBe(3);
  expect((await inServer('query', 'herons')).stderr).toContain('is incomplete');
  expect((await move()).stderr).toContain('the target is not empty');
});

test('a target in use is not filled further, whatever the record of an earlier move says', async () => {
  fillTexts();
  expect((await move()).code).toBe(0);
  noteOf(Object.fromEntries(MOVED_TABLES.map(({ name }) => [name, null])));
  expect((await inServer('upsert', 'A text of its own')).code).toBe(0);
  expect((await move()).stderr).toContain('the target is not empty');
  expect((await inServer('upsert', 'Another one')).code).toBe(0);
});

test('--check creates no tables in an empty database', async () => {
  fillTexts();
  const bare = await makePostgres('none');
  try {
    const { code, stderr } = await inFolder('migrate', '--to', bare.url, '--check');
    expect([code, stderr]).toEqual([1, expect.stringContaining('has no tables of Magpie yet')]);
    const again = await inFolder('migrate', '--to', bare.url, '--check');
    expect(again.stderr).toContain('has no tables of Magpie yet');
  } finally {
    await bare.remove();
  }
});

test('a schema with capitals in its name is read like any other', async () => {
  fillTexts();
  const bare = await makePostgres('none');
  const client = new pg.Client({ connectionString: bare.url });
  await client.connect();
  await client.query('CREATE SCHEMA "Of Magpie"');
  await client.end();
  const url = new URL(bare.url);
  url.searchParams.set('options', '-c search_path="Of\\ Magpie",public');
  try {
    const { code, stderr } = await inFolder('migrate', '--to', url.href);
    expect([code, stderr]).toEqual([0, expect.anything()]);
  } finally {
    await bare.remove();
  }
});
