import type { WrappedPdfiumModule } from '@embedpdf/pdfium';

export interface ObjectMarks {
  readonly isLayered: boolean;
  /** Replacement text (ActualText) of the marked content around the object, and an id of this content. */
  readonly span?: { readonly id: number; readonly text: string };
}

const MAX_MARKS = 20;
/** Sizes in bytes of the buffer for a text in UTF-16 and of the buffer for the text's length. */
const TEXT_BYTES = 2000;
const LENGTH_BYTES = 4;
export const MARK_ROOM_BYTES = LENGTH_BYTES + TEXT_BYTES;

/** Reads the marks of an object (marked content, ISO 32000 14.6). `room` is a buffer of `MARK_ROOM_BYTES`. */
export function readMarks(lib: WrappedPdfiumModule, object: number, room: number): ObjectMarks {
  const read = (ask: (buffer: number, bytes: number, length: number) => boolean): Buffer => {
    const buffer = room + LENGTH_BYTES;
    const bytes = ask(buffer, TEXT_BYTES, room) ? lib.pdfium.getValue(room, 'i32') : 0;
    return Buffer.from(lib.pdfium.HEAPU8.slice(buffer, buffer + (bytes > TEXT_BYTES ? 0 : bytes)));
  };
  let [isLayered, span] = [false, undefined as ObjectMarks['span']];
  const count = Math.min(lib.FPDFPageObj_CountMarks(object), MAX_MARKS);
  for (let at = 0; at < count; at++) {
    const mark = lib.FPDFPageObj_GetMark(object, at);
    if (mark === 0) continue;
    const name = read((...room) => lib.FPDFPageObjMark_GetName(mark, ...room)).toString('utf16le');
    if (/^OC\0?$/.test(name)) isLayered = true;
    const text = textOf(
      read((...room) => lib.FPDFPageObjMark_GetParamBlobValue(mark, 'ActualText', ...room)),
    );
    // A soft hyphen is ignored as replacement text, because lines are joined at the drawn hyphen.
    if (text !== '' && text !== '\u00ad') span ??= { id: mark, text };
  }
  return { isLayered, ...(span && { span }) };
}

/** Decodes a text string (ISO 32000, 7.9.2.2). Reads PDFDocEncoding as Latin-1, which is nearly the same. */
function textOf(bytes: Buffer): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return new TextDecoder('utf-16be').decode(bytes.subarray(2, bytes.length & ~1));
  const isUtf8 = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isUtf8 ? bytes.toString('utf8', 3) : bytes.toString('latin1');
}
