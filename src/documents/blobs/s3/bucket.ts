import { badRequestError } from '../../../errors.ts';

export interface S3Bucket {
  /** Bucket as the setting names it, for example `s3://bucket/prefix`. Error messages show this name. */
  readonly name: string;
  readonly bucket: string;
  /** Key prefix. It ends with a slash unless it is empty. */
  readonly prefix: string;
  readonly url: URL;
  readonly region: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
}

export interface S3Settings {
  readonly blobs?: string | undefined;
  readonly blobsEndpoint?: string | undefined;
  readonly blobsRegion?: string | undefined;
  readonly blobsPathStyle?: boolean | undefined;
  readonly blobsKeyId?: string | undefined;
  readonly blobsKey?: string | undefined;
  readonly blobsSession?: string | undefined;
}

const REGION = 'us-east-1';

/** Resolves `s3://bucket/prefix`. Throws AppError `bad_request` if a setting is missing or invalid. */
export function resolveS3Bucket(name: string, settings: S3Settings): S3Bucket {
  const { blobsRegion: region = REGION, blobsEndpoint, blobsKeyId, blobsKey, blobsSession } = settings;
  const [bucket = '', ...folders] = name.replace(/^s3:\/\//, '').split('/');
  if (blobsKeyId === undefined || blobsKey === undefined) {
    const missing = blobsKeyId === undefined ? 'AWS_ACCESS_KEY_ID' : 'AWS_SECRET_ACCESS_KEY';
    throw badRequestError(`files are to be kept in ${name}, and ${missing} is not set`);
  }
  const endpoint = blobsEndpoint ?? `https://s3.${region}.amazonaws.com`;
  if (!/^https?:\/\/[^/?#@]+(?:\/[^?#]*)?$/.test(endpoint) || !URL.canParse(endpoint)) {
    throw badRequestError(
      'AWS_ENDPOINT_URL_S3 is not usable: it takes an http or https URL without user, query and fragment',
    );
  }
  return {
    name,
    bucket,
    prefix: folders.map((folder) => folder && `${folder}/`).join(''),
    url: bucketUrl(new URL(endpoint), bucket, settings),
    region,
    credentials: {
      accessKeyId: blobsKeyId,
      secretAccessKey: blobsKey,
      ...(blobsSession !== undefined && { sessionToken: blobsSession }),
    },
  };
}

function bucketUrl(url: URL, bucket: string, { blobsEndpoint, blobsPathStyle }: S3Settings): URL {
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  if (blobsPathStyle ?? (blobsEndpoint !== undefined || bucket.includes('.'))) url.pathname += `${bucket}/`;
  else url.host = `${bucket}.${url.host}`;
  return url;
}
