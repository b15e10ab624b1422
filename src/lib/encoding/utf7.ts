import { decodePercent } from '../text/decode-percent.ts';

const LABEL = '(?:unicode-1-1-|x-unicode-2-0-)?utf-7';
const ENCODED_WORD = new RegExp(`=\\?${LABEL}\\?([bq])\\?([^?\\s]{0,500})\\?=`, 'gi');
/** Matches a label of UTF-7 (RFC 2152), which only mail uses. Browsers refuse it. */
export const UTF_7_LABEL = new RegExp(`^${LABEL}$`, 'i');

export function decodeUtf7(text: string): string {
  return text.replace(/\+([A-Za-z\d+/]*)-?/g, (_all, code: string) => {
    const bytes = Buffer.from(code, 'base64');
    return code === ''
      ? '+'
      : bytes
          .subarray(0, bytes.length & ~1)
          .swap16()
          .toString('utf16le');
  });
}

/** Rewrites encoded words (RFC 2047) of a header from UTF-7 to UTF-8. */
export function rewriteUtf7Words(header: string): string {
  return header.replace(ENCODED_WORD, (_all, form: string, word: string) => {
    const spelled = () => decodePercent(word.replace(/%/g, '%25').replaceAll('_', ' ').replaceAll('=', '%'));
    const text = /b/i.test(form) ? Buffer.from(word, 'base64').toString('latin1') : spelled();
    return `=?utf-8?B?${Buffer.from(decodeUtf7(text)).toString('base64')}?=`;
  });
}
