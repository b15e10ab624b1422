import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesAtNodesContract } from '../../contracts/files-at-nodes.ts';
import { userDataContract } from '../../contracts/user-data.ts';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { environment, runMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { dropPostgres, makePostgres } from '../../helpers/postgres.ts';
import { type Bucket, makeBucket, S3_ENVIRONMENT } from '../../helpers/s3.ts';
import { startTwoNodes, type TwoNodes } from '../../helpers/two-nodes.ts';

/** Files in a bucket beside PostgreSQL. */

const folder = temporaryFolder();
const buckets: Bucket[] = [];
afterAll(async () => {
  for (const bucket of buckets) await bucket.remove();
  folder.remove();
  await dropPostgres();
});
async function openedBucket(): Promise<Bucket> {
  const bucket = await makeBucket();
  buckets.push(bucket);
  return bucket;
}

test('files stay in the bucket when all other data moves to PostgreSQL, and are moved into the database separately', async () => {
  const [place, bucket] = [await makePostgres(), await openedBucket()];
  const data = join(folder.path, 'data');
  mkdirSync(data);
  const settings = { ...environment(data), ...(await withoutModel()) };
  const env = { ...settings, ...S3_ENVIRONMENT, MAGPIE_BLOBS: bucket.name };
  const path = join(folder.path, 'nests.txt');
  writeFileSync(path, 'Magpies build nests of mud and twigs. '.repeat(40));
  expect(await runMagpie(['upload', path], env)).toMatchObject({ code: 0 });
  const keys = await bucket.keys();
  const moved = await runMagpie(['migrate', '--to', place.url, '--json'], env);
  expect([moved.stderr, moved.code]).toEqual([expect.any(String), 0]);
  expect(JSON.parse(moved.stdout)).toMatchObject({ files: 1, differences: [] });
  expect(await bucket.keys()).toEqual(keys);
  const inServer = { ...env, DATABASE_URL: place.url };
  const check = await runMagpie(['kb', 'check'], inServer);
  expect([check.code, check.stdout]).toEqual([0, expect.stringContaining(`${bucket.name}: 1 file there.`)]);
  const out = await runMagpie(['migrate', '--files-to', 'database', '--json'], inServer);
  expect([out.stderr, out.code]).toEqual([expect.any(String), 0]);
  expect(JSON.parse(out.stdout)).toMatchObject({ files: 1, differences: [], from: bucket.name });
  const db = await place.open();
  const kept = await db.read((sql) => sql.get<{ bytes: number }>('SELECT bytes FROM blobs'));
  expect(Number(kept?.bytes)).toBe(38 * 40);
  await place.remove();
});

describe('with a row of two users in every table', () => {
  userDataContract(async () => {
    const [place, bucket, data] = [await makePostgres(), await openedBucket(), temporaryFolder()];
    return {
      env: {
        ...environment(data.path),
        ...S3_ENVIRONMENT,
        MAGPIE_BLOBS: bucket.name,
        DATABASE_URL: place.url,
      },
      open: place.open,
      blobs: bucket.open(),
      async remove() {
        await place.remove();
        data.remove();
      },
    };
  });
});

describe('at two nodes', () => {
  let bucket: Bucket;
  let nodes: TwoNodes;
  beforeAll(async () => {
    bucket = await openedBucket();
    nodes = await startTwoNodes({ ...S3_ENVIRONMENT, MAGPIE_BLOBS: bucket.name });
  });
  afterAll(() => nodes.remove());
  filesAtNodesContract((node) => nodes.urlOf(node));

  test('the bytes of files are in the bucket', async () => {
    const files = (await bucket.keys()).filter((key) => !/installation/.test(key));
    // Of two files one was deleted.
    expect(files).toHaveLength(1);
  });
});
