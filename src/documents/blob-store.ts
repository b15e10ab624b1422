import { createHash } from 'node:crypto';

/** Names an owner's files: a hash, so that no owner's name leads elsewhere. */
export const folderOfOwner = (owner: string): string =>
  createHash('sha256').update(owner, 'utf8').digest('hex').slice(0, 40);

/** Bytes of files, behind their record in the database: a folder, or a store of another machine. */
export interface BlobStore {
  /**
   * Keeps all that `bytes` gives under `key` (letters, digits and dashes), durably and whole or not at all;
   * resolves with their number. Rejects with what `bytes` throws, with the reason of `signal`, and with AppError `unavailable`
   * where they cannot be written. TypeError for any other key.
   */
  put(owner: string, key: string, bytes: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<number>;
  /** The bytes, in order; undefined when nothing is kept under `key`. */
  get(owner: string, key: string, signal?: AbortSignal): Promise<ReadableStream<Uint8Array> | undefined>;
  /** The path of a file of this machine that has the bytes; undefined where there is none. */
  locate(owner: string, key: string): Promise<string | undefined>;
  /** Whether there was something to delete. What a killed process had written under `key` goes too. */
  delete(owner: string, key: string): Promise<boolean>;
}
