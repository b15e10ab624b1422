import { findDates } from '../../../../lib/time/written-date.ts';
import { PUBLISHED_LABEL, UPDATED_LABEL } from '../../../extracting/date-labels.ts';
import words from './author-words.json' with { type: 'json' };
import given from './given-name-words.json' with { type: 'json' };

const MAX_CHARS = 150;
const MAX_BYLINE_CHARS = 120;
const MAX_NAME_WORDS = 5;
const MAX_NAMES = 6;

/** `pictures`: their makers are not authors. `texts` are labels of an author only beside a word for pictures. */
const { labels: LABELS, verbs: VERBS, pictures: PICTURES, texts: TEXTS, and: AND } = words;
const LABEL_WORDS = `(?:${LABELS}|(?:${TEXTS})(?=[^|]{1,80}(?:${PICTURES})))`;
const BY_WORDS = [
  `^(?:(?:(?:${VERBS})\\s+)?(?:by|von|par|por|di|door|av|af|przez|от)|(?:${VERBS})\\s+(?:da|de|per))(?!\\p{L})\\s*:?\\s+`,
  /^(?:by|von|par|por|door)\s*:\s*|^(?:автор|作者|著者|記者|记者|投稿者|מאת|بقلم|به قلم|โดย|เขียนโดย|oleh|bởi|írta|piše|γράφει(?: ο| η)?)\s+/
    .source,
  `^글 (?=\\S{2,5} 사진 )`,
  // Labels of those who made text and pictures, such as "Words and photos by".
  `^(?:${LABEL_WORDS} ?${AND} ?(?:${PICTURES})|(?:${PICTURES}) ?${AND} ?${LABEL_WORDS})(?: ?[:：/／|]|(?: by| von| par| por| di| de| door| av| af)(?!\\p{L})|(?<=[\\p{sc=Han}\\p{sc=Hangul}]) ) ?`,
  `^${LABEL_WORDS}\\s*[:：/／|]\\s*`,
];
/** Matches a verb before "by", as in "Posted by Ada". A name behind it may be a single word. */
export const WRITTEN_BY = new RegExp(
  `^(?:${VERBS})\\s+(?:by|von|par|por|di|da|de|per|door|av|af|przez)\\s`,
  'iu',
);
/** Matches words before a topic, as in "Guide by Region". A name of a person behind them has two words. */
const OF_KIND = new RegExp(`^(?:${words.kinds})\\s+by\\s\\S{1,60}$`, 'iu');
/** Matches a label with a colon, such as "Author: ". */
export const LABELLED = new RegExp(`^(?:${LABELS})\\s?:`, 'iu');
/** Matches "Posted by" without a name. */
const ONLY_BY = new RegExp(`^(?:(?:${VERBS})\\s+)?(?:by|von|par|por|di|da|de|door|av|af|przez)$`, 'iu');
const BY = new RegExp(BY_WORDS.join('|'), 'iu');
/** Matches words that alone do not name anyone, as in "Written by hand" and "Author Guidelines". */
const NO_NAME = new RegExp(`^(?:${words.noNames})$`, 'iu');
/** Matches a label in an element that is called author, as in "Author Ada Lake" and "Interview: Ada". */
const CALLED = new RegExp(
  `^(?:(?:${LABELS})(?: ?[:：/／|] ?| (?=\\S{1,40} \\S)(?!(?:\\S{1,40} ){0,3}(?:${words.noNames})(?:$| )))|(?:${words.called}) ?: )(?=\\p{Lu})`,
  'iu',
);
/** Matches an author's label inside a line, such as `记者：` in "来源：海港日报 记者：李小明". */
const BY_INSIDE = new RegExp(
  `[ |·•](?=${LABEL_WORDS}\\s?[:：]|(?:author|autor(?:in)?|auteur|autore)s? \\| )|${words.inside}`,
  'iu',
);
const PICTURES_FIRST = new RegExp(`^(?:${PICTURES})(?![\\p{L}\\p{M}])`, 'iu');
const OF_PICTURES = new RegExp(`(?:, ?| ${AND} )[^,()]{1,60} \\((?:${PICTURES})\\)`, 'giu');
const NAMES_END = new RegExp(`${words.ends}| (?=(?:${PICTURES})(?:[/／]| \\S))`, 'iu');
/** Matches a name before the word for "reporter", as in bylines of Korean and Japanese pages. */
const REPORTER = /^(?:\p{sc=Hangul}{2,4} ?(?:\p{sc=Hangul}{2,3} ?)?기자|\p{sc=Han}{2,5} ?記者)(?!\p{L})/u;
const LABEL =
  /^(?:(?:the |our |about (?:the )?)?(?:author|authors|writer|editor|byline|staff|post|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|admin|administrator|webmaster|root|user|guest|unknown|anonymous|autor|auteur|autore|redacteur|автор|作者|著者|written|posted|published|by|von|par|por|posts|profile|(?:full )?bio|share|follow|subscribe|comments?|home|news|blog|uncategorized|category|categories|tags?|null|none|undefined|n\/?a|default|test|super user|read more|view all posts|more (?:posts|articles|stories).{0,40}|(?:view|see|all|more) .{0,20}(?:posts|articles|stories).{0,40}|follow .{1,40}|follow us|from .{1,40}|publisher|no author|posted in.{0,40}|filed under.{0,40}|leave a comment|\d+ comments?|(?:staff|our|web|news|special|guest|online|senior) (?:reporter|writer|correspondent|desk|staff|editors?|contributor|author)))$/iu;
