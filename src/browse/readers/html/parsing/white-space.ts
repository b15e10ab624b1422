import { isPlainLine, isWhiteSpace } from '../../../../lib/text/text.ts';

const UNEVEN = /[^\S ]| {2}/;

export function collapseWhiteSpace(text: string): string {
  return UNEVEN.test(text) ? text.replace(/\s+/g, ' ') : text;
}

/** Counts characters, with collapsed white space. Chinese, Japanese or Korean characters count as three. */
export function weightedLengthOfAll(texts: Iterable<string>): number {
  let [length, isOpen] = [0, false];
  for (const text of texts) {
    if (text !== '' && isPlainLine(text)) {
      length += text.length - (isOpen && text.startsWith(' ') ? 1 : 0);
      isOpen = text.endsWith(' ');
      continue;
    }
    for (let at = 0; at < text.length; at++) {
      const isSpace = isWhiteSpace(text.charCodeAt(at));
      if (!isSpace || !isOpen) length += isDense(text.charCodeAt(at)) ? 3 : 1;
      isOpen = isSpace;
    }
  }
  return length;
}

export function weightedLength(text: string): number {
  if (isPlainLine(text)) return text.trim().length;
  let [length, isParted] = [0, false];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isWhiteSpace(code)) isParted = length > 0;
    else {
      length += (isParted ? 1 : 0) + (isDense(code) ? 3 : 1);
      isParted = false;
    }
  }
  return length;
}

function isDense(code: number): boolean {
  if (code < 0x3040) return false;
  return code <= 0x30ff || (code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7af);
}
