import type { DocumentInfo } from '../../documents/types.ts';
import { formatCount } from '../../lib/text/format-count.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
  rtf: 'application/rtf',
  html: 'text/html',
  markdown: 'text/markdown',
  text: 'text/plain',
  csv: 'text/csv',
  email: 'message/rfc822',
};

const UNITS: Readonly<Record<string, string>> = {
  pdf: 'page',
  picture: 'page',
  pptx: 'slide',
  odp: 'slide',
  xlsx: 'sheet',
  ods: 'sheet',
  epub: 'chapter',
  mbox: 'message',
};

export const ACCEPTED_FILE_EXTENSIONS =
  '.pdf,.docx,.pptx,.xlsx,.odt,.ods,.odp,.epub,.rtf,.html,.htm,.xhtml,.md,.markdown,.txt,.csv,.tsv,.json,.ipynb,.eml,.msg,.mbox,.png,.jpg,.jpeg,.webp,.gif,.bmp';

export function mediaTypeOf(kind: string): string {
  return MEDIA_TYPES[kind] ?? 'application/octet-stream';
}

export function pageUnitName(kind: string): string {
  return UNITS[kind] ?? 'section';
}

export function describePageCount({ kind, pages }: Pick<DocumentInfo, 'kind' | 'pages'>): string {
  return formatCount(pages, pageUnitName(kind));
}
