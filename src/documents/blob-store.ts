import { createHash } from 'node:crypto';

/** Returns the folder name of an owner's files. It is a hash, so that no owner's name can lead outside the folder. */
export const folderOfOwner = (owner: string): string =>
  createHash('sha256').update(owner, 'utf8').digest('hex').slice(0, 40);

const KEY = /^[\w-]{1,100}$/;

/** Returns the path of a file's bytes: the owner's folder and the key. TypeError for a key that could lead elsewhere. */
export function pathOfBlob(owner: string, key: string): string {
  if (!KEY.test(key)) throw new TypeError(`${JSON.stringify(key.slice(0, 100))} is not a valid key`);
  return `${folderOfOwner(owner)}/${key}`;
}

/** Stores the bytes of files whose records are in the database: in a folder, in the database or in an object store. */
export interface BlobStore {
  /** Stores all bytes or none and returns their number. Throws AppError `unavailable`, or TypeError for an invalid key. */
  put(owner: string, key: string, bytes: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<number>;
  get(owner: string, key: string, signal?: AbortSignal): Promise<ReadableStream<Uint8Array> | undefined>;
  /** Returns the path of a local file with the bytes. Undefined if the bytes are not in a local file. */
  locate(owner: string, key: string): Promise<string | undefined>;
  /** Deletes the bytes, including partial bytes that a killed process left under `key`. Returns false if there were no bytes. */
  delete(owner: string, key: string): Promise<boolean>;
}
