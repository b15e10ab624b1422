import { readRelativeDay } from '../../../../lib/time/relative-day.ts';
import { findDates, readDate, toIsoDate, toIsoDay } from '../../../../lib/time/written-date.ts';
import { hasRange, OTHER_LABEL, PUBLISHED_LABEL, UPDATED_LABEL } from '../../../extracting/date-labels.ts';
import { descendants, elementsIn, type HtmlElement, nextNode } from '../parsing/node.ts';
import { BLOCK_TAGS, HEADING_TAGS, UNREAD_TAGS } from '../parsing/tags.ts';
import { weightedLength } from '../parsing/white-space.ts';
import { plainText } from '../records/record-text.ts';
import {
  areKnownPersons,
  beginsWithBy,
  cleanAuthor,
  LABELLED,
  readByline,
  WRITTEN_BY,
} from './author-name.ts';
import { BylineScope, namesOf, neighborOf } from './byline-scope.ts';

export interface Byline {
  readonly published?: string | undefined;
  readonly author?: string | undefined;
  readonly lateAuthor?: string | undefined;
  /** A person named near the title or under the text, without a word or a class that says "author". */
  readonly person?: string | undefined;
}

const MAX_LINE_CHARS = 120;
const MAX_LINE_NODES = 60;
const PROSE_CHARS = 100;
/** After this many paragraphs, a date counts only if a label such as "Published" precedes it. */
const NEAR_PARAGRAPHS = 2;
const MAX_CANDIDATES = 300;
const MAX_DATE_WORDS = 8;
const MAX_NAMED_WORDS = 14;
const MAX_LABEL_CHARS = 20;
const MAX_DISTINCT_DATES = 2;
const MAX_PARTS = 20;
/** Lengths of a month (`2026-03`) and of a day (`2026-03-14`) in ISO 8601. */
const MONTH_CHARS = 7;
const DAY_CHARS = 10;
const DAY_MS = 24 * 3_600_000;
/** Earlier years are rejected, because the web was not public before 1993. */
const FIRST_YEAR = 1993;

const PUBLISHED_NAME =
  /(?:^|-)(?:published|pubdate|publish-?date|date-published|entry-date|post-date|posted-on|article-date|dateline|publication-date|release-date|created|submitted)(?:-|$)/;
const UPDATED_NAME = /(?:^|-)(?:updated|modified|last-?mod|date-modified|revised)(?:-|$)/;
const DATE_NAME =
  /(?:^|-)(?:date|time|time-?ago|timestamp|datetime|meta|byline|info|details|posted|submitted)(?:-|$)/;
const AUTHOR_NAME =
  /(?:^|-)(?:author|authors|byline|writer|author-name|byline-name|autor|auteur|vcard|reporter|contributor)(?:-|$)/;

const AUTHORS_NAME = /(?:^|-)(?:authors|autoren|auteurs|autores)(?:-|$)/;
const MAX_AUTHORS = 10;

interface BylineMatch {
  readonly element: HtmlElement;
  readonly zone: Zone;
  /** True near the title if text follows, so the element is not in the footer of a page without text. */
  readonly isHead: boolean;
  readonly isAboveHeadings: boolean;
}

/** `before` is the number of paragraphs before the element. */
type PlacedByline = Omit<BylineMatch, 'isHead'> & { readonly before: number };

type Zone = 'above' | 'head' | 'near' | 'later';

/** Finds author and date on a page. `titles` are in lower case; `isEvent` is true for a page of events. */
export function findByline(
  root: HtmlElement,
  titles: ReadonlySet<string>,
  language: string | undefined,
  isEvent: boolean,
): Byline {
  const headings = [...elementsIn(root)].filter(({ tag }) => HEADING_TAGS.has(tag));
  const scope = new BylineScope(root, headings, titles);
  const candidates = collectCandidates(root, scope);
  for (const { element } of candidates)
    if (element.tag === 'time' || findDates(lineOf(element), language).length > 0) scope.countItem(element);
  const own = candidates.filter(
    ({ element, zone, isHead, isAboveHeadings }) =>
      !scope.isApart(element, zone === 'later', isHead, isAboveHeadings || endsText(element, zone)) &&
      (zone !== 'above' ||
        (element.tag === 'meta' && element.parentNode === root) ||
        scope.isBesideAnchor(element)),
  );
  const published = chooseDate(own, language, isEvent) ?? (isEvent ? undefined : relativeDate(own, language));
  return { published, ...chooseAuthors(root, own) };
}

