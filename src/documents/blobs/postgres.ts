import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { notFoundError } from '../../errors.ts';
import type { AnyDatabase } from '../../storage/any-database.ts';
import { type BlobStore, pathOfBlob } from '../blob-store.ts';

/** Bytes of a file in one database row. Larger rows need more memory, smaller ones more queries. */
const PIECE_BYTES = 1_048_576;

export function createPostgresBlobs(db: AnyDatabase): BlobStore {
  return {
    async put(owner, key, bytes, signal) {
      const name = pathOfBlob(owner, key);
      const draft = `${name}.${randomUUID()}`;
      try {
        const count = await writePieces(db, draft, bytes);
        signal?.throwIfAborted();
        await publish(db, draft, name, count);
        return count;
      } catch (error) {
        await db.remove((sql) => sql.run`DELETE FROM blob_pieces WHERE name = ${draft}`).catch(() => {});
        throw error;
      }
    },
    async get(owner, key) {
      const name = pathOfBlob(owner, key);
      const kept = await db.read(
        (sql) => sql.get<BlobRow>`SELECT bytes, made_at FROM blobs WHERE name = ${name}`,
      );
      return (
        kept && (Readable.toWeb(Readable.from(readPieces(db, name, kept))) as ReadableStream<Uint8Array>)
      );
    },
    async locate(owner, key) {
      pathOfBlob(owner, key);
      return undefined;
    },
    async delete(owner, key) {
      const name = pathOfBlob(owner, key);
      return db.remove(function* (sql) {
        yield* sql.send`DELETE FROM blob_pieces WHERE name = ${name} OR starts_with(name, ${`${name}.`})`;
        return (yield* sql.run`DELETE FROM blobs WHERE name = ${name}`) > 0;
      });
    },
  };
}

async function writePieces(db: AnyDatabase, name: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let [count, piece, waiting, size] = [0, 0, [] as Uint8Array[], 0];
  const write = async () => {
    const at = piece++;
    const joined = Buffer.concat(waiting);
    [waiting, size] = [[], 0];
    for (let from = 0; from < joined.length; from += PIECE_BYTES) {
      const part = joined.subarray(from, from + PIECE_BYTES);
      const row = from === 0 ? at : piece++;
      await db.write(
        (sql) => sql.run`INSERT INTO blob_pieces (name, piece, bytes) VALUES (${name}, ${row}, ${part})`,
      );
    }
  };
  for await (const chunk of bytes) {
    waiting.push(chunk);
    size += chunk.length;
    count += chunk.length;
    if (size >= PIECE_BYTES) await write();
  }
  if (size > 0) await write();
  return count;
}

function publish(db: AnyDatabase, draft: string, name: string, bytes: number): Promise<unknown> {
  return db.write(function* (sql) {
    yield* sql.send`INSERT INTO blobs (name, bytes, made_at) VALUES (${name}, ${bytes}, ${Date.now()})
      ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes, made_at = excluded.made_at`;
    yield* sql.send`DELETE FROM blob_pieces WHERE name = ${name}`;
    yield* sql.send`UPDATE blob_pieces SET name = ${name} WHERE name = ${draft}`;
  });
}

interface BlobRow {
  readonly bytes: number;
  readonly made_at: number;
}

/** Yields the bytes of a file. Throws AppError `not_found` if the file is deleted or replaced meanwhile. */
async function* readPieces(db: AnyDatabase, name: string, { bytes, made_at }: BlobRow) {
  for (let [piece, left] = [0, bytes]; left > 0; piece++) {
    const row = await db.read((sql) =>
      sql.get<{ bytes: Uint8Array | null }>(
        `SELECT p.bytes FROM blobs b LEFT JOIN blob_pieces p ON p.name = b.name AND p.piece = ?
         WHERE b.name = ? AND b.bytes = ? AND b.made_at = ?`,
        ...[piece, name, bytes, made_at],
      ),
    );
    if (!row) throw notFoundError('the file was deleted or replaced while it was read');
    // Stops if a row is missing. The caller then sees that the file is too short.
    if (row.bytes === null) return;
    left -= row.bytes.length;
    yield row.bytes;
  }
}
