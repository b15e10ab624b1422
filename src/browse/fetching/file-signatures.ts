import { AppError } from '../../errors.ts';
import UNSUPPORTED from './unsupported-formats.json' with { type: 'json' };

export function describeUnsupportedFormat(head: string): string | undefined {
  const found = UNSUPPORTED.find(({ at, bytes }) => head.startsWith(bytes, at));
  // A text may begin with the letters of a signature, so printable signatures count only in binary files.
  if (!found || (/^[ -~]+$/.test(found.bytes) && !isBinary(head))) return undefined;
  return found.name;
}

/** True if the bytes are not text. A few control characters are tolerated, and ESC is valid in ISO-2022. */
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

/** True for a file in Outlook's format TNEF. Outlook sends such files as `winmail.dat`. */
export function isWinmail(body: Uint8Array): boolean {
  return body[0] === 0x78 && body[1] === 0x9f && body[2] === 0x3e && body[3] === 0x22;
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
