import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { folderOfOwner } from '../../../src/documents/blob-store.ts';
import { toAnyDatabase } from '../../../src/storage/any-database.ts';
import { openDatabase } from '../../../src/storage/sqlite.ts';
import { checkFiles } from '../../../src/wiring/data/check-files.ts';
import { userDataContract } from '../../contracts/user-data.ts';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { environment, runMagpie, startMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { type Bucket, makeBucket, S3_ENVIRONMENT } from '../../helpers/s3.ts';

/** What commands and a server do with files in a bucket, beside a data folder. */

let folder: ReturnType<typeof temporaryFolder>;
let bucket: Bucket;
let words: Record<string, string>;
beforeAll(async () => {
  words = await withoutModel();
});
beforeEach(async () => {
  folder = temporaryFolder();
  bucket = await makeBucket();
});
afterEach(async () => {
  await bucket.remove();
  folder.remove();
});

const TEXT = 'The magpie builds its nest of mud and twigs. '.repeat(50);
const withoutBucket = (data: string) => ({ ...environment(join(folder.path, data)), ...words });
const envOf = (data: string, name = bucket.name) => ({
  ...withoutBucket(data),
  ...S3_ENVIRONMENT,
  MAGPIE_BLOBS: name,
});

async function upload(env: Record<string, string>, name = 'nests of ada.txt'): Promise<void> {
  const path = join(folder.path, name);
  writeFileSync(path, TEXT);
  expect(await runMagpie(['upload', path], env)).toMatchObject({ code: 0 });
}

async function readBack(env: Record<string, string>): Promise<string> {
  const target = join(folder.path, `export-${Math.random()}`);
  expect(await runMagpie(['user', 'export', 'tester', target], env)).toMatchObject({ code: 0 });
  const [file = ''] = readdirSync(join(target, 'files'));
  return readFileSync(join(target, 'files', file), 'utf8');
}

test('an uploaded file is in the bucket alone, under keys that reveal nothing of the file or its owner', async () => {
  const env = envOf('data');
  await upload(env);
  const keys = await bucket.keys();
  const own = keys.filter((key) => key !== 'files/installation');
  expect(own).toEqual([expect.stringMatching(/^files\/[0-9a-f]{40}\/[0-9a-f-]{36}$/)]);
  expect(keys.join()).not.toMatch(/ada|nests|tester/);
  expect(readdirSync(join(folder.path, 'data'))).not.toContain('files');
  expect(await readBack(env)).toBe(TEXT);
});

test('another installation is refused, with the name of the bucket', async () => {
  await upload(envOf('data'));
  const other = await runMagpie(['upload', join(folder.path, 'nests of ada.txt')], envOf('other'));
  expect(other.code).not.toBe(0);
  expect(other.stdout + other.stderr).toContain(`${bucket.name} holds the files of another installation`);
  expect((await bucket.keys()).length).toBe(2);
});

test('a server does not start on a missing or forbidden bucket, and says which', async () => {
  const start = async (env: Record<string, string>) => runMagpie(['serve'], env);
  const missing = await start(envOf('data', 's3://magpie-of-nothing/files'));
  expect([missing.code, missing.stderr]).toEqual([
    1,
    expect.stringContaining('has no bucket magpie-of-nothing'),
  ]);
  const wrong = await start({ ...envOf('data'), AWS_SECRET_ACCESS_KEY: 'not-the-secret-of-it' });
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringContaining('AWS_SECRET_ACCESS_KEY is not the one of AWS_ACCESS_KEY_ID'),
  ]);
  expect(wrong.stderr).toContain(bucket.name);
  expect(wrong.stderr).not.toContain('not-the-secret');
  const unknown = await start({ ...envOf('data'), AWS_ACCESS_KEY_ID: 'AKIAUNKNOWN' });
  expect(unknown.stderr).toContain('does not know AWS_ACCESS_KEY_ID');
  const { AWS_SECRET_ACCESS_KEY: _, ...half } = envOf('data') as Record<string, string>;
  expect((await start(half)).stderr).toContain('AWS_SECRET_ACCESS_KEY is not set');
});

