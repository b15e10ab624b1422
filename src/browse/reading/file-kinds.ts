import { isBinary } from '../fetching/page-kind.ts';
import type { PageKind } from './page.ts';

export type FileKind = PageKind | 'picture';

export const SUPPORTED_FILES =
  'PDF, Word (.docx), PowerPoint (.pptx), Excel (.xlsx), OpenDocument, EPUB, RTF, HTML, Markdown, text, CSV, mail (.eml, .msg), calendars (.ics), contacts (.vcf) and pictures (PNG, JPEG, WebP, GIF, BMP) are read';

/** Pictures that OCR supports: the offset of the signature in the file, and the signature in Latin-1. */
const PICTURES: readonly (readonly [number, string])[] = [
  [0, '\x89PNG\r\n'],
  [0, '\xff\xd8\xff'],
  [8, 'WEBP'],
  [0, 'GIF8'],
  [0, 'BM'],
];

export function isOcrPicture(head: string): boolean {
  return PICTURES.some(([at, magic]) => head.startsWith(magic, at)) && isBinary(head);
}
