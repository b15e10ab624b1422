import { z } from 'zod';
import { secretSetting } from './setting.ts';

/** Matches `s3://bucket/prefix`, without characters that some services refuse or that need escaping. */
const BUCKET = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/(?!\.+(?:\/|$))[\w.-]{1,100}){0,8}\/?$/;
export const isBucketUrl = (text: string): boolean => BUCKET.test(text);
export const BUCKET_URL_SHAPE = 's3://bucket or s3://bucket/prefix, of letters, digits and -._';

/** Settings of an S3 service. Variables without `MAGPIE_` have the names that Amazon's own tools use. */
export const BLOB_SETTINGS = {
  blobs: {
    env: 'MAGPIE_BLOBS',
    schema: z.string().refine(isBucketUrl).optional(),
    takes: BUCKET_URL_SHAPE,
    about:
      'Bucket of S3-compatible storage in which the bytes of uploaded files are kept (`s3://bucket/prefix`). Default: the data folder, or with `DATABASE_URL` PostgreSQL.',
  },
  blobsPathStyle: {
    env: 'MAGPIE_BLOBS_PATH_STYLE',
    schema: z.boolean().optional(),
    takes: 'true or false',
    about:
      "Whether the bucket stands in the path of addresses, and not in the host's name. Default: with `AWS_ENDPOINT_URL_S3`, or a dot in the bucket's name.",
  },
  blobsEndpoint: {
    env: 'AWS_ENDPOINT_URL_S3',
    schema: z.string().trim().min(1).max(2000).optional(),
    takes: 'an http or https URL without user, query and fragment',
    about: "Address of that storage; may be on a private network. Default: Amazon's, of the region.",
  },
  blobsRegion: {
    env: 'AWS_REGION',
    schema: z.string().trim().min(1).max(100).optional(),
    takes: 'a name such as eu-central-1',
    about: 'Region of the bucket. Default: us-east-1.',
  },
  blobsKeyId: {
    ...secretSetting('AWS_ACCESS_KEY_ID'),
    about: 'Id of the key that reads and writes the bucket of `MAGPIE_BLOBS`.',
  },
  blobsKey: { ...secretSetting('AWS_SECRET_ACCESS_KEY'), about: 'Secret of that key.' },
  blobsSession: {
    ...secretSetting('AWS_SESSION_TOKEN'),
    schema: z.string().trim().min(1).max(10_000).optional(),
    about: 'Token that belongs to a key for a limited time.',
  },
};
