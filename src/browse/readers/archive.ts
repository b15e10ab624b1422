import { strToU8, type Unzipped, unzipSync, type Zippable, zipSync } from 'fflate';
import { AppError, tooLargeError } from '../../errors.ts';
import { decodeBytes } from '../../lib/encoding/decode-bytes.ts';
import type { PageKind } from '../reading/page.ts';
import { brokenFile } from './broken-file-error.ts';

const ZIP = 'ZIP archive, as Office documents and EPUB files are';
const MAX_ENTRIES = 10_000;
const ENTRY_BYTES = 40_000_000;
const ALL_BYTES = 80_000_000;

export interface ZipArchive {
  readonly names: readonly string[];
  bytes(name: string): Uint8Array | undefined;
  text(name: string): string | undefined;
  /** Throws AppError `unsupported` if the XML file declares entities. */
  xml(name: string): string | undefined;
}

/** Unpacks the files of a ZIP archive that `wanted` accepts. Throws AppError `too_large` or `unsupported`. */
export function openArchive(body: Uint8Array, url: string, wanted: (name: string) => boolean): ZipArchive {
  const names: string[] = [];
  let total = 0;
  const packed = unzip(body, url, ({ name: given, originalSize, size, compression }) => {
    const name = nameOf(given);
    if (names.push(name) > MAX_ENTRIES) throw tooLarge(url, `over ${MAX_ENTRIES} files`);
    if (!wanted(name) || name.endsWith('/')) return false;
    total += originalSize;
    // Deflate compresses at most by a factor of 1032 (zlib's notes), so a larger stated size is false.
    if (compression === 0 ? originalSize > size : originalSize > 1100 * size + 1000) {
      throw brokenFile(url, ZIP, undefined, 'its sizes are impossible');
    }
    if (originalSize > ENTRY_BYTES || total > ALL_BYTES) {
      throw tooLarge(url, `more than ${ALL_BYTES / 1e6} MB of text`);
    }
    return true;
  });
  const files = new Map(Object.entries(packed).map(([name, file]) => [nameOf(name), file]));
  const bytes = (name: string) => files.get(name);
  const text = (name: string) => {
    const file = bytes(name);
    return file && decodeBytes(file, { declares: 'xml' }).text;
  };
  return {
    names,
    bytes,
    text,
    xml(name) {
      const xml = text(name);
      // Office programs write no entity declarations. Attackers use them to overload a parser or fetch files.
      if (xml?.includes('<!ENTITY')) {
        throw new AppError('unsupported', `${url} declares XML entities of its own, which is not supported`);
      }
      return xml;
    },
  };
}

const nameOf = (path: string): string => path.replaceAll('\\', '/');

export function repackArchive(
  { names, xml }: ZipArchive,
  edit: (text: string, name: string) => string,
): Uint8Array<ArrayBuffer> {
  const files: Zippable = {};
  for (const name of names) {
    const text = xml(name);
    if (text !== undefined) files[name] = strToU8(edit(text, name));
  }
  return zipSync(files, { level: 0 });
}

export function kindOfArchive(body: Uint8Array, url: string): PageKind {
  const archive = openArchive(body, url, (name) => name === 'mimetype');
  const declared = new TextDecoder().decode(archive.bytes('mimetype')?.subarray(0, 100)).trim();
  const odf = /^application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/.exec(declared)?.[1];
  if (odf) return odf === 'text' ? 'odt' : odf === 'spreadsheet' ? 'ods' : 'odp';
  const has = (name: string) => archive.names.includes(name);
  // Word Online puts a number into the name of the main file, for example `word/document2.xml`.
  const hasMain = (part: string) =>
    archive.names.some((name) => name.replace(/\d{1,3}(?=\.xml$)/, '') === part);
  if (declared === 'application/epub+zip' || has('META-INF/container.xml')) return 'epub';
  if (has('[Content_Types].xml')) {
    if (hasMain('word/document.xml')) return 'docx';
    if (hasMain('xl/workbook.xml')) return 'xlsx';
    if (hasMain('ppt/presentation.xml')) return 'pptx';
    if (has('xl/workbook.bin')) {
      throw new AppError('unsupported', `${url} is a binary Excel workbook (.xlsb); save it as .xlsx`);
    }
  }
  throw new AppError(
    'unsupported',
    `${url} is ${otherArchive(archive.names)}; unpack it and read what is in it`,
  );
}

function otherArchive(names: readonly string[]): string {
  if (names.includes('AndroidManifest.xml')) return 'an Android program';
  if (names.includes('META-INF/MANIFEST.MF')) return 'a Java archive';
  const shown = names
    .filter((name) => !name.endsWith('/'))
    .slice(0, 5)
    .join(', ');
  return `a ZIP archive of ${names.length} files${shown && ` (${shown.slice(0, 200)})`}`;
}

function unzip(
  body: Uint8Array,
  url: string,
  filter: NonNullable<Parameters<typeof unzipSync>[1]>['filter'] & {},
): Unzipped {
  // A ZIP archive is encrypted if bit 0 of byte 6 is set. Byte 5 is always 0 in a valid archive.
  if (body[5] === 0 && ((body[6] ?? 0) & 1) === 1) {
    throw new AppError('unsupported', `${url} is an encrypted ZIP archive; unpack it and give its files`);
  }
  try {
    return unzipSync(body, { filter });
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw brokenFile(url, ZIP, cause);
  }
}

function tooLarge(url: string, what: string): AppError {
  return tooLargeError(`ResponseTooLarge: ${url} unpacks to ${what}, which is over the limit`);
}
