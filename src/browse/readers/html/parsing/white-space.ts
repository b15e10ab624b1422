import { isPlainLine, isWhiteSpace } from '../../../../lib/text/text.ts';

/** Lengths of texts as they are shown, where white space is run together. They are asked of every text of a page. */

const UNEVEN = /[^\S ]| {2}/;

/** White space run together to one space each. */
export function runTogether(text: string): string {
  return UNEVEN.test(text) ? text.replace(/\s+/g, ' ') : text;
}

/** Length of texts that follow on each other, white space run together. */
export function lengthTogether(texts: Iterable<string>): number {
  let [length, isOpen] = [0, false];
  for (const text of texts) {
    if (text !== '' && isPlainLine(text)) {
      length += text.length - (isOpen && text.startsWith(' ') ? 1 : 0);
      isOpen = text.endsWith(' ');
      continue;
    }
    for (let at = 0; at < text.length; at++) {
      const isSpace = isWhiteSpace(text.charCodeAt(at));
      if (!isSpace || !isOpen) length++;
      isOpen = isSpace;
    }
  }
  return length;
}

/** Length of a text with its white space run together and none at its ends, threefold for scripts that need a third of the characters. */
export function lengthOf(text: string): number {
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

/** Han, kana and Hangul say in one character what takes others about three. */
function isDense(code: number): boolean {
  if (code < 0x3040) return false;
  return code <= 0x30ff || (code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7af);
}
