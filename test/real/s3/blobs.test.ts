import { describeBlobStore } from '../../contracts/blob-store.ts';
import { makeBucket } from '../../helpers/s3.ts';

describeBlobStore('S3', async () => {
  const bucket = await makeBucket();
  return { open: () => bucket.open(), remove: bucket.remove };
});
