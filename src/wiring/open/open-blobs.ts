import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { createFolderBlobs } from '../../documents/blobs/folder.ts';
import { createPostgresBlobs } from '../../documents/blobs/postgres.ts';
import type { AnyDatabase } from '../../storage/any-database.ts';
import { loadSharedSecret } from '../../storage/postgres/secret.ts';
import { loadSigningSecret } from '../../storage/secret.ts';
import { openOwnBucket } from './open-bucket.ts';

export async function openBlobs(config: Config, db: AnyDatabase, name: string | undefined) {
  const inPostgres = db.dialect === 'postgres';
  if (name === undefined) {
    const blobs = inPostgres ? createPostgresBlobs(db) : createFolderBlobs(join(config.data, 'files'));
    return { blobs, close: async () => {} };
  }
  const secret = () => (inPostgres ? loadSharedSecret(db) : loadSigningSecret(config.data));
  const bucket = await openOwnBucket(config, name, secret);
  return { blobs: bucket, bucket, close: () => bucket.close() };
}
