import { createReadStream, createWriteStream, type Dirent, type Stats } from 'node:fs';
import { lstat, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, win32 } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createGunzip } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { AppError, badRequestError, tooLargeError } from '../../errors.ts';
import type { ImportSource } from '../types.ts';
import type { ImportFile } from './import-kind.ts';
import { HIDDEN, isHiddenOrGenerated } from './made-by-machines.ts';
import { readExportedDigests } from './notes/exported-files.ts';
import { createLeftOutTally } from './problem-list.ts';
import { createZipNameDecoder } from './zip-names.ts';

const MAX_DEPTH = 64;
const TAR_END_BYTES = 1024;
const LEADS_OUT = 'leads out of the archive';

/** Opens a folder, ZIP archive or file. Skips links and hidden files. Throws `bad_request` or `too_large`. */
export async function openImport(source: ImportSource, maxFiles = MAX_IMPORT_FILES) {
  const unpacking = createUnpackSession(maxFiles);
  const name = 'path' in source ? source.path : 'standard input';
  try {
    const found =
      'path' in source ? await filesAt(source.path, unpacking) : await filesIn(source.stream, unpacking);
    // macOS may decompose accents in names (NFD). In NFC, a file has the same key on all systems.
    const files = found.map((file) => ({ ...file, name: file.name.normalize('NFC') }));
    const { leftOut, broken, close } = unpacking;
    return { files, name, leftOut, broken, close };
  } catch (error) {
    await unpacking.close();
    throw pathError(error, name);
  }
}

async function filesAt(path: string, unpacking: UnpackSession): Promise<ImportFile[]> {
  const about = await stat(path);
  if (about.isDirectory()) return filesOfFolder(path, unpacking);
  // Reads a pipe (such as `<(...)` in a shell) as one file, because it can be read only once, from its start.
  if (!about.isFile()) return filesIn(createReadStream(path), unpacking);
  const exported = await readExportedDigests(dirname(path));
  const file = { ...fileAt(path, basename(path), about), exported };
  const head = await file.head();
  if (isZip(head)) return listZipFiles(path, path, unpacking);
  const inner = isGzip(head) ? unpacked(file, unpacking) : file;
  // A broken file is not rejected here: its readable part is imported, and the failure is then reported.
  return isTar(await inner.head().catch(() => head)) ? unpackTar(inner, unpacking) : [inner];
}

async function filesIn(stream: AsyncIterable<unknown>, unpacking: UnpackSession): Promise<ImportFile[]> {
  const file = streamed(stream);
  const head = await file.head();
  if (head.length === 0) throw badRequestError('standard input is empty');
  // A ZIP archive is read from its end, so standard input is copied to a temporary file first.
  if (isZip(head)) return listZipFiles(await unpacking.putAside(file.chunks()), 'standard input', unpacking);
  const inner = isGzip(head) ? streamed(unpacked(file, unpacking).chunks()) : file;
  return isTar(await inner.head()) ? unpackTar(inner, unpacking) : [inner];
}

/** Unpacks a tar archive into a temporary folder, because a tar archive has no list of its files. */
async function unpackTar({ name, chunks }: ImportFile, unpacking: UnpackSession): Promise<ImportFile[]> {
  const { extract } = await import('tar');
  const folder = await unpacking.makeFolder();
  let count = 0;
  const filter = (path: string, entry: object): boolean => {
    count++;
    if (!('type' in entry) || !/File$/.test(String(entry.type))) return false;
    const isSafe = win32.parse(path).root === '' && !path.split(/[/\\]/).includes('..');
    if (!isSafe) unpacking.broken.push({ at: path, why: LEADS_OUT });
    return isSafe;
  };
  const extracting = extract({ cwd: folder, filter, strict: true }) as unknown as NodeJS.WritableStream;
  const checkCount = () => {
    if (count > unpacking.maxFiles) throw tooManyFiles(name, unpacking);
  };
  let end: Uint8Array = new Uint8Array();
  const watched = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks()) {
      end = Buffer.concat([end, chunk.subarray(-TAR_END_BYTES)]).subarray(-TAR_END_BYTES);
      yield chunk;
      checkCount();
    }
  };
  try {
    await pipeline(Readable.from(watched()), extracting);
    checkCount();
    // Checks for zeros at the end, because the library accepts an archive that is cut off between two files.
    if (end.some((byte) => byte !== 0)) throw new TypeError('cut off');
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw badRequestError(`${name} is a broken tar archive`, { cause });
  }
  return filesOfFolder(folder, unpacking);
}

const isZip = ([a, b, c]: Uint8Array): boolean => a === 0x50 && b === 0x4b && (c === 3 || c === 5);

const isGzip = ([a, b]: Uint8Array): boolean => a === 0x1f && b === 0x8b;

function isTar(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(257, 262)).toString('latin1') === 'ustar';
}