/** Matches a preposition before a date or place after the names, but not the "Le" in "Anne Le Goff". */
const TAIL =
  / (?:on|in|at|am|um|le|el|den|il|op|для|for) (?=\S{0,20}\d)| (?:on|in|at|am|um|for|для) (?=Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|(?:the )?\p{Lu}\p{L}{0,30} ?(?:$|[|·•,]))/u;
const TAIL_VERB = new RegExp(` (?:${words.tailVerbs})(?!\\p{L})`, 'iu');
const ROLE = new RegExp(`\\b(?:${words.roles})\\b`, 'iu');
const PARTICLE = new RegExp(`^(?:${words.particles})$`, 'i');
const DENSE_NAME = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}·・ 　]{2,14}$/u;

/** Returns author names without "By". Returns undefined for labels, addresses and longer texts. */
export function cleanAuthor(author: string | undefined): string | undefined {
  const named = /^[^\s@]{1,80}@[^\s@]{1,80} \(([^()]{2,80})\)$/.exec(author?.trim() ?? '')?.[1] ?? author;
  const name = withoutBy(named ?? '')
    .replace(ONLY_BY, '')
    .replace(/^@(?=\S+ )/, '')
    .replace(/(?<![\s,;:|·•–-])[\s,;:|·•–-]+$/, '')
    .trim();
  if (name === '' || name.length > MAX_CHARS || !/\p{L}/u.test(name)) return undefined;
  if (/^(?:https?:|@|www\.|copyright\b)|\[at\]|^[^\s@]+@[^\s@]+$/i.test(name) || LABEL.test(name))
    return undefined;
  return name;
}

function withoutBy(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  return plain.replace(BY, '').trim();
}

function withoutLabel(line: string): string {
  return BY.test(line) ? line : line.replace(CALLED, '').replace(/ ?[:：]$/, '');
}

/** Returns a line on one line, without the category in "Posted in"; empty for one of a program's makers. */
function tidied(line: string, isCalledAuthor: boolean): string {
  const spaced = line.replace(/\s+/g, ' ').trim();
  if (OF_KIND.test(spaced)) return '';
  if (/^developed by\b/i.test(spaced) || (!isCalledAuthor && /^published by:/i.test(spaced))) return '';
  return spaced.replace(/^posted in [^|]{1,60}? (?=by \S)/i, 'Posted ');
}

