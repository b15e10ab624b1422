import { describe, expect, test } from 'vitest';
import { AppError } from '../../src/errors.ts';
import type { ImportFile, ImportItem, ImportKind } from '../../src/knowledge/importing/import-kind.ts';
import { IMPORT_KINDS } from '../../src/knowledge/imports/kinds.ts';

/** What every kind of import keeps to, on exports as its program writes them. */

type Files = Readonly<Record<string, string | Uint8Array>>;

export const IMPORT_OPTIONS = {
  read: async () => {
    throw new AppError('unsupported', 'is read by the room browse');
  },
  signal: new AbortController().signal,
};

/** Files in memory, in small pieces, so that no piece holds a whole record. */
export function filesOf(files: Files, pieceBytes = 37): ImportFile[] {
  return Object.entries(files).map(([name, content]) => {
    const bytes = Buffer.from(content);
    return {
      name,
      head: async () => bytes.subarray(0, 65_536),
      async *chunks() {
        for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
      },
    };
  });
}

export async function itemsOf(kind: ImportKind, files: Files, pieceBytes?: number): Promise<ImportItem[]> {
  const items: ImportItem[] = [];
  for await (const item of kind.read(filesOf(files, pieceBytes), IMPORT_OPTIONS)) items.push(item);
  return items;
}

/** The first kind that knows the files. */
export async function recognised(files: Files): Promise<string | undefined> {
  for (const kind of IMPORT_KINDS) if (await kind.recognises(filesOf(files))) return kind.name;
  return undefined;
}

export function describeImportKind(kind: ImportKind, exports: readonly Files[]): void {
  describe(`the import ${kind.name}`, () => {
    test('is recognised by the content of the files', async () => {
      for (const files of exports) expect(await recognised(files)).toBe(kind.name);
    });

    test('returns entries with text and possible times, each with the same unique key every time', async () => {
      for (const files of exports) {
        const items = await itemsOf(kind, files);
        const entries = items.flatMap((item) => ('entry' in item ? [item.entry] : []));
        expect(entries.length).toBeGreaterThan(0);
        for (const item of items) {
          expect(item.at).not.toBe('');
          if ('entry' in item) expect(item.entry.text.trim()).not.toBe('');
        }
        for (const { createdAt, updatedAt } of entries) {
          for (const time of [createdAt, updatedAt]) {
            if (time !== undefined)
              expect(Number.isSafeInteger(time) && time > 1e15 && time < 2e15).toBe(true);
          }
        }
        const keys = entries.flatMap(({ key }) => key ?? []);
        expect(new Set(keys).size).toBe(keys.length);
        expect(await itemsOf(kind, files, 100_000)).toEqual(items);
      }
    });

    test('returns the readable part of a broken file, or a message for the user', async () => {
      for (const files of exports) {
        for (const [name, content] of Object.entries(files)) {
          for (const bytes of broken(Buffer.from(content)))
            await readsOrSays(kind, { ...files, [name]: bytes });
        }
      }
    });
  });
}

/** Nests four times as deep as a function may call itself. */
const DEEP = Buffer.from(`[${'{"mapping":['.repeat(20_000)}`);

/** Cut off, empty, other encodings, and bytes that mean nothing. */
function broken(bytes: Buffer): Uint8Array[] {
  const cuts = Array.from({ length: 25 }, (_, n) => bytes.subarray(0, Math.floor((bytes.length * n) / 25)));
  const flipped = Buffer.from(bytes);
  for (let at = 0; at < flipped.length; at += 41) flipped[at] = 0xff;
  return [...cuts, flipped, Buffer.from(bytes.toString('utf8'), 'utf16le'), Buffer.alloc(3000, 0), DEEP];
}

async function readsOrSays(kind: ImportKind, files: Files): Promise<void> {
  try {
    for await (const item of kind.read(filesOf(files, 5000), IMPORT_OPTIONS)) expect(item.at).not.toBe('');
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(['bad_request', 'too_large']).toContain((error as AppError).code);
  }
}