function collectCandidates(root: HtmlElement, scope: BylineScope): BylineMatch[] {
  const found: PlacedByline[] = [];
  let zone: Zone = scope.anchor ? 'above' : 'head';
  let paragraphs = 0;
  for (let node = nextNode(root, root), inside = true; node; node = nextNode(node, root, inside)) {
    inside = true;
    if (node.nodeType === 3) {
      if (zone === 'above' || !isProse(node.data)) continue;
      paragraphs++;
      zone = paragraphs > NEAR_PARAGRAPHS ? 'later' : 'near';
      continue;
    }
    if (node === scope.anchor) zone = 'head';
    if (HEADING_TAGS.has(node.tag)) scope.passHeading(node);
    inside = node.tag === 'meta' || !(UNREAD_TAGS.has(node.tag) || node.tag === 'nav');
    if (!inside || found.length >= MAX_CANDIDATES || !isCandidate(node, zone)) continue;
    found.push({ element: node, zone, isAboveHeadings: scope.isAboveHeadings(node), before: paragraphs });
  }
  return found.map((one) => placed(one, paragraphs, scope.anchor));
}

function placed(
  { before, ...one }: PlacedByline,
  paragraphs: number,
  anchor: HtmlElement | undefined,
): BylineMatch {
  const isAboveHeadings = one.isAboveHeadings && one.zone !== 'above' && one.zone !== 'later';
  const isHead = anchor !== undefined && one.zone !== 'later' && before < paragraphs;
  return { ...one, isAboveHeadings, isHead };
}

function isProse(text: string): boolean {
  return text.length >= PROSE_CHARS / 3 && weightedLength(text) >= PROSE_CHARS;
}

const LINE =
  /^(?:p|div|span|address|small|strong|b|em|i|li|td|h[2-6]|cite|section|header|footer|summary|dd|font|center|byline|author)$/;

function isCandidate(element: HtmlElement, zone: Zone): boolean {
  const { tag, attributes } = element;
  if (isMarkedDate(element) || isProperty(element, 'author')) return true;
  if (tag === 'meta') return false;
  if (/(?:^|\s)author(?:\s|$)/.test(attributes.rel ?? '')) return true;
  const names = namesOf(element);
  const named =
    attributes['data-timestamp'] !== undefined ||
    attributes['data-datetime'] !== undefined ||
    (tag === 'abbr' && /^\d{4}-\d\d/.test(attributes.title ?? '')) ||
    DATE_NAME.test(names) ||
    PUBLISHED_NAME.test(names) ||
    AUTHOR_NAME.test(names) ||
    (zone !== 'later' && isAuthorLink(element));
  if (!named && !LINE.test(tag)) return false;
  const line = lineOf(element) || (zone === 'later' ? '' : datelineOf(element));
  if (!named && zone === 'above') return isBareDate(line);
  if (!named && zone === 'later' && !isLabelled(line) && !LABELLED.test(line))
    return isSignature(element, zone);
  if (line === '') return false;
  const isAlone = zone === 'head' ? areKnownPersons(line) : isSignature(element, zone);
  return named || isAlone || /\p{N}{4}|\p{N}年/u.test(line) || beginsWithBy(line);
}

/** True for a line that may follow the last heading of a text, by its label or its place. */
function endsText(element: HtmlElement, zone: Zone): boolean {
  const line = lineOf(element);
  return zone === 'later' && ((LABELLED.test(line) && !isLabelled(line)) || isSignature(element, zone));
}

