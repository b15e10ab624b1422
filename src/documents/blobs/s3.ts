import { unavailableError } from '../../errors.ts';
import { type BlobStore, folderOfOwner, pathOfBlob } from '../blob-store.ts';
import type { S3Bucket } from './s3/bucket.ts';
import { createS3Client, type S3Client } from './s3/client.ts';
import { streamObject } from './s3/download.ts';
import {
  listObjects,
  listUnfinishedUploads,
  listVersions,
  type S3Item,
  UNSUPPORTED_CODES,
} from './s3/list.ts';
import { abortUpload, uploadObject } from './s3/upload.ts';
import { parseXmlAnswer } from './s3/xml-answer.ts';

const OWN = /^[0-9a-f]{40}\/[\w-]{1,100}$/;
const MARK = 'installation';
const PROBE = 'probe';
export type S3Blobs = ReturnType<typeof createS3Blobs>;

/** @param pauseMs half of the wait before the second attempt of a request, in milliseconds; default 250 */
export function createS3Blobs(place: S3Bucket, pauseMs?: number) {
  const client = createS3Client(place, pauseMs);
  const { prefix } = place;
  const keyOf = (owner: string, key: string) => `${prefix}${pathOfBlob(owner, key)}`;
  const has = async (key: string) =>
    (await client.ask({ method: 'HEAD', key, takes: ['NotFound'] })).code === '';

  return {
    place,
    put: async (owner, key, bytes, signal?) => uploadObject(client, place, keyOf(owner, key), bytes, signal),

    async get(owner, key, signal?) {
      const name = keyOf(owner, key);
      const object = await client.open({ key: name, signal, takes: ['NoSuchKey'] });
      return typeof object === 'string' ? undefined : streamObject(client, name, object, signal);
    },

    async locate(owner, key) {
      keyOf(owner, key);
      return undefined;
    },

    async delete(owner, key) {
      const name = keyOf(owner, key);
      for await (const item of listUnfinishedUploads(client, name)) {
        if (item.key === name) await abortUpload(client, name, item.upload ?? '');
      }
      const was = await has(name);
      if (was) await client.ask({ method: 'DELETE', key: name });
      return was;
    },

    /** Reserves the prefix for an installation. Throws AppError `unavailable` if another installation has reserved it. */
    claim: (installation: string) => claim(client, place, installation),

    /** Writes, reads and deletes a test object. `keepsVersions`: the bucket keeps deleted objects. */
    async examine() {
      const key = `${prefix}${PROBE}`;
      const body = Buffer.from('magpie doctor');
      await client.ask({ method: 'PUT', key, body });
      const { text } = await client.ask({ method: 'GET', key });
      await client.ask({ method: 'DELETE', key });
      if (text !== body.toString())
        throw unavailableError(`${place.name} returns other bytes than were written to it`);
      await listObjects(client, key).next();
      const versioning = await client.ask({
        method: 'GET',
        query: { versioning: '' },
        takes: [...UNSUPPORTED_CODES, 'AccessDenied'],
      });
      return { keepsVersions: parseXmlAnswer(versioning.text).of('Status') === 'Enabled' };
    },

    listObjects: () => ownOf(listObjects(client, prefix), prefix),
    listUploads: () => ownOf(listUnfinishedUploads(client, prefix), prefix),
    deleteItem: (item: S3Item) => deleteItem(client, { ...item, key: `${prefix}${item.key}` }),

    async wipe(owner: string) {
      const folder = `${prefix}${folderOfOwner(owner)}/`;
      for await (const item of listUnfinishedUploads(client, folder)) await deleteItem(client, item);
      for await (const item of listVersions(client, folder)) await deleteItem(client, item);
    },

    close: () => client.close(),
  } satisfies BlobStore & Record<string, unknown>;
}

async function* ownOf(items: AsyncIterable<S3Item>, prefix: string): AsyncGenerator<S3Item> {
  for await (const item of items) {
    const key = item.key.slice(prefix.length);
    if (OWN.test(key)) yield { ...item, key };
  }
}

async function claim(client: S3Client, { name, prefix }: S3Bucket, installation: string): Promise<void> {
  const key = `${prefix}${MARK}`;
  const { code, text } = await client.ask({ method: 'GET', key, takes: ['NoSuchKey'] });
  if (code === '' && text === installation) return;
  if (code === '') {
    throw unavailableError(
      `${name} holds the files of another installation of Magpie: name another bucket or prefix in MAGPIE_BLOBS`,
    );
  }
  await client.ask({ method: 'PUT', key, body: Buffer.from(installation) });
}

async function deleteItem(client: S3Client, { key, version, upload }: S3Item): Promise<void> {
  if (upload !== undefined) return abortUpload(client, key, upload);
  const query: Record<string, string> = version === undefined ? {} : { versionId: version };
  await client.ask({ method: 'DELETE', key, query, takes: ['NoSuchKey', 'NoSuchVersion'] });
}
