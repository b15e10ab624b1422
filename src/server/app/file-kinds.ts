import type { DocumentInfo } from '../../documents/types.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import kinds from './file-kinds.json' with { type: 'json' };

const MEDIA_TYPES: Readonly<Record<string, string>> = kinds.mediaTypes;

const UNITS: Readonly<Record<string, string>> = kinds.units;

export const ACCEPTED_FILE_EXTENSIONS =
  '.pdf,.docx,.pptx,.xlsx,.odt,.ods,.odp,.epub,.rtf,.html,.htm,.xhtml,.md,.markdown,.txt,.csv,.tsv,.json,.ipynb,.eml,.msg,.mbox,.png,.jpg,.jpeg,.webp,.gif,.bmp';

export function mediaTypeOf(kind: string): string {
  return MEDIA_TYPES[kind] ?? 'application/octet-stream';
}

export const pageUnitName = (kind: string): string => UNITS[kind] ?? 'section';

export function describePageCount({ kind, pages }: Pick<DocumentInfo, 'kind' | 'pages'>): string {
  return formatCount(pages, pageUnitName(kind));
}
