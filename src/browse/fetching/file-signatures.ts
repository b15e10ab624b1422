import { AppError } from '../../errors.ts';

/** Unsupported formats: offset and value of the first bytes in Latin-1, and a name for error messages. */
const FORMATS: readonly (readonly [number, string, string])[] = [
  [0, '\x89PNG', 'a PNG picture'],
  [0, '\xff\xd8\xff', 'a JPEG picture'],
  [0, 'GIF8', 'a GIF picture'],
  [0, 'II*\0', 'a TIFF picture'],
  [0, 'MM\0*', 'a TIFF picture'],
  [0, '8BPS', 'a Photoshop picture'],
  [0, '\0\0\x01\0', 'an icon'],
  [0, 'BM', 'a bitmap picture'],
  [8, 'WEBP', 'a WebP picture'],
  [8, 'WAVE', 'a WAV sound'],
  [8, 'AVI ', 'an AVI film'],
  [4, 'ftypavif', 'an AVIF picture'],
  [4, 'ftyphei', 'a HEIC picture'],
  [4, 'ftypM4A', 'an MP4 sound'],
  [4, 'ftyp', 'an MP4 film'],
  [0, '\x1aE\xdf\xa3', 'a Matroska or WebM film'],
  [0, 'FLV\x01', 'a Flash film'],
  [0, 'OggS', 'an Ogg sound or film'],
  [0, 'ID3', 'an MP3 sound'],
  [0, '\xff\xfb', 'an MP3 sound'],
  [0, 'fLaC', 'a FLAC sound'],
  [0, 'MThd', 'a MIDI sound'],
  [0, '\x1f\x8b', 'a gzip archive'],
  [0, 'BZh', 'a bzip2 archive'],
  [0, '\xfd7zXZ', 'an xz archive'],
  [0, '(\xb5/\xfd', 'a Zstandard archive'],
  [0, '7z\xbc\xaf', 'a 7-Zip archive'],
  [0, 'Rar!', 'a RAR archive'],
  [257, 'ustar', 'a tar archive'],
  [0, 'PK\x05\x06', 'an empty ZIP archive'],
  [0, '\x7fELF', 'a program'],
  [0, 'MZ', 'a program'],
  [0, '\xcf\xfa\xed\xfe', 'a program'],
  [0, '\xca\xfe\xba\xbe', 'a Java class or program'],
  [0, '\0asm', 'a WebAssembly program'],
  [0, 'SQLite format 3', 'an SQLite database'],
  [0, 'PAR1', 'a Parquet table'],
  [0, 'wOFF', 'a font'],
  [0, 'wOF2', 'a font'],
  [0, 'OTTO', 'a font'],
  [0, '\0\x01\0\0', 'a font'],
  [0, 'AT&TFORM', 'a DjVu document; a PDF of it would be read'],
  [60, 'BOOKMOBI', 'a Kindle book; an EPUB of it would be read'],
  [60, 'TEXtREAd', 'a Palm book; an EPUB of it would be read'],
];

export function describeUnsupportedFormat(head: string): string | undefined {
  const found = FORMATS.find(([at, magic]) => head.startsWith(magic, at));
  if (!found || (/^[ -~]+$/.test(found[1]) && !isBinary(head))) return undefined;
  return found[2];
}

export function isBinary(head: string): boolean {
  const controls = head.match(/(?![\t\n\f\r\u007f-\u009f])\p{Cc}/gu) ?? [];
  const strange = controls.filter((character) => character !== '\u001b').length;
  return head.includes('\0') || strange > head.length / 50;
}

export const OLE_SIGNATURE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

const OLE_STREAMS: readonly (readonly [string, string])[] = [
  [
    'EncryptedPackage',
    'an encrypted Office document; save it without a password, or as a PDF with one, which is read',
  ],
  ['WordDocument', old('Word document', 'doc', '.docx or PDF', 'docx')],
  ['Workbook', old('Excel workbook', 'xls', '.xlsx or CSV', 'xlsx')],
  ['PowerPoint Document', old('PowerPoint file', 'ppt', '.pptx or PDF', 'pptx')],
  ['__substg1.0_', 'an Outlook message (.msg) that is broken; save it as .eml, which is read'],
  ['VisioDocument', 'a Visio drawing; save it as PDF, which is read'],
  ['Book\0', old('Excel workbook', 'xls', '.xlsx or CSV', 'xlsx')],
];

function old(kind: string, ending: string, save: string, format: string): string {
  return `an old ${kind} (.${ending}); save it as ${save}, which are read, or run \`soffice --headless --convert-to ${format}\` (LibreOffice) on it`;
}

export function isOle(body: Uint8Array): boolean {
  return Buffer.from(body.subarray(0, OLE_SIGNATURE.length)).toString('latin1') === OLE_SIGNATURE;
}

export function isOutlookMessage(body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  return bytes.includes(Buffer.from('__properties_version1.0', 'utf16le'));
}

export function unsupportedOleError(url: string, body: Uint8Array): AppError {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const [, what = 'an old Office document; save it in a newer format or as PDF'] =
    OLE_STREAMS.find(([name]) => bytes.includes(Buffer.from(name, 'utf16le'))) ?? [];
  return new AppError('unsupported', `${url} is ${what}`);
}
