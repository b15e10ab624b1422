import { createHmac } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import type { S3Blobs } from '../../documents/blobs/s3.ts';

/** The bucket of MAGPIE_BLOBS, or another one with the same keys; its library is loaded where there is one. */
export async function openBucket(config: Config, name: string): Promise<S3Blobs> {
  const { s3PlaceOf } = await import('../../documents/blobs/s3/place.ts');
  const place = s3PlaceOf(name, config);
  const { createS3Blobs } = await import('../../documents/blobs/s3.ts');
  return createS3Blobs(place);
}

/**
 * The same, for the installation whose secret that is. Two installations under one prefix would each take the other's files for what
 * was left behind.
 */
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

/** Says nothing of the secret, which all nodes share and a move takes along. */
function installationOf(secret: Uint8Array): string {
  return createHmac('sha256', secret).update('the files of this installation').digest('hex');
}
