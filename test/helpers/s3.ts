import { randomUUID } from 'node:crypto';
import { resolveS3Bucket, type S3Bucket, type S3Settings } from '../../src/documents/blobs/s3/bucket.ts';
import { createS3Client, type S3Client } from '../../src/documents/blobs/s3/client.ts';
import { listObjects } from '../../src/documents/blobs/s3/list.ts';
import { createS3Blobs, type S3Blobs } from '../../src/documents/blobs/s3.ts';

/** The server that `.ci/s3` started, with the keys of a user who may do all; tests in test/real/s3 run where there is one. */
const SERVER = new URL(process.env.MAGPIE_TEST_S3 ?? 'http://key:secret@127.0.0.1:9');

/** Settings that reach it; `blobs` is left to each test. */
export const S3_SETTINGS: S3Settings = {
  blobsEndpoint: SERVER.origin,
  blobsKeyId: SERVER.username,
  blobsKey: decodeURIComponent(SERVER.password),
};
/** The same as variables. */
export const S3_ENVIRONMENT: Readonly<Record<string, string>> = {
  AWS_ENDPOINT_URL_S3: SERVER.origin,
  AWS_ACCESS_KEY_ID: SERVER.username,
  AWS_SECRET_ACCESS_KEY: decodeURIComponent(SERVER.password),
};

/** An empty bucket of its own on the test's server. */
export interface Bucket {
  /** `s3://bucket/files` */
  readonly name: string;
  readonly place: S3Bucket;
  /** Requests of the test itself. */
  readonly client: S3Client;
  open(place?: S3Bucket): S3Blobs;
  /** Keys of all objects in it. */
  keys(): Promise<string[]>;
  remove(): Promise<void>;
}

export async function makeBucket(): Promise<Bucket> {
  const name = `s3://magpie-${randomUUID()}/files`;
  const place = resolveS3Bucket(name, S3_SETTINGS);
  const client = createS3Client(place);
  await client.ask({ method: 'PUT' });
  const opened: S3Blobs[] = [];
  return {
    name,
    place,
    client,
    open(at = place) {
      const blobs = createS3Blobs(at);
      opened.push(blobs);
      return blobs;
    },
    async keys() {
      const keys: string[] = [];
      for await (const { key } of listObjects(client, '')) keys.push(key);
      return keys;
    },
    async remove() {
      for (const blobs of opened) await blobs.close();
      await client.close();
    },
  };
}