function fileAt(path: string, name: string, { mtimeMs: modifiedAt }: Stats): ImportFile {
  return {
    name,
    modifiedAt,
    chunks: () => read(createReadStream(path, { highWaterMark: 262_144 }), path),
    head: () => readFileHead(read(createReadStream(path, { end: HEAD_BYTES - 1 }), path)),
  };
}

async function* read(stream: Readable, path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) yield chunk as Uint8Array;
  } catch (error) {
    throw pathError(error, path);
  } finally {
    stream.destroy();
  }
}

function streamed(stream: AsyncIterable<unknown>): ImportFile {
  const chunks = stream[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const next = async (): Promise<Uint8Array | undefined> => {
    const { done, value } = await chunks.next();
    return done ? undefined : Buffer.from(value as Uint8Array | string);
  };
  return {
    name: '-',
    async head() {
      for (let part: Uint8Array | undefined; bytes < HEAD_BYTES; bytes += part.length) {
        part = await next();
        if (part === undefined) break;
        parts.push(part);
      }
      return Buffer.concat(parts).subarray(0, HEAD_BYTES);
    },
    async *chunks() {
      yield* parts.splice(0);
      for (let part = await next(); part !== undefined; part = await next()) yield part;
    },
  };
}

function unpacked(file: ImportFile, unpacking: UnpackSession): ImportFile {
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    const gunzip = createGunzip();
    const feeding = pipeline(Readable.from(file.chunks()), gunzip).catch(() => {});
    try {
      for await (const chunk of gunzip) {
        unpacking.count((chunk as Uint8Array).length);
        yield chunk as Uint8Array;
      }
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      throw badRequestError(`${file.name} is broken: what gzip packed cannot be unpacked`, { cause });
    } finally {
      gunzip.destroy();
      await feeding;
    }
  };
  return { ...file, name: file.name.replace(/\.gz$/i, ''), chunks, head: () => readFileHead(chunks()) };
}

async function filesOfFolder(root: string, unpacking: UnpackSession): Promise<ImportFile[]> {
  const found: ImportFile[] = [];
  const exported = await readExportedDigests(root);
  const folders = [{ path: root, name: '', depth: 0 }];
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    const entries = await readdir(folder.path, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(folder.path, entry.name);
      const name = folder.name === '' ? entry.name : `${folder.name}/${entry.name}`;
      const why = reasonToSkip(entry, name, folder.depth);
      if (why !== undefined) {
        unpacking.leftOut.add(why, name);
        continue;
      }
      if (entry.isDirectory()) folders.push({ path, name, depth: folder.depth + 1 });
      else found.push({ ...fileAt(path, name, await lstat(path)), exported });
      if (found.length > unpacking.maxFiles) throw tooManyFiles(root, unpacking);
    }
  }
  return found;
}

function reasonToSkip(entry: Dirent, name: string, depth: number): string | undefined {
  if (isHiddenOrGenerated(name)) return HIDDEN;
  if (entry.isSymbolicLink()) return 'a symbolic link';
  if (entry.isDirectory()) return depth < MAX_DEPTH ? undefined : 'a folder in over 64 folders';
  return entry.isFile() ? undefined : 'not an ordinary file';
}

function pathError(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof AppError || code === undefined) return error;
  const why = code === 'ENOENT' || code === 'ENOTDIR' ? 'does not exist' : `cannot be used (${code})`;
  return badRequestError(`${path} ${why}`, { cause: error });
}

const MAX_IMPORT_FILES = 500_000;
/** Maximum number of bytes that one import unpacks. A file that is read twice counts twice. */
const UNPACKED_BYTES = 8_000_000_000;
const HEAD_BYTES = 65_536;
const MAX_NESTED = 1;
const UTF8_FLAG = 0x800;
/** Id of the ZIP extra field in which Info-ZIP stores a file's name in UTF-8. */
const UNICODE_PATH = 0x7075;
type UnpackSession = ReturnType<typeof createUnpackSession>;

