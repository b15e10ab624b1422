import { AppError } from '../../../errors.ts';

/** A bucket of S3's protocol, and how it is reached. */
export interface S3Place {
  /** As the setting has it, for messages: `s3://bucket/prefix`. */
  readonly name: string;
  readonly bucket: string;
  /** Ends with a slash where it is not empty. */
  readonly prefix: string;
  /** Address of the bucket, with a slash at its end. */
  readonly url: URL;
  readonly region: string;
  readonly credentials: S3Credentials;
}

interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** What of the settings names a bucket. */
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

/** The bucket that `name` (`s3://bucket/prefix`) stands for. AppError `bad_request` where what reaches it is missing or wrong. */
export function s3PlaceOf(name: string, settings: S3Settings): S3Place {
  const { blobsRegion: region = REGION, blobsEndpoint, blobsKeyId, blobsKey, blobsSession } = settings;
  const [bucket = '', ...folders] = name.replace(/^s3:\/\//, '').split('/');
  if (blobsKeyId === undefined || blobsKey === undefined) {
    const missing = blobsKeyId === undefined ? 'AWS_ACCESS_KEY_ID' : 'AWS_SECRET_ACCESS_KEY';
    throw new AppError('bad_request', `files are to be kept in ${name}, and ${missing} is not set`);
  }
  const endpoint = blobsEndpoint ?? `https://s3.${region}.amazonaws.com`;
  if (!/^https?:\/\/[^/?#@]+(?:\/[^?#]*)?$/.test(endpoint) || !URL.canParse(endpoint)) {
    throw new AppError(
      'bad_request',
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

/** In a host's name a bucket with dots fits no certificate, and services other than Amazon's seldom have such names. */
function bucketUrl(url: URL, bucket: string, { blobsEndpoint, blobsPathStyle }: S3Settings): URL {
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  if (blobsPathStyle ?? (blobsEndpoint !== undefined || bucket.includes('.'))) url.pathname += `${bucket}/`;
  else url.host = `${bucket}.${url.host}`;
  return url;
}
