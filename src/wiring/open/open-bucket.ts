import { createHmac } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import type { S3Blobs } from '../../documents/blobs/s3.ts';

/** Opens a bucket. Only this function loads the S3 library. */
export async function openBucket(config: Config, name: string): Promise<S3Blobs> {
  const { resolveS3Bucket } = await import('../../documents/blobs/s3/bucket.ts');
  const place = resolveS3Bucket(name, config);
  const { createS3Blobs } = await import('../../documents/blobs/s3.ts');
  return createS3Blobs(place);
}

/** Claims a bucket for this installation: two installations would delete each other's files as unused. */
export async function openOwnBucket(
  config: Config,
  name: string,
  secret: () => Promise<Uint8Array>,
): Promise<S3Blobs> {
  const bucket = await openBucket(config, name);
  try {
    await bucket.claim(installationOf(await secret()));
    return bucket;
  } catch (error) {
    await bucket.close();
    throw error;
  }
}

/** Derives an id of the installation from the nodes' common secret, without revealing the secret. */
function installationOf(secret: Uint8Array): string {
  return createHmac('sha256', secret).update('the files of this installation').digest('hex');
}