/** Limits the unpacked bytes of one import to protect the disk. `close` deletes the temporary files. */
function createUnpackSession(maxFiles: number) {
  let [unpacked, files] = [0, 0];
  let folder: string | undefined;
  const ends: (() => void)[] = [];
  const broken: { at: string; why: string }[] = [];
  const makeFolder = async () => (folder ??= await mkdtemp(join(tmpdir(), 'magpie-import-')));
  return {
    maxFiles,
    broken,
    leftOut: createLeftOutTally(),
    count(bytes: number): void {
      unpacked += bytes;
      if (unpacked > UNPACKED_BYTES) {
        throw tooLargeError(
          `the archive unpacks to over ${UNPACKED_BYTES / 1e9} GB: unpack it, and import the folder`,
        );
      }
    },
    makeFolder: () => makeFolder().then((parent) => mkdtemp(join(parent, 'tar-'))),
    async putAside(chunks: AsyncIterable<Uint8Array>): Promise<string> {
      const path = join(await makeFolder(), `${++files}.zip`);
      await pipeline(chunks, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
      return path;
    },
    onClose: (end: () => void) => void ends.push(end),
    async close(): Promise<void> {
      for (const end of ends.splice(0)) end();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function readFileHead(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    bytes += chunk.length;
    if (bytes >= HEAD_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, HEAD_BYTES);
}

/** Lists a ZIP archive's files, which are unpacked when read. Throws `bad_request` for a broken archive. */
async function listZipFiles(path: string, name: string, unpacking: UnpackSession, nested = 0) {
  const { zip, entries } = await openZip(path, name, unpacking);
  unpacking.onClose(() => zip.close());
  const files: ImportFile[] = [];
  for (const { entry, fileName } of entries) {
    if (fileName.endsWith('/')) continue;
    if (isHiddenOrGenerated(fileName)) {
      unpacking.leftOut.add(HIDDEN, fileName);
      continue;
    }
    const chunks = () => unpack(zip, { entry, fileName }, unpacking);
    const inner =
      /\.zip$/i.test(fileName) && nested < MAX_NESTED
        ? await listInnerFiles(fileName, chunks(), unpacking, nested + 1)
        : [{ name: fileName, chunks, head: () => headOfMember(chunks(), entries.length) }];
    for (const file of inner) files.push(file);
    if (files.length > unpacking.maxFiles) throw tooManyFiles(name, unpacking);
  }
  return files;
}

/** Reads the start of a file in an archive. For a broken file, returns no bytes if there are other files. */
async function headOfMember(chunks: AsyncIterable<Uint8Array>, files: number): Promise<Uint8Array> {
  return readFileHead(chunks).catch((error: unknown) => {
    if (files === 1 || !(error instanceof AppError) || error.code !== 'bad_request') throw error;
    return new Uint8Array();
  });
}

async function listInnerFiles(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  unpacking: UnpackSession,
  nested: number,
): Promise<ImportFile[]> {
  try {
    return await listZipFiles(await unpacking.putAside(chunks), name, unpacking, nested);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'bad_request') throw error;
    unpacking.broken.push({ at: name, why: error.message.replace(`${name} `, '') });
    return [];
  }
}

function tooManyFiles(name: string, { maxFiles }: UnpackSession): AppError {
  return tooLargeError(`${name} has over ${maxFiles} files: import it in parts`);
}

interface ZipEntry {
  readonly entry: Entry;
  readonly fileName: string;
}

async function openZip(path: string, name: string, unpacking: UnpackSession) {
  const { getFileNameLowLevel, openPromise, validateFileName } = await import('yauzl');
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(path, { autoClose: false, decodeStrings: false });
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) {
      if (entries.push(entry) > unpacking.maxFiles) throw tooManyFiles(name, unpacking);
    }
    const isMarked = ({ generalPurposeBitFlag: flags, extraFields }: Entry) =>
      (flags & UTF8_FLAG) !== 0 || extraFields.some(({ id }) => id === UNICODE_PATH);
    const decode = createZipNameDecoder(
      entries.filter((entry) => !isMarked(entry)).map(({ fileNameRaw }) => fileNameRaw),
    );
    const nameOf = (entry: Entry) =>
      isMarked(entry)
        ? getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false)
        : decode(entry.fileNameRaw).replaceAll('\\', '/');
    const named = entries.map((entry) => ({ entry, fileName: nameOf(entry) }));
    const isSafe = ({ fileName }: ZipEntry) => validateFileName(fileName) === null;
    const wrong = named.filter((one) => !isSafe(one));
    if (wrong.length === named.length && wrong[0]) throw new TypeError(`unusable name: ${wrong[0].fileName}`);
    for (const { fileName } of wrong) unpacking.broken.push({ at: fileName, why: LEADS_OUT });
    return { zip, entries: named.filter(isSafe) };
  } catch (error) {
    zip?.close();
    throw zipError(error, name);
  }
}

async function* unpack(zip: ZipFile, { entry, fileName }: ZipEntry, unpacking: UnpackSession) {
  if (entry.isEncrypted()) {
    throw badRequestError(`${fileName} is encrypted: unpack the archive, and import the folder`);
  }
  let stream: (NodeJS.ReadableStream & { destroy(): void }) | undefined;
  try {
    stream = await zip.openReadStreamPromise(entry);
    let sum = 0;
    for await (const chunk of stream) {
      unpacking.count((chunk as Uint8Array).length);
      sum = crc32(chunk, sum);
      yield chunk as Uint8Array;
    }
    if (sum !== entry.crc32) throw badRequestError(`${fileName} is damaged: its checksum is another one`);
  } catch (error) {
    throw zipError(error, fileName);
  } finally {
    stream?.destroy();
  }
}

function zipError(error: unknown, name: string): unknown {
  if (error instanceof AppError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && !code.startsWith('Z_')) return error;
  const why = (error as Error).message;
  return badRequestError(`${name} is a broken ZIP archive (${why.slice(0, 200)})`, { cause: error });
}
