import closingQuotes from './closing-quotes.json' with { type: 'json' };
import { HTML_TAG_NAMES } from './task-words.ts';

export interface TaskToken {
  readonly kind:
    | 'word'
    | 'script'
    | 'number'
    | 'time'
    | 'quote'
    | 'page'
    | 'target'
    | 'selector'
    | 'sign'
    | 'mark';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Value of the number, minutes since midnight for a time, or index in the list of addresses. */
  readonly value: number;
}

/** Private code points that replace a task's addresses: pages from PAGE_MARK_CODE, recipients from RECIPIENT_MARK_CODE. */
export const PAGE_MARK_CODE = 0xe000;
export const RECIPIENT_MARK_CODE = 0xe100;
const MARKS = /[\ue000-\ue1ff]/;

/** Maps a quotation mark to those that can close it. */
const CLOSING: Readonly<Record<string, string>> = closingQuotes;
const MAX_QUOTED = 200;
const SINGLE_QUOTED = /(?<![\p{L}\p{N}])['‘]([^'‘’]{1,100})['’](?![\p{L}\p{N}])/uy;
const TIME = /(\d{1,2})(?:[:：](\d{2})|h(\d{2})?(?![\p{L}\p{N}])|(?=\s?[ap]\.?m\b))/iuy;
const VERSION = /v?\d{1,6}(?:\.\d{1,6}){2,5}(?![\d,])/iy;
const GROUPED = /[-−–]?\d{1,3}(?:[ ]\d{3})+(?:[.,]\d{1,2})?(?!\d)/y;
const NUMBER = /[-−–]?\d[\d.,’']{0,17}/y;
const SELECTOR = new RegExp(
  `(?:(?<![\\w/.@-])(?:(?:${HTML_TAG_NAMES})?[.#][a-z_][\\w-]{0,60}|(?:${HTML_TAG_NAMES})?\\[[a-z][\\w-]{0,40}(?:[~|^$*]?=[^\\]]{0,60})?\\])(?:\\s?>\\s?(?:${HTML_TAG_NAMES})?(?:[.#][a-z_][\\w-]{0,60})?(?![\\w]))?|<(?:${HTML_TAG_NAMES})>)`,
  'iy',
);
const SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〇]{1,400}/uy;
const WORD =
  /(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー])[\p{L}\p{M}\p{N}_]){1,80}(?:\.(?:js|ts|py|io|net|rs|ai)(?![\p{L}\p{N}])|\+\+|#(?![\p{L}\p{N}]))?/uy;
const MAILBOX = /[\w+-]{1,64}(?:\.[\w+-]{1,64}){0,5}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/y;
const SIGN = /<=|>=|[<>≤≥=%％$€£¥￥₹₽₩₺₴₫฿₪]|R\$|US\$|C\$|A\$|HK\$/y;
const ARROW = /[-=]{1,3}>|→/y;
const IN_WORD = /^[\p{L}\p{N}]['’-][\p{L}\p{N}]$/u;
const ENGLISH_ENDING = /['’](?:t|s|re|ll|ve|d|m)(?![\p{L}\p{N}])/iuy;
const ELIDED = /^(?:l|d|s|n|c|j|m|t|qu|lorsqu|jusqu|puisqu|quelqu|un|dell|all|nell|sull|dall|quell|c)$/i;

export function tokensOf(text: string): TaskToken[] {
  const tokens: TaskToken[] = [];
  for (let at = 0; at < text.length; ) {
    const token = text.charAt(at) === ' ' ? undefined : tokenAt(text, at);
    if (token) tokens.push(token);
    at = Math.max(at + 1, token?.end ?? 0);
  }
  return tokens;
}

function tokenAt(text: string, start: number): TaskToken | undefined {
  const code = text.charCodeAt(start);
  if (MARKS.test(text.charAt(start))) {
    const kind = code >= RECIPIENT_MARK_CODE ? 'target' : 'page';
    const value = code - (kind === 'page' ? PAGE_MARK_CODE : RECIPIENT_MARK_CODE);
    return { kind, text: '', start, end: start + 1, value };
  }
  const arrow = match(ARROW, text, start)?.[0];
  if (arrow !== undefined) return { kind: 'mark', text: '→', start, end: start + arrow.length, value: 0 };
  return quoteAt(text, start) ?? codeAt(text, start) ?? numberAt(text, start) ?? wordAt(text, start);
}

function quoteAt(text: string, start: number): TaskToken | undefined {
  const closing = CLOSING[text.charAt(start)];
  if (closing !== undefined) {
    for (let end = start + 1; end < Math.min(text.length, start + MAX_QUOTED + 2); end++) {
      if (!closing.includes(text.charAt(end))) continue;
      const inside = text.slice(start + 1, end).trim();
      if (inside === '') return undefined;
      if (MARKS.test(inside)) return undefined;
      return { kind: 'quote', text: inside, start, end: end + 1, value: 0 };
    }
    return undefined;
  }
  const single = match(SINGLE_QUOTED, text, start);
  const inside = single?.[1]?.trim() ?? '';
  if (!single || inside === '' || MARKS.test(inside)) return undefined;
  return { kind: 'quote', text: inside, start, end: start + single[0].length, value: 0 };
}

function codeAt(text: string, start: number): TaskToken | undefined {
  const found = match(SELECTOR, text, start)?.[0];
  if (found === undefined || found === '.NET') return undefined;
  return { kind: 'selector', text: found.replace(/^<|>$/g, ''), start, end: start + found.length, value: 0 };
}

function numberAt(text: string, start: number): TaskToken | undefined {
  const first = text.charCodeAt(start);
  const signed = '-−–'.includes(text.charAt(start));
  if (signed && start > 0 && text.charAt(start - 1) !== ' ') return undefined;
  if (!signed && (first < 48 || first > 57) && text.charAt(start).toLowerCase() !== 'v') return undefined;
  const version = match(VERSION, text, start)?.[0];
  if (version !== undefined && !isThousands(version)) {
    return { kind: 'word', text: version, start, end: start + version.length, value: 0 };
  }
  const time = match(TIME, text, start);
  if (time && Number(time[1]) <= 24 && Number(time[2] ?? time[3] ?? 0) < 60) {
    const minutes = Number(time[1]) * 60 + Number(time[2] ?? time[3] ?? 0);
    return { kind: 'time', text: time[0], start, end: start + time[0].length, value: minutes };
  }
  const digits = (match(GROUPED, text, start) ?? match(NUMBER, text, start))?.[0];
  if (digits === undefined) return undefined;
  const bare = digits.replace(/[.,’']{1,18}$/, '');
  const value = numberOf(bare.replace(/^[-−–]/, ''));
  if (value === undefined) return undefined;
  return { kind: 'number', text: bare, start, end: start + bare.length, value: signed ? -value : value };
}

const isThousands = (text: string): boolean => /^\d{1,3}(?:\.\d{3}){2,5}$/.test(text);

function wordAt(text: string, start: number): TaskToken | undefined {
  const sign = match(SIGN, text, start)?.[0];
  if (sign !== undefined) return { kind: 'sign', text: sign, start, end: start + sign.length, value: 0 };
  const script = match(SCRIPT, text, start)?.[0];
  if (script !== undefined)
    return { kind: 'script', text: script, start, end: start + script.length, value: 0 };
  const word = (match(MAILBOX, text, start) ?? match(WORD, text, start))?.[0];
  if (word === undefined) {
    const mark = text.charAt(start);
    if (/['’-]/.test(mark) && IN_WORD.test(text.slice(Math.max(0, start - 1), start + 2))) return undefined;
    return /[\p{P}\p{S}]/u.test(mark)
      ? { kind: 'mark', text: mark, start, end: start + 1, value: 0 }
      : undefined;
  }
  const ending = ELIDED.test(word) ? undefined : match(ENGLISH_ENDING, text, start + word.length)?.[0];
  const whole = word + (ending ?? '');
  return { kind: 'word', text: whole, start, end: start + whole.length, value: 0 };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

export function numberOf(text: string): number | undefined {
  const digits = text.replace(/[’'\s]/g, '').replace(/(?<![.,])[.,]+$/, '');
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const mark = digits.charAt(last);
  const other = mark === '.' ? ',' : '.';
  const thousands =
    last >= 0 && !digits.includes(other) && (digits.indexOf(mark) !== last || /^\d{1,3}.\d{3}$/.test(digits));
  const plain =
    last < 0 || thousands
      ? digits.replace(/[.,]/g, '')
      : `${digits.slice(0, last).replace(/[.,]/g, '')}.${digits.slice(last + 1)}`;
  const value = Number(plain);
  return plain !== '' && Number.isFinite(value) ? value : undefined;
}
