import { createHmac } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import type { S3Blobs } from '../../documents/blobs/s3.ts';

/** Opens an S3 bucket. Only this function loads the S3 library. */
export async function openBucket(config: Config, name: string): Promise<S3Blobs> {
  const { resolveS3Bucket } = await import('../../documents/blobs/s3/bucket.ts');
  const place = resolveS3Bucket(name, config);
  const { createS3Blobs } = await import('../../documents/blobs/s3.ts');
  return createS3Blobs(place);
}

/** Opens a bucket and claims it for this installation, because two installations would delete each other's files as unused. */
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

/** Derives the id of the installation from the secret that all nodes share. The id does not reveal the secret. */
function installationOf(secret: Uint8Array): string {
  return createHmac('sha256', secret).update('the files of this installation').digest('hex');
}