const MAX_SIBLINGS = 40;
const MAX_PROSE_CHARS = 10_000;
/** Matches text that ends as a sentence does and does not begin as a quotation does. */
const SENTENCE_ONLY = /^[^"'“”„«»‘‹].*[.!?…。](?:[)\]]|\s)?$/su;
/** Matches the mark of a note, such as "(1) ". */
const NOTE = /^\s{0,20}[([]?\d/;

/** True for a line of its own that ends the text, such as the name under a letter. Notes may follow. */
function isSignature(element: HtmlElement, zone: Zone): boolean {
  if (zone === 'above' || zone === 'head' || !areKnownPersons(lineOf(element))) return false;
  let box = element;
  while (!BLOCK_TAGS.has(box.tag) && box.parentNode && !hasTextBefore(box)) box = box.parentNode;
  if (box.tag !== 'p' || box.getElementsByTagName('a').length > 0) return false;
  const before = neighborOf(box, 'previousSibling');
  const prose = before?.tag === 'p' ? before.textContent.slice(0, MAX_PROSE_CHARS) : '';
  if (!isProse(prose) || !SENTENCE_ONLY.test(prose.trim())) return false;
  for (let node = box.nextSibling, left = MAX_SIBLINGS; node && left > 0; node = node.nextSibling, left--) {
    const text =
      node.nodeType === 3 ? node.data : UNREAD_TAGS.has(node.tag) ? '' : plainText(node, PROSE_CHARS);
    if (text.trim() !== '' && !NOTE.test(text)) return false;
  }
  return true;
}

/** True if a line is only a date, or a date and the name of a section. A date with a weekday does not count: it is often the present day. */
function isBareDate(line: string): boolean {
  const [date] = /\d{4}/.test(line) ? findDates(line) : [];
  return date?.start === 0 && /^(?: ?[|·•/–-] .{1,60})?$/.test(line.slice(date.end));
}

function isLabelled(line: string): boolean {
  return line.split(' | ').some((part) => PUBLISHED_LABEL.test(part.slice(0, MAX_LABEL_CHARS)));
}

function isMarkedDate(element: HtmlElement): boolean {
  return /^(?:relative-)?time$/.test(element.tag) || isProperty(element, 'datePublished');
}

function isProperty({ attributes }: HtmlElement, name: string): boolean {
  return (attributes.itemprop ?? attributes.property ?? '').split(/\s+/, 4).includes(name);
}

const LAST_NAME = /(?:^|-)(?:(?:last|family|sur)-?name|last|family)(?:-|$)/;

function isLastName(node: HtmlElement): boolean {
  return isProperty(node, 'familyName') || LAST_NAME.test(namesOf(node));
}

function lineOf(element: HtmlElement, isParted = false): string {
  let text = '';
  let nodes = 0;
  for (let node = nextNode(element, element), inside = true; node; node = nextNode(node, element, inside)) {
    inside = node.nodeType === 1 && !UNREAD_TAGS.has(node.tag);
    if (++nodes > MAX_LINE_NODES) return '';
    if (node.nodeType === 3) {
      // With `isParted`, ` | ` separates an inline element from the text after it.
      if (isParted && node.previousSibling?.nodeType === 1 && node.data.trim() !== '') text += ' | ';
      text += node.data.slice(0, MAX_LINE_CHARS * 4);
    } else if ((isParted && !isLastName(node)) || BLOCK_TAGS.has(node.tag) || node.tag === 'br')
      text += ' | ';
    else if (!/^(?:a|b|i|em|strong|abbr)$/.test(node.tag)) text += ' ';
    if (text.length > MAX_LINE_CHARS * 4) return '';
  }
  const line = text
    .replace(/\s+/g, ' ')
    .replace(/\|(?: \|)+/g, '|')
    .replace(/^ ?\| ?| ?\| ?$/g, '')
    .trim();
  return line.length > MAX_LINE_CHARS ? '' : line;
}

const MAX_DATELINE_CHARS = 100;
const PLACE =
  /^(?:\d{1,2}\D|(?:\p{Lu}[\p{L}.'’-]{0,30}[ ,/(–—-]{1,5}){1,8}$|\p{Lu}\p{L}{3,20} (?:vom|du|del|of|av) $)/u;

/** Returns the beginning of a paragraph up to its date, for example "NEW YORK, NY / AGENCY / May 7, 2024". */
function datelineOf(element: HtmlElement): string {
  if (element.tag !== 'p') return '';
  const text = plainText(element, MAX_DATELINE_CHARS).trim();
  const [date] = PLACE.test(`${text.split(' ', 1)[0]} `) ? findDates(text) : [];
  if (!date || !(date.start === 0 || PLACE.test(text.slice(0, date.start)))) return '';
  return /^ ?(?:\([^()]{1,30}\) ?)?[/|:–—-]/u.test(text.slice(date.end))
    ? text.slice(0, date.end).replaceAll(' / ', ' | ')
    : '';
}

type Rank = 0 | 1 | 2 | 3;

/** Prefers a date labelled as publication, then the date nearest to the heading, then an update. */
function chooseDate(candidates: readonly BylineMatch[], language: string | undefined, isEvent: boolean) {
  const ranked: (readonly [date: string, rank: Rank])[] = [];
  const unlabelled = new Set<string>();
  for (const { element, zone } of candidates) {
    const date = dateOf(element, language);
    if (!date || !isLikely(date.iso)) continue;
    const rank = rankOf(element, zone, date);
    if (rank === undefined || (isEvent && rank > 0)) continue;
    if (rank === 1 || rank === 2) unlabelled.add(date.iso.slice(0, 10));
    ranked.push([date.iso, rank]);
  }
  const best = ranked.reduce<number>((least, [, rank]) => Math.min(least, rank), 4);
  // More than two different dates without a label belong to list items and not to the page.
  if ((best === 1 || best === 2) && unlabelled.size > MAX_DISTINCT_DATES) return undefined;
  const [day] = ranked.find(([, rank]) => rank === best) ?? [];
  // If the page also shows the chosen day with a time of day, returns the day with this time.
  return ranked.find(([iso]) => day !== undefined && iso.startsWith(`${day}T`))?.[0] ?? day;
}

function relativeDate(candidates: readonly BylineMatch[], language: string | undefined): string | undefined {
  const lines = candidates.flatMap(({ element, zone }) => (zone === 'head' ? lineOf(element) : []));
  const parts = lines.flatMap((line) => line.split(/ [|·•] /)).slice(0, MAX_PARTS);
  return parts.map((part) => readRelativeDay(part, language)).find(Boolean);
}

interface ShownDate {
  readonly iso: string;
  readonly label: string;
  readonly line: string;
  readonly isMarked: boolean;
}

function dateOf(element: HtmlElement, language: string | undefined): ShownDate | undefined {
  const { attributes } = element;
  const line = lineOf(element) || datelineOf(element);
  const isMarked = isMarkedDate(element);
  const { datetime, content, title } = attributes;
  const data = ['data-datetime', 'data-date', 'data-timestamp'].map((name) => attributes[name]);
  const given = isMarked ? [datetime, content, title] : [datetime, ...data, title];
  const label = isMarked ? labelBefore(element) : '';
  for (const value of given) {
    const iso = toIsoDate(value, language);
    if (iso !== undefined && iso.length >= (isMarked ? MONTH_CHARS : DAY_CHARS))
      return { iso, label, line, isMarked };
  }
  const apart = findDates(line, language);
  // If no part of the line is a whole date, its day, month and year may be in separate elements.
  const dates = apart.length > 0 ? apart : findDates(line.replaceAll(' | ', ' '), language);
  const published = dates.find(({ start }, at) =>
    PUBLISHED_LABEL.test(line.slice(dates[at - 1]?.end ?? 0, start)),
  );
  const date = published ?? dates[0];
  if (!date) return undefined;
  const before = dates[dates.indexOf(date) - 1]?.end ?? 0;
  return { iso: toIsoDay(date), label: `${label} ${line.slice(before, date.start)}`, line, isMarked };
}

function labelBefore(element: HtmlElement): string {
  let box = element;
  while (!hasTextBefore(box) && box.parentNode && !BLOCK_TAGS.has(box.parentNode.tag)) box = box.parentNode;
  let node = box.previousSibling;
  let text = '';
  for (let left = 4; node && left > 0 && text.length < MAX_LINE_CHARS / 2; left--) {
    if (node.nodeType === 1 && (node.tag === 'time' || HEADING_TAGS.has(node.tag))) break;
    text = `${node.nodeType === 3 ? node.data : lineOf(node)} ${text}`;
    node = node.previousSibling;
  }
  const before = text.replace(/\s+/g, ' ').trim();
  return before.length > MAX_LINE_CHARS / 2 ? '' : before;
}

function hasTextBefore({ previousSibling: before }: HtmlElement): boolean {
  return before !== null && (before.nodeType === 1 || before.data.trim() !== '');
}

/** Ranks a date: 0 published, 1 unlabelled near the title, 2 unlabelled in the text, 3 updated. */
function rankOf(element: HtmlElement, zone: Zone, { label, line, isMarked }: ShownDate): Rank | undefined {
  const names = namesOf(element);
  // Under the text, a line such as "Author: Ada on 2 May 2026" says when. With other labels it is of a book.
  if (zone === 'later' && !isMarked && LABELLED.test(line) && !isLabelled(line))
    return PUBLISHED_LABEL.test(line) || UPDATED_LABEL.test(line) ? undefined : 3;
  const property = ['datePublished', 'dateModified', 'startDate', 'endDate'].findIndex((one) =>
    isProperty(element, one),
  );
  if (property >= 0) return ([0, 3] as const)[property];
  if (element.attributes.pubdate !== undefined) return 0;
  if (UPDATED_LABEL.test(label)) return 3;
  if (PUBLISHED_LABEL.test(label)) return 0;
  if (OTHER_LABEL.test(label)) return undefined;
  if (PUBLISHED_NAME.test(names)) return 0;
  if (UPDATED_NAME.test(names)) return 3;
  if (zone === 'later' || (isMarked ? isInProse(element) : isSentence(line, names))) return undefined;
  return zone === 'head' ? 1 : 2;
}

function isInProse({ parentNode: parent }: HtmlElement): boolean {
  let chars = 0;
  for (let node = parent?.firstChild; node && chars <= MAX_LINE_CHARS / 2; node = node.nextSibling)
    if (node.nodeType === 3) chars += node.data.trim().length;
  return chars > MAX_LINE_CHARS / 2;
}

function isSentence(line: string, names: string): boolean {
  if (hasRange(line) || (/[.!?。]$/.test(line) && !/(?:\d|(?<![\p{L}\p{M}])\p{L}{1,2})\.$/u.test(line)))
    return true;
  const part = line.split(/ [|·•] /).find((one) => /\d{4}/.test(one)) ?? line;
  const most = DATE_NAME.test(names) || beginsWithBy(line) ? MAX_NAMED_WORDS : MAX_DATE_WORDS;
  return part.split(' ').length > most;
}

export function isLikely(iso: string): boolean {
  return Number(iso.slice(0, 4)) >= FIRST_YEAR && Date.parse(iso.slice(0, 10)) <= Date.now() + DAY_MS;
}

function chooseAuthors(root: HtmlElement, candidates: readonly BylineMatch[]): Omit<Byline, 'published'> {
  const isEarly = ({ zone }: BylineMatch) => zone !== 'later';
  const person = candidates.map(({ element, zone }) => {
    const names = /^h\d$/.test(element.tag) ? undefined : readByline(lineOf(element), true);
    if (!areKnownPersons(names) || !(isBesideDate(element) || isSignature(element, zone))) return undefined;
    const boxes = [element, element.parentNode, ...element.getElementsByTagName('a')];
    return boxes.some((box) => box && isCategory(box)) ? undefined : names;
  });
  return {
    author: authorsIn(candidates.filter(isEarly)),
    lateAuthor: authorsIn(candidates.filter((one) => !isEarly(one))),
    person: person.find(Boolean) ?? authorOfBox(root),
  };
}

/** True for a line that has a date in it, or an element with a date directly beside it. */
function isBesideDate(element: HtmlElement): boolean {
  const beside = (['previousSibling', 'nextSibling'] as const).map((side) => neighborOf(element, side));
  return [element, element.parentNode, ...beside].some(
    (one) => one && (isMarkedDate(one) || findDates(lineOf(one)).length > 0),
  );
}

const AUTHOR_BOX =
  /(?:^|-)author-?(?:box|bio|info|card|section|details?|wrap\w*|profile|description|links)(?:-|$)/;
const MAX_BOXES = 20;
const MAX_BOX_LEVELS = 3;
const MAX_COMMENT_LEVELS = 20;
const OF_COMMENTS = /(?:^|-)(?:comments?|comment-?list|kommentare?|replies|respond|disqus)(?:-|$)/;
const NOT_OF_TEXT =
  /(?:^|-)(?:comments?|related|teasers?|reviews?|quotes?|testimonials?|sidebar|widget)(?:-|$)/;
const ALL_BY =
  /^(?:about|(?:view |see )?(?:all|more)(?: \p{L}{1,12}){0,2} (?:by|from)|alles von|alle \p{L}{1,12} von|über) /iu;

/** Returns the person whom the page's boxes about an author name, if all name the same. */
function authorOfBox(root: HtmlElement): string | undefined {
  const names = new Set<string>();
  let left = MAX_BOXES;
  for (const box of elementsIn(root)) {
    if (left <= 0 || !AUTHOR_BOX.test(namesOf(box)) || isOfOtherText(box)) continue;
    left--;
    const lines = [...elementsIn(box)].slice(0, MAX_LINE_NODES).map((one) => lineOf(one).replace(ALL_BY, ''));
    const name = lines.map((line) => readByline(line, true)).find((one) => one && areKnownPersons(one));
    if (name) names.add(name);
  }
  return names.size === 1 ? [...names][0] : undefined;
}

function isOfOtherText(box: HtmlElement): boolean {
  let at: HtmlElement | null = box;
  for (let level = 0; at && at.tag !== 'body' && level < MAX_COMMENT_LEVELS; level++, at = at.parentNode) {
    const names = level < MAX_BOX_LEVELS ? NOT_OF_TEXT : OF_COMMENTS;
    if (names.test(namesOf(at)) || /^(?:nav|template)$/.test(at.tag)) return true;
  }
  return false;
}

function authorsIn(candidates: readonly BylineMatch[]): string | undefined {
  return markedAuthors(candidates) ?? namedAuthors(candidates);
}

function markedAuthors(candidates: readonly BylineMatch[]): string | undefined {
  const marked = candidates.filter(
    ({ element }) =>
      isProperty(element, 'author') || /(?:^|\s)author(?:\s|$)/.test(element.attributes.rel ?? ''),
  );
  const names = new Set<string>();
  for (const { element } of marked) {
    const name = cleanAuthor(nameOf(element)) ?? cleanAuthor(nameByAddress(element));
    if (name !== undefined && readDate(name) === undefined) names.add(name);
  }
  const distinct = [...names].filter(
    (name) => ![...names].some((other) => other !== name && other.includes(name)),
  );
  return distinct.slice(0, MAX_AUTHORS).join(', ') || undefined;
}

function namedAuthors(candidates: readonly BylineMatch[]): string | undefined {
  for (const isCalled of [true, false]) {
    for (const { element } of candidates) {
      const isAuthor = AUTHOR_NAME.test(namesOf(element)) || isAuthorLink(element);
      if (isAuthor !== isCalled || isCategory(element)) continue;
      const name = isCalled ? (namesIn(element, true) ?? accountIn(element)) : nameBehindBy(element);
      if (name !== undefined) return name;
    }
  }
  return undefined;
}

function nameBehindBy(element: HtmlElement): string | undefined {
  const name = namesIn(element, false);
  return name?.includes(' ') || (name && isAloneName(element, name)) ? name : undefined;
}

/** Returns the name of an account in lower case whose link leads to its author's page. */
function accountIn(element: HtmlElement): string | undefined {
  const line = lineOf(element);
  return isAuthorLink(element) && /^[\p{L}\p{N}_.-]{3,30}$/u.test(line) ? cleanAuthor(line) : undefined;
}

/** True for a single word behind "Posted by" that is written like a name or an account, or has an element of its own. */
function isAloneName(element: HtmlElement, name: string): boolean {
  const line = lineOf(element);
  if (!/^\p{Ll}+$/u.test(name)) return !/^\p{Lu}[^\p{N}_]*$/u.test(name) || WRITTEN_BY.test(line);
  if (/^posted in /i.test(line) && findDates(line).length > 0) return true;
  const isOwn = (box: HtmlElement) => box.tag === 'a' || /(?:^|-)user-?name(?:-|$)/.test(namesOf(box));
  return [...elementsIn(element)].slice(0, MAX_LINE_NODES).some((box) => isOwn(box) && lineOf(box) === name);
}

/** Returns the text of the link before that leads to the same address, of an author whose link says "View more posts". */
function nameByAddress({ attributes: { href }, parentNode }: HtmlElement): string | undefined {
  const links = parentNode?.getElementsByTagName('a').filter((link) => href && link.attributes.href === href);
  return links?.map((link) => readByline(lineOf(link), true)).find(Boolean);
}

function namesIn(element: HtmlElement, isCalled: boolean): string | undefined {
  const line = lineOf(element);
  const label = isCalled ? labelBefore(element) : '';
  const whole = beginsWithBy(`${label} A`) ? `${label} ${line}` : line;
  const parted = readByline(lineOf(element, true), isCalled);
  const joined = readByline(whole, isCalled) ?? parted;
  // If an element contains a complete name, words after the element do not belong to the name.
  const name = parted?.includes(' ') && joined?.startsWith(`${parted} `) ? parted : joined;
  return isCalled && name ? withCoauthors(element, name) : name;
}

/** Matches separators between names, for example commas, "and" and footnote numbers. */
const BETWEEN = /^(?:[\s,;&|·•*†‡§\d]|(?:and|und|et|y|e|en|og|och|with|mit|avec|con|и)(?!\p{L})){0,20}$/iu;

/** Adds co-authors whose names are in elements of the same kind as the element of the first name. */
function withCoauthors(element: HtmlElement, name: string): string {
  const boxes = [...elementsIn(element)].slice(0, MAX_LINE_NODES);
  const first = [element, ...boxes].findLast((box) => readByline(lineOf(box), true) === name);
  if (!first) return name;
  let top = first;
  for (let level = 0; level < 3 && top.parentNode; level++) top = top.parentNode;
  const isList = AUTHORS_NAME.test(namesOf(element));
  const names = new Set([name]);
  for (let node = nextNode(first, top, false), nodes = 0; node && ++nodes < MAX_LINE_NODES * 2; ) {
    const isNext = node.nodeType === 1 && isLike(node, first, isList);
    const next: string | undefined = isNext ? readByline(lineOf(node as HtmlElement), true) : undefined;
    if (node.nodeType === 3 ? !BETWEEN.test(node.data.slice(0, MAX_LINE_CHARS)) : isNext && !next) break;
    if (next) names.add(next);
    node = nextNode(node, top, !isNext && node.nodeName !== 'SUP');
  }
  return [...names].slice(0, MAX_AUTHORS).join(', ');
}

function isLike(element: HtmlElement, first: HtmlElement, isList: boolean): boolean {
  if (element.tag !== first.tag || lineOf(element) === '') return false;
  const { class: names } = element.attributes;
  const isNamed =
    names !== undefined && names === first.attributes.class && (isList || AUTHOR_NAME.test(namesOf(element)));
  return (
    isNamed || (isAuthorLink(element) && isAuthorLink(first)) || (isList && /^(?:a|li)$/.test(element.tag))
  );
}

function isAuthorLink({ tag, attributes }: HtmlElement): boolean {
  const address = (attributes.href ?? '').slice(0, MAX_LINE_CHARS);
  return (
    tag === 'a' &&
    /\/(?:authors?|writers?|staff|contributors?|autor(?:en|es|i)?|auteurs?|autores)\/[^/?#]/.test(address)
  );
}

function isCategory(element: HtmlElement): boolean {
  const { attributes } = element;
  return (
    (/(?:^|-)category(?:-|$)/.test(namesOf(element)) && !beginsWithBy(lineOf(element))) ||
    /\b(?:category|tag)\b/.test(attributes.rel ?? '') ||
    /\/(?:category|categories|tags?|topics?|them(?:a|en)|keywords?|subjects?|etiquetas?)\//.test(
      attributes.href ?? '',
    )
  );
}

function nameOf(element: HtmlElement): string {
  for (const node of descendants(element)) {
    if (node.nodeType === 1 && isProperty(node, 'name')) return node.attributes.content ?? lineOf(node);
  }
  const line = element.attributes.content ?? lineOf(element);
  return readByline(line, true) ?? readByline(lineOf(element, true), true) ?? line;
}
