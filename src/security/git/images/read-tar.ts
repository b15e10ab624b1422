import { buffer } from 'node:stream/consumers';
import { Parser, type ReadEntry } from 'tar';

export interface TarEntry {
  readonly path: string;
  readonly type: 'file' | 'folder' | 'symbolic link' | 'hard link' | 'other';
  readonly size: number;
  readonly target: string;
  /** Content of the entry. Can be read only once, and only until the callback `visit` of `readTar` ends. */
  readonly stream: AsyncIterable<Uint8Array>;
  content(): Promise<Buffer>;
}

const TYPES: Readonly<Record<string, TarEntry['type']>> = {
  File: 'file',
  OldFile: 'file',
  ContiguousFile: 'file',
  Directory: 'folder',
  GNUDumpDir: 'folder',
  SymbolicLink: 'symbolic link',
  Link: 'hard link',
};
export const MAX_PATH_LENGTH = 4096;
/** Maximum total length in characters of all paths and link targets in an archive. Bounds the memory. */
export const MAX_PATHS_LENGTH = 2 ** 28;
const MAX_META_BYTES = 64_000;
/** Types of tar entries that contain no file, such as volume labels. They are not reported as skipped. */
const NO_FILES: ReadonlySet<string> = new Set(['TapeVolumeHeader', 'SolarisACL']);
const FATAL_WARNINGS: ReadonlySet<string> = new Set(['TAR_ENTRY_INVALID', 'TAR_BAD_ARCHIVE', 'TAR_ABORT']);

/** Reads a tar archive (plain, gzip or zstd) until `visit` returns false. Throws for a damaged archive. */
export async function readTar(
  source: AsyncIterable<Uint8Array>,
  visit: (entry: TarEntry) => Promise<boolean>,
  leave: (path: string) => void = () => {},
): Promise<void> {
  let failure: Error | undefined;
  let isOver = false;
  let entries = 0;
  let work: Promise<void> = Promise.resolve();
  const stopped = Promise.withResolvers<void>();
  const fail = (thrown: unknown) => {
    failure ??= thrown instanceof Error ? thrown : new Error(String(thrown));
    stopped.resolve();
  };
  const visitEntry = async (entry: ReadEntry) => {
    try {
      isOver ||= !(await visit(entryOf(entry)));
    } catch (thrown) {
      fail(thrown);
    }
    if (isOver) stopped.resolve();
    entry.resume();
  };
  const parser = new Parser({
    brotli: false,
    maxMetaEntrySize: MAX_META_BYTES,
    onReadEntry(entry) {
      entries++;
      // The promise chain stays short, because the parser emits an entry only after the previous one.
      work = work.then(() => visitEntry(entry));
    },
    onwarn(code, message) {
      if (FATAL_WARNINGS.has(code)) fail(message);
    },
  });
  parser.on('error', fail);
  parser.on('ignoredEntry', ({ path, type, meta }: ReadEntry) => {
    if (!NO_FILES.has(type)) leave(meta ? '' : path);
  });
  const ended = new Promise<void>((resolve) => parser.once('end', resolve));
  for await (const chunk of source) {
    const isFlowing = parser.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (!isFlowing)
      await Promise.race([new Promise<void>((resolve) => parser.once('drain', resolve)), stopped.promise]);
    if (failure || isOver) break;
  }
  if (!failure && !isOver) {
    parser.end();
    // A damaged archive may cause only a warning, without `end` or `error`. The warning resolves `stopped`.
    await Promise.race([ended.then(() => work), stopped.promise]);
  }
  if (failure) throw failure;
  if (entries === 0) throw new Error('it holds no entries');
}

const entryOf = (entry: ReadEntry): TarEntry => ({
  path: entry.path,
  type: TYPES[entry.type] ?? 'other',
  size: entry.size,
  target: entry.linkpath ?? '',
  stream: entry as AsyncIterable<Uint8Array>,
  content: () => buffer(entry as AsyncIterable<Uint8Array>),
});