test('a server starts while the storage does not answer, and reports it', async () => {
  const server = await startMagpie({ ...envOf('data'), AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9' });
  expect(server.stderr()).toContain('the bucket of files does not answer yet');
  expect(await server.stop()).toBe(0);
});

test('doctor reports whether the bucket is usable, and that it keeps deleted objects', async () => {
  const run = async (env: Record<string, string>) => {
    const { stdout } = await runMagpie(['doctor', '--offline', '--json'], env);
    const { findings } = JSON.parse(stdout) as { findings: { what: string; state: string; says: string }[] };
    return findings.filter(({ what }) => what === 'files');
  };
  expect(await run(envOf('data'))).toEqual([
    expect.objectContaining({ state: 'good', says: expect.stringContaining(bucket.name) }),
  ]);
  expect(await bucket.keys()).toEqual([]);
  await bucket.client.ask({
    method: 'PUT',
    query: { versioning: '' },
    body: Buffer.from('<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'),
  });
  expect((await run(envOf('data'))).map(({ state }) => state)).toEqual(['good', 'note']);
  expect(await run(envOf('data', 's3://magpie-of-nothing/files'))).toEqual([
    expect.objectContaining({ state: 'problem', says: expect.stringContaining('has no bucket') }),
  ]);
  expect(await run(withoutBucket('data'))).toEqual([]);
});

test('kb check finds files without bytes, and deletes unreferenced objects only when they are old', async () => {
  const env = envOf('data');
  await upload(env);
  expect(await runMagpie(['kb', 'check'], env)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${bucket.name}: 1 file there.`),
  });
  const blobs = bucket.open();
  async function* bytes() {
    yield Buffer.from('of no file');
  }
  // Young: it may be an upload under way.
  await blobs.put('tester', 'of-no-file', bytes());
  expect((await runMagpie(['kb', 'check', '--mend'], env)).stdout).not.toContain('no file names');
  expect((await bucket.keys()).length).toBe(3);
  await bucket.client.ask({
    method: 'POST',
    key: `files/${folderOfOwner('tester')}/unended`,
    query: { uploads: '' },
  });
  const watch = { signal: new AbortController().signal, progress() {} };
  const inTwoDays = () => checkFiles(loadConfig({}, env), true, watch, Date.now() + 2 * 86_400_000);
  expect(await inTwoDays()).toMatchObject({ files: 1, missing: [], left: 2 });
  expect(await inTwoDays()).toMatchObject({ files: 1, missing: [], left: 0 });
  const [key = ''] = (await bucket.keys()).filter((one) => !/installation/.test(one));
  await bucket.client.ask({ method: 'DELETE', key });
  const lost = await runMagpie(['kb', 'check'], env);
  expect([lost.code, lost.stdout]).toEqual([
    3,
    expect.stringMatching(/lost: the bytes of 1 file \(documents \d+\)/),
  ]);
});

test('kb check --mend leaves objects of other installations and programs in the same bucket', async () => {
  await upload(envOf('data'));
  await bucket.client.ask({ method: 'PUT', key: 'backups/monday.dump', body: Buffer.from('of another') });
  await bucket.client.ask({ method: 'POST', key: 'backups/tuesday.dump', query: { uploads: '' } });
  const before = await bucket.keys();
  // The prefix of this one, the whole bucket, has the prefix of the other in it.
  const whole = envOf('whole', bucket.name.replace(/\/files$/, ''));
  await upload(whole, 'of the whole.txt');
  const watch = { signal: new AbortController().signal, progress() {} };
  const check = () => checkFiles(loadConfig({}, whole), true, watch, Date.now() + 2 * 86_400_000);
  expect(await check()).toMatchObject({ files: 1, missing: [], left: 0 });
  expect(await bucket.keys()).toEqual(expect.arrayContaining(before));
  expect((await bucket.client.ask({ method: 'GET', query: { uploads: '' } })).text).toContain('tuesday.dump');
  expect(await readBack(envOf('data'))).toBe(TEXT);
});

test('a backup includes the files of the bucket, and is restored into a bucket or a folder', async () => {
  const env = envOf('data');
  await upload(env);
  const target = join(folder.path, 'backup');
  expect(await runMagpie(['backup', target], env)).toMatchObject({ code: 0 });
  const second = await makeBucket();
  const into = envOf('restored', second.name);
  expect(await runMagpie(['restore', target], into)).toMatchObject({ code: 0 });
  expect(readdirSync(join(folder.path, 'restored'))).not.toContain('files');
  expect((await second.keys()).length).toBe(2);
  expect(await readBack(into)).toBe(TEXT);
  await second.remove();
  const plain = withoutBucket('plain');
  expect(await runMagpie(['restore', target], plain)).toMatchObject({ code: 0 });
  expect(await readBack(plain)).toBe(TEXT);
});

test('migrate --files-to moves files into the bucket and back, and compares them', async () => {
  const plain = withoutBucket('data');
  await upload(plain);
  const into = await runMagpie(['migrate', '--files-to', bucket.name, '--json'], {
    ...plain,
    ...S3_ENVIRONMENT,
  });
  // A slow machine sees how far it is.
  expect([into.stderr.replaceAll(/^(?:files|comparing).*\n/gm, ''), into.code]).toEqual(['', 0]);
  expect(JSON.parse(into.stdout)).toMatchObject({ files: 1, differences: [], to: bucket.name });
  const env = envOf('data');
  expect(await readBack(env)).toBe(TEXT);
  const [path = ''] = readdirSync(join(folder.path, 'data', 'files', folderOfOwner('tester')));
  const file = join(folder.path, 'data', 'files', folderOfOwner('tester'), path);
  writeFileSync(file, 'something else');
  const check = await runMagpie(['migrate', '--files-to', 'database', '--check'], env);
  expect([check.code, check.stdout]).toEqual([3, expect.stringContaining('are not the same')]);
  expect(await runMagpie(['migrate', '--files-to', 'database'], env)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('with no MAGPIE_BLOBS'),
  });
  expect(readFileSync(file, 'utf8')).toBe(TEXT);
  expect((await runMagpie(['migrate', '--files-to', bucket.name], env)).stderr).toContain('already');
  expect((await runMagpie(['migrate'], env)).stderr).toContain('either --to');
});

test('user delete removes older versions and uploads of the user, and none of another user', async () => {
  const env = envOf('data');
  await upload(env);
  await bucket.client.ask({
    method: 'PUT',
    query: { versioning: '' },
    body: Buffer.from('<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'),
  });
  const key = `files/${folderOfOwner('tester')}/gone`;
  const body = Buffer.from('an older version');
  await bucket.client.ask({ method: 'PUT', key, body });
  await bucket.client.ask({ method: 'DELETE', key });
  await bucket.client.ask({ method: 'POST', key, query: { uploads: '' } });
  await bucket.client.ask({ method: 'PUT', key: `files/${folderOfOwner('bob')}/kept`, body });
  expect(await runMagpie(['user', 'delete', 'tester', '--yes'], env)).toMatchObject({ code: 0 });
  const { text } = await bucket.client.ask({ method: 'GET', query: { versions: '' } });
  expect(text).not.toContain(folderOfOwner('tester'));
  expect(text).toContain(folderOfOwner('bob'));
  expect((await bucket.client.ask({ method: 'GET', query: { uploads: '' } })).text).not.toContain('<Upload>');
});

describe('with a row of two users in every table', () => {
  let of: Bucket;
  beforeAll(async () => {
    of = await makeBucket();
  });
  afterAll(() => of.remove());
  userDataContract(async () => {
    const place = temporaryFolder();
    return {
      env: { ...environment(place.path), ...S3_ENVIRONMENT, MAGPIE_BLOBS: of.name },
      open: async () => toAnyDatabase(await openDatabase({ folder: place.path })),
      blobs: of.open(),
      remove: async () => place.remove(),
    };
  });
});