/** Returns the names in a line such as "By Ada Lake and Bo Ray, mill reporters | 2 May", or undefined. */
export function readByline(line: string, isCalledAuthor: boolean): string | undefined {
  const spaced = tidied(line, isCalledAuthor);
  const shown = isCalledAuthor ? withoutLabel(spaced) : spaced;
  const inside = BY.test(shown) ? null : BY_INSIDE.exec(shown);
  const whole = inside === null ? shown : shown.slice(inside.index + 1);
  const begun = whole.split(' | ').find((part) => BY.test(part)) ?? whole;
  const text =
    behindDate(whole) ??
    withoutDate(whole.replace(FIRST_WORD, joined) === whole ? begun : whole.replace(FIRST_WORD, joined));
  if (text.length > MAX_BYLINE_CHARS) return undefined;
  const hasBy = BY.test(text) || REPORTER.test(text);
  if (!hasBy && !isCalledAuthor) return undefined;
  const [first = ''] = withoutBy(text)
    .replace(OF_PICTURES, '')
    .replace(/ ?\([^()]{0,60}\)/g, '')
    .split(NAMES_END, 1);
  const parts = first
    .slice(0, TAIL_VERB.exec(first)?.index)
    .slice(0, TAIL.exec(first)?.index)
    .replace(/(?<=[\p{L}\p{M}]{3}|[^\p{sc=Latin}\s.])[.。]$/u, '')
    .split(/ ?[,;、，] ?(?:and |und |et )?| (?:and|und|et|&|with|mit|avec|con) /iu)
    .map((part) => part.trim().replace(/\s?(?:기자|記者|记者|さん|氏)(?: .{0,60})?$/u, ''));
  const names: string[] = [];
  for (const part of parts.slice(0, MAX_NAMES)) {
    if (!isName(part, hasBy) && !isHandle(part, text, text !== whole)) break;
    if (names.length > 0 && (ROLE.test(part) || !/ |[^\p{Lu}\p{Ll}.'’-]/u.test(part))) break;
    names.push(part);
  }
  // A single word beside a date is a section of the site, for example in "12 May 2026 · Politics".
  const isSection = !hasBy && text !== whole && whole.endsWith(text) && /^\p{Lu}\p{L}*$/u.test(names.join());
  return isSection ? undefined : cleanAuthor(names.join(', '));
}

const FIRST_WORD = /^([\p{L} ]{1,14}:?) \| /u;

function joined(whole: string, first: string): string {
  return BY.test(`${first} A`) && withoutBy(`${first} A`) === 'A' ? `${first} ` : whole;
}

const WEEKDAY = new RegExp(`${words.weekdays}[\\s,]{0,3}$`, 'i');

const MAX_LABEL_WORDS = 3;
const DATE_WORD = / (?:(?:entry |giriş )?(?:date|datum|data|fecha|дата|تاریخ|تاريخ|tarihi)) ?:? ?$/iu;
/** Matches the first word of a label such as "Last updated". */
const LAST_WORD = /^(?:last|zuletzt|letzte|dernière|última|ultima|son|senast|sist|ostatnia|последнее)$/iu;

function isDateLabel(word: string): boolean {
  return (PUBLISHED_LABEL.test(word) || UPDATED_LABEL.test(word)) && !/^post$/i.test(word);
}

function withoutDate(line: string): string {
  const [date] = findDates(line);
  // A date in an unknown language is not found, so the first number counts as the date's beginning.
  const start = date?.start ?? line.search(/(?<= )\p{Nd}/u);
  if (start < 0) return line;
  const before = line.slice(0, start).replace(WEEKDAY, '').split(' ');
  const last = before.findLastIndex((word) => isDateLabel(word));
  const label = LAST_WORD.test(before[last - 1] ?? '') ? last - 1 : last;
  const names = (label < before.length - MAX_LABEL_WORDS || label < 1 ? before : before.slice(0, label))
    .join(' ')
    .replace(DATE_WORD, '')
    .replace(/[\s,|/(»–—-]{1,9}$/, '')
    .replace(/ (?:on|at|am|vom|le|el|den|il|op|em|på|dne|dnia)$/i, '');
  const rest = line.slice(date?.end ?? 0).replace(/^[\s,.|·•/)–—-]{1,9}/, '');
  return names || rest.replace(TIME_FIRST, '');
}

const TIME_FIRST = /^\d{1,2}[:.]\d{2}(?: ?(?:Uhr|h|hs|[ap]\.?m\.?))?[\s,|·•/)–—-]{1,9}/i;

/** Matches "by" after a date, for example in "Posted on 2 May 2026 by Ada Lake". */
const BY_BEHIND = /[\s|·•,(–—-](?=(?:by|von|par|por|di|door|av|af|przez|от) \p{Lu})/u;

function behindDate(line: string): string | undefined {
  const dates = BY_BEHIND.test(line) ? findDates(line) : [];
  const rest = dates.length > 0 ? line.slice(dates.at(-1)?.end) : '';
  const at = rest.search(BY_BEHIND);
  return at < 0 ? undefined : rest.slice(at + 1);
}

function isName(text: string, hasBy: boolean): boolean {
  if (LABEL.test(text) || NO_NAME.test(text) || PICTURES_FIRST.test(text) || /[\d!?:"]/.test(text))
    return false;
  if (DENSE_NAME.test(text)) return true;
  const words = text.split(' ');
  if (words.length > MAX_NAME_WORDS || (words.length < 2 && hasBy && ROLE.test(text))) return false;
  if (words.some((word) => word.endsWith('.') && word.length > 4)) return false;
  const capitals = words.filter((word) => !PARTICLE.test(word));
  if (capitals.length === 0 || (words.length > 1 && ROLE.test(text) && !hasBy)) return false;
  // In names such as d’Ormesson, a small particle precedes the capital.
  return capitals.every((word) => /^['’"(]?(?:\p{Ll}{1,4}['’])?(?:\p{Lu}|\p{Lo})/u.test(word));
}

const GIVEN_NAMES = new Set(given.names.split(' '));
const MAX_PERSON_WORDS = 4;

/** True if each of the names is a given name and a family name, so that it needs no "by" and no class. */
export function areKnownPersons(names: string | undefined): boolean {
  return (names ?? '').split(', ').every((name) => {
    const plain = name.replace(/^(?:(?:Dr|Prof)\. ){0,2}/, '');
    const words = plain.split(' ');
    const [first = '', last = ''] = [words[0]?.toLowerCase().split('-', 1)[0], words.at(-1)];
    if (!GIVEN_NAMES.has(first) || words.length < 2 || words.length > MAX_PERSON_WORDS) return false;
    return isName(plain, false) && /^\p{Lu}\p{L}/u.test(last) && !words.some((word) => NO_NAME.test(word));
  });
}

/** True for the name of an account, such as `ada_lake`. A name of letters alone counts only beside a date. */
function isHandle(name: string, line: string, isDated: boolean): boolean {
  const isAccount = /^[\p{L}\p{N}_.-]{3,30}$/u.test(name) && (isDated || /[\p{N}_]/u.test(name));
  const isWritten =
    WRITTEN_BY.test(line) || LABELLED.test(line) || (isDated && BY.test(line) && /[\p{N}_]/u.test(name));
  return isAccount && isWritten && !NO_NAME.test(name);
}

export function isNameOfPerson(text: string): boolean {
  return text
    .split(/[\s,;]+/)
    .every((word) => PARTICLE.test(word) || /^\P{Ll}|^\p{Ll}{1,4}['’]\p{Lu}/u.test(word));
}

export function beginsWithBy(line: string): boolean {
  return (
    BY_INSIDE.test(line) || line.split(' | ').some((part) => BY.test(part.trim()) || REPORTER.test(part))
  );
}
