import { AppError } from '../errors.ts';
import { readAddresses } from './addresses.ts';
import { oneLine } from './fingerprint.ts';
import { type Draft, MOST_PAGES } from './plan.ts';
import {
  ABOVE,
  ABOVE_AFTER,
  BELOW,
  BELOW_AFTER,
  CHANGE,
  COMMANDS,
  CONTAINS,
  EVERY_RUN,
  HEADINGS,
  KNOWLEDGE,
  LINKS,
  PRICES,
  SELECTOR,
  SEND,
} from './task-words.ts';

/** A task as the rules read it. */
export interface Reading extends Draft {
  /** What the task is about, for a search where it names no page. */
  readonly subject: string;
}

/** Something in quotation marks, of whatever language. */
const QUOTED = /["“”„«»`「『‹]([^"“”„«»`」』›]{1,200})["“”«»`」』›]/u;
const NUMBER = "[^\\p{L}\\p{N}<>]{0,6}(?:[a-z]{3}\\s?)?(\\d[\\d.,’']{0,15})";
/** Some languages have the number first. */
const FIRST = "(\\d[\\d.,’']{0,15})\\s?[^\\d\\s]{0,2}\\s?";
const BELOW_NUMBER = new RegExp(`(?:${BELOW})${NUMBER}|${FIRST}(?:${BELOW_AFTER})`, 'iu');
const ABOVE_NUMBER = new RegExp(`(?:${ABOVE})${NUMBER}|${FIRST}(?:${ABOVE_AFTER})`, 'iu');
const CONTAINED = new RegExp(
  `(?:${CONTAINS})\\s{0,3}(?:(?:the |a )?(?:words?|phrase)\\s{1,3})?([\\p{L}\\p{N}][\\p{L}\\p{N}-]{1,60})`,
  'iu',
);
const HAS_CONTAINS = new RegExp(CONTAINS, 'iu');
/** A selector without quotation marks: a class or an id, after a blank. */
const BARE_SELECTOR = /(?:^|\s)((?:[a-z][a-z0-9]{0,15})?[.#][a-z_][\w-]{0,60})(?=[\s,;:.!?]|$)/i;

/** Words of a question to the search. */
const SUBJECT_WORDS = 12;

/**
 * Reads a task by rules, without a model. AppError `bad_request` where it names more pages than one automation
 * takes.
 */
export function readTask(task: string): Reading {
  const { pages, webhook, email, rest } = readAddresses(oneLine(task));
  if (pages.length > MOST_PAGES) {
    throw new AppError(
      'bad_request',
      `q names ${pages.length} pages: one automation takes at most ${MOST_PAGES}; make several`,
    );
  }
  const selector = selectorIn(rest);
  const words = selector === undefined ? rest : rest.replace(selector, ' ');
  const send: Draft['send'] =
    webhook !== undefined
      ? { kind: 'webhook', url: webhook }
      : email !== undefined
        ? { kind: 'email', to: email }
        : { kind: KNOWLEDGE.test(words) ? 'knowledge' : 'platform' };
  return {
    pages: [...pages],
    extract: selector !== undefined ? { kind: 'selector', selector } : { kind: kindIn(words) },
    when: whenIn(words),
    send,
    subject: subjectOf(words),
  };
}

function selectorIn(text: string): string | undefined {
  if (!SELECTOR.test(text)) return undefined;
  const after = text.slice(SELECTOR.exec(text)?.index ?? 0);
  return (QUOTED.exec(after)?.[1] ?? BARE_SELECTOR.exec(text)?.[1])?.trim() || undefined;
}

function kindIn(text: string): 'text' | 'links' | 'prices' | 'headings' {
  if (PRICES.test(text)) return 'prices';
  if (LINKS.test(text)) return 'links';
  return HEADINGS.test(text) ? 'headings' : 'text';
}

function whenIn(text: string): Draft['when'] {
  const [below, above] = [numberIn(text, BELOW_NUMBER), numberIn(text, ABOVE_NUMBER)];
  if (below !== undefined) return { kind: 'below', value: below };
  if (above !== undefined) return { kind: 'above', value: above };
  const word = wordIn(text);
  if (word !== undefined) return { kind: 'word', word };
  if (EVERY_RUN.test(text)) return { kind: 'always' };
  return { kind: CHANGE.test(text) ? 'change' : 'always' };
}

function wordIn(text: string): string | undefined {
  if (!HAS_CONTAINS.test(text)) return undefined;
  const word = (QUOTED.exec(text)?.[1] ?? CONTAINED.exec(text)?.[1])?.trim();
  return word && word.length <= 100 ? word : undefined;
}

function numberIn(text: string, pattern: RegExp): number | undefined {
  const [, after, before] = pattern.exec(text) ?? [];
  const found = after ?? before;
  return found === undefined ? undefined : numberOf(found);
}

/**
 * A number as people write it: of two kinds of marks the last is the decimal one; a single mark with three
 * digits after it, or one that comes several times, parts thousands.
 */
export function numberOf(text: string): number | undefined {
  const digits = text.replace(/[’'\s]/g, '').replace(/[.,]+$/, '');
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

function subjectOf(text: string): string {
  const about = [BELOW_NUMBER, ABOVE_NUMBER]
    .reduce((left, pattern) => left.replace(pattern, ' '), text)
    .replace(new RegExp(`${COMMANDS.source}|${SEND.source}|${KNOWLEDGE.source}`, 'giu'), ' ')
    .replace(/[^\p{L}\p{N}.+#-]+/gu, ' ');
  const words = about.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words.slice(0, SUBJECT_WORDS).join(' ');
}
