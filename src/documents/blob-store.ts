import { createHash } from 'node:crypto';

/** Returns the folder of an owner's files. Its name is a hash: an owner's name may contain slashes. */
export const folderOfOwner = (owner: string): string =>
  createHash('sha256').update(owner, 'utf8').digest('hex').slice(0, 40);

const KEY = /^[\w-]{1,100}$/;

/** Returns a file's relative path: the owner's folder and the key. Throws TypeError for an invalid key. */
export function pathOfBlob(owner: string, key: string): string {
  if (!KEY.test(key)) throw new TypeError(`${JSON.stringify(key.slice(0, 100))} is not a valid key`);
  return `${folderOfOwner(owner)}/${key}`;
}

export interface BlobStore {
  /** Stores all bytes and returns their number, or stores none and throws an AppError or TypeError. */
  put(owner: string, key: string, bytes: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<number>;
  get(owner: string, key: string, signal?: AbortSignal): Promise<ReadableStream<Uint8Array> | undefined>;
  locate(owner: string, key: string): Promise<string | undefined>;
  /** Deletes the bytes, including those of an interrupted `put`. Returns false if there were none. */
  delete(owner: string, key: string): Promise<boolean>;
}
