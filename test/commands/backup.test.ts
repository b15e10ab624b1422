import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddingsApi, startEmbeddingsApi } from '../helpers/embeddings-api.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** `magpie backup` of a data folder that a server writes to, and `magpie restore` of it. */

const folder = temporaryFolder();
afterAll(() => folder.remove());
const data = join(folder.path, 'data');
mkdirSync(data);
let api: EmbeddingsApi;
let env: Record<string, string>;
/** The environment of a Magpie with another data folder. */
const environmentOf = (path: string) => ({ ...environment(path), ...api.settings });
beforeAll(async () => {
  api = await startEmbeddingsApi();
  env = environmentOf(data);
});
afterAll(() => api.close());
const backup = join(folder.path, 'backup');
const restored = join(folder.path, 'restored');

const json = async (url: string): Promise<Record<string, unknown>> =>
  (await fetch(url)).json() as Promise<Record<string, unknown>>;
const insert = (server: Running, text: string) => json(`${server.url}/insert?q=${encodeURIComponent(text)}`);

async function withServer<T>(of: Record<string, string>, work: (server: Running) => Promise<T>): Promise<T> {
  const server = await startMagpie(of);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

async function textsOf(server: Running): Promise<string[]> {
  const texts: string[] = [];
  for (let cursor: unknown; ; ) {
    const page = await json(
      `${server.url}/listEntries?limit=100${cursor ? `&cursor=${String(cursor)}` : ''}`,
    );
    texts.push(...(page.entries as { text: string }[]).map(({ text }) => text));
    cursor = page.nextCursor;
    if (!cursor) return texts;
  }
}

test('a backup beside a busy server contains all answered writes', async () => {
  const kept = join(folder.path, 'kept.txt');
  writeFileSync(kept, 'Magpies hide things that shine. '.repeat(2000));
  await runMagpie(['upload', kept], env);
  const [original] = filesIn(join(data, 'files'));
  // As an upload leaves it whose process was killed, or one that is coming in.
  const stray = join(data, 'files', dirname(original?.[0] ?? ''), 'of-no-document');
  writeFileSync(stray, 'Bytes that the database does not name.');

  await withServer(env, async (server) => {
    const before = Array.from({ length: 20 }, (_, i) => `Note ${i}, written before the backup.`);
    for (const text of before) await insert(server, text);
    let writing = true;
    const writes = (async () => {
      for (let i = 0; writing; i++) await insert(server, `Note ${i}, written meanwhile.`);
    })();
    const made = await runMagpie(['backup', backup, '--json'], env);
    writing = false;
    await writes;
    expect(made).toMatchObject({ code: 0, stderr: expect.not.stringContaining('rror') });
    expect(JSON.parse(made.stdout)).toMatchObject({ files: expect.any(Number), bytes: expect.any(Number) });
  });

  expect(await runMagpie(['backup', backup, '--check'], env)).toMatchObject({ code: 0 });
  const done = await runMagpie(['restore', backup], environmentOf(restored));
  expect(done.stdout).toContain(`Restored to ${restored}: `);
  expect(done.code).toBe(0);
  expect(await runMagpie(['kb', 'check'], environmentOf(restored))).toMatchObject({ code: 0 });

  expect(original?.[1]).toContain('Magpies hide');
  expect(filesIn(join(restored, 'files'))).toEqual([original]);
  expect(readFileSync(join(restored, 'secret'))).toEqual(readFileSync(join(data, 'secret')));
  await withServer(environmentOf(restored), async (server) => {
    const texts = await textsOf(server);
    for (let i = 0; i < 20; i++) expect(texts).toContain(`Note ${i}, written before the backup.`);
  });
});

/** Bytes of all files below a folder, by their names. */
function filesIn(path: string): [string, string][] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(path, name)).isFile())
    .map((name) => [name, readFileSync(join(path, name), 'utf8')]);
}

test('an import names the command that reads a backup', async () => {
  const refused = await runMagpie(['kb', 'import', backup], env);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('magpie restore reads it') });
});

test('a backup with an unreadable list is not described as a backup without one', async () => {
  const odd = join(folder.path, 'odd');
  mkdirSync(join(odd, 'magpie-backup.json'), { recursive: true });
  const refused = await runMagpie(['restore', odd], environmentOf(join(folder.path, 'fresh')));
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be read (EISDIR)') });
});

test('a backup is readable for its user alone', () => {
  expect(statSync(backup).mode & 0o077).toBe(0);
  for (const name of ['magpie.sqlite', 'secret', 'magpie-backup.json'])
    expect(statSync(join(backup, name)).mode & 0o077).toBe(0);
});

test('a backup overwrites neither a folder with content nor data', async () => {
  const again = await runMagpie(['backup', backup], env);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining(`${backup} has something in it`) });
  const over = await runMagpie(['restore', backup], env);
  expect(over).toMatchObject({ code: 2, stderr: expect.stringContaining(`${data} already holds data`) });
});

test('an unwritable destination is named, with the reason', async () => {
  const refused = await runMagpie(['backup', '/proc/b'], env);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('the folder /proc/b cannot be written (ENOENT)');
});

test('a folder without a list is refused as a backup, and a changed file is named', async () => {
  const fresh = environmentOf(join(folder.path, 'fresh'));
  const none = await runMagpie(['restore', data], fresh);
  expect(none.stderr).toContain('is not a whole backup: it has no magpie-backup.json');
  const [name = ''] = readdirSync(join(backup, 'files'), { recursive: true, encoding: 'utf8' }).filter(
    (path) => statSync(join(backup, 'files', path)).isFile(),
  );
  writeFileSync(join(backup, 'files', name), 'Other bytes.');
  const changed = await runMagpie(['restore', backup], fresh);
  expect(changed.code).not.toBe(0);
  expect(changed.stderr).toContain(`${join(backup, 'files', name)} is not as it was backed up`);
  expect(readdirSync(folder.path)).not.toContain('fresh');
});

test.each(['../stolen', 'files/../../stolen', '/etc/passwd', 'server.lock', 'files//x', 'files/./x'])(
  'a list that names %s is refused',
  async (path) => {
    const hostile = join(folder.path, `hostile-${path.replaceAll(/\W/g, '_')}`);
    mkdirSync(hostile);
    const file = { path, bytes: 1, sha256: '0'.repeat(64) };
    const list = { format: 1, magpie: '0.1.0', schema: 1, at: new Date().toISOString(), files: [file] };
    writeFileSync(join(hostile, 'magpie-backup.json'), JSON.stringify(list));
    const refused = await runMagpie(['restore', hostile], environmentOf(join(folder.path, 'fresh')));
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('was not written by magpie backup'),
    });
  },
);

test('with PostgreSQL the backup tools of PostgreSQL are named, and no address', async () => {
  const address = { ...env, DATABASE_URL: 'postgres://magpie:hidden@127.0.0.1:9/magpie' };
  const refused = await runMagpie(['backup', join(folder.path, 'none')], address);
  expect(refused.stderr).toContain('pg_dump');
  expect(refused.stderr).not.toContain('hidden');
});
