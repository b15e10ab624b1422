import { withoutInvisible } from '../../../lib/text/invisible.ts';
import { oneLine } from '../markdown.ts';
import { isUnseen, type PdfAnnotation } from './pdf-fields.ts';
import type { PdfLine } from './pdf-lines.ts';

const MAX_COMMENT_CHARACTERS = 20_000;
const MAX_PAGE_CHARACTERS = 100_000;
const COMMENTED =
  /^(?:Text|Highlight|Underline|Squiggly|StrikeOut|Caret|Ink|Line|Square|Circle|Polygon|PolyLine|Stamp|FileAttachment)$/;

export function commentLines(annotations: readonly PdfAnnotation[]): PdfLine[] {
  let left = MAX_PAGE_CHARACTERS;
  return annotations.flatMap((annotation): PdfLine[] => {
    const { subtype = '', contentsObj, titleObj, stateModel } = annotation;
    // Skips review states such as `Accepted`, which PDF programs store like comments.
    if (!COMMENTED.test(subtype) || isUnseen(annotation) || stateModel) return [];
    const plain = (text = '', most = MAX_COMMENT_CHARACTERS) =>
      oneLine(withoutInvisible(text.slice(0, most)));
    const text = plain(contentsObj?.str, Math.min(left, MAX_COMMENT_CHARACTERS));
    if (!text) return [];
    left -= text.length;
    const author = plain(titleObj?.str, 100).replaceAll(':', '');
    return [lineBeside(`Comment${author && ` by ${author}`}`, text)];
  });
}

export function lineBeside(
  name: 'Attachment' | 'Beside the text' | 'Unreadable' | `Comment${string}`,
  text: string,
): PdfLine {
  return {
    cells: [`${name}: ${text}`],
    spans: [],
    pieces: [[]],
    left: 0,
    right: 0,
    y: 0,
    size: 0,
    height: 0.5,
    isField: true,
  };
}

export function isPdfComment(block: string): boolean {
  return /^(?:Comment(?: by [^:\n]{1,100})?|Attachment|Beside the text|Unreadable): /.test(block);
}

export function withoutPdfComments(text: string): string {
  return text
    .split('\n\n')
    .filter((block) => !isPdfComment(block))
    .join('\n\n');
}
