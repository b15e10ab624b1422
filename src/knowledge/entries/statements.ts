import { sentences } from '../../lib/text/sentences.ts';
import { readTimeWord, type TimeWord } from '../../lib/time/time-words.ts';
import { findDays } from '../../lib/time/written-date.ts';
import { findSigns, findWordRoot } from '../ranking/search-words.ts';
import { findReplacement, HELPERS } from './replacements.ts';
import WORDS from './statement-words.json' with { type: 'json' };

export interface Contradiction {
  readonly older: string;
  readonly newer: string;
  /** What differs, such as `820 → 865` or `the opposite`. */
  readonly differs: string;
}

/** What a clause says about its subject: the words before and after a verb such as `is` or `lives`. */
export interface SubjectStatement {
  readonly sentence: string;
  readonly subject: ReadonlySet<string>;
  readonly isOwn: boolean;
  /** Class of the verb, such as `live`. `verb` is undefined if the clause has no known verb. */
  readonly verb: string | undefined;
  /** Values by name: `20 kg` has the name `kg`, `room 12` the name `room`. Names of dates begin with `@`. */
  readonly values: ReadonlyMap<string, string>;
  /** True if `:`, `=` or `→` replaces the verb (`Deadline: 20 May`). The subject is a label or a speaker. */
  readonly isLabelled: boolean;
  readonly names: readonly string[];
  readonly rest: ReadonlySet<string>;
  readonly scopes: ReadonlySet<string>;
  /** Signs other than words, such as flags. Statements with different signs have different subjects. */
  readonly signs: string;
  readonly isDenied: boolean;
  /** True if a word such as `not` denies the clause, and not only a word such as `closed` or `hate`. */
  readonly isNegated: boolean;
  /** True for `no longer` and the like. */
  readonly isOver: boolean;
  /** Words for who loves or hates, if the clause has such a verb. */
  readonly agent: ReadonlySet<string> | undefined;
  /** The old value and `what` has it, in a clause such as `moved the plants from the kitchen to the balcony`. */
  readonly replaced?: Readonly<Record<'gone' | 'what', ReadonlySet<string>> & { differs: string }>;
  readonly written: ReadonlyMap<string, string>;
}

type TokenKind =
  | ('verb' | 'first' | 'unknown' | 'past' | 'change' | 'from' | 'negation' | 'word' | 'stop')
  | ('scope' | 'title' | 'number' | 'code' | TimeWord['kind']);

interface Token {
  readonly raw: string;
  readonly low: string;
  readonly kind: TokenKind;
  readonly value: string;
}

/** Longer texts are not compared, because they state many facts. */
export const MAX_COMPARED_CHARS = 400;
const MAX_CLAUSES = 6;
const MAX_TOKENS = 40;
const TOKEN =
  /[:=→\p{Sc}]|[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}]|[-._/+@](?=[\p{L}\p{M}\p{N}])|(?<=\p{N})[,:](?=\p{N})){0,80}(?:(?<=\p{L})(?:\+\+(?!\p{L})|[+#](?![\p{L}\p{N}])))?/gu;
/** Matches the box of a task, and one or two words in brackets, such as `(left)`, which are part of the clause. */
const REMARK = /\[[ xX/-]\]|[(（]([^\s()（）,;]{1,20}(?: [^\s()（）,;]{1,20})?)[)）]/gu;
/** Matches an address of the web. Notes such as `Saved for later: https://…` differ by it and have no other subject. */
const ADDRESS = /https?:\/\/\S{1,2000}/gi;
/** Matches pictures at the end of a clause, which decorate it. A flag is not one of them. */
const DECORATION = /[\p{Extended_Pictographic}\p{M}\p{P}\s\u200d]{1,20}$/u;
const CLAUSE_ENDS = /[;()、，；。]|,(?!\d)/u;
const NUMBER = /^\p{N}[\p{N}.,:]*$/u;
const YEAR = /^(?:19|20)\d\d$/;
const CLOCK = /^(?:[ap]\.?m|uhr|h|heures?|horas?|часов|часа|uur)$/;
const MAX_HOUR = 24;
/** Matches a time of day such as `9:00`, `15h30` and `3pm`, with or without the word after it. */
const TIME_OF_DAY = /^(\d{1,2})(?:[:h](\d\d))?([ap]\.?m|h)?$/;
const MARK = /^[:=→]$/;
const MAX_DAY = 31;

const setOf = (words: string) => new Set(words.split(' '));
const PLACES = setOf(WORDS.places);
const AMOUNTS = setOf(WORDS.amounts);
const CLOCK_PLACES = setOf(WORDS.clocks);
const DURATIONS = setOf(WORDS.durations);
/** Forms of one meaning in other words: `alle ore 9` is `at 9`, and `was changed to` says what is now. */
const REWRITES = WORDS.rewrites.map(
  ([plain = '', pattern = '']) =>
    [plain, new RegExp(`(?<!\\p{L})${pattern.replaceAll('FROM', WORDS.changedFrom)}`, 'giu')] as const,
);
/** Verbs of opening hours and timetables. A small number after them is a time of day. */
const TIMED = setOf('leave open close begin end');
const FIRST_PERSON = setOf(WORDS.firstPerson);
const PERIOD = setOf(WORDS.period);
/** Verb classes that may begin a note without a subject, such as `Started at Nordholm`. */
const WITHOUT_SUBJECT = setOf('live move work start use');
const LISTS = ['stop', 'title', 'scope', 'from', 'change', 'past', 'negation', 'unknown', 'first'] as const;
const WORD_KINDS = new Map<string, { readonly kind: TokenKind; readonly value: string }>();
for (const kind of LISTS) {
  const list = { ...WORDS, stop: WORDS.words, scope: WORDS.scopes, title: WORDS.titles }[kind];
  for (const word of list.split(' ')) WORD_KINDS.set(word, { kind, value: word });
}
for (const [value, words] of Object.entries(WORDS.verbs))
  for (const word of words.split(' ')) WORD_KINDS.set(word, { kind: 'verb', value });
for (const word of FIRST_PERSON) {
  const value = Object.entries(WORDS.verbs).find(([, words]) => words.split(' ').includes(word))?.[0];
  WORD_KINDS.set(word, { kind: 'verb', value: value ?? 'live' });
}
for (const [sign, words] of Object.entries(WORDS.currencies))
  for (const word of `${sign} ${words}`.split(' ')) WORD_KINDS.set(word, { kind: 'word', value: sign });
/** Words with an opposite. For example, `closed` is stored as the concept of `open`, with `isDenied`. */
const OPPOSITES = new Map<string, { readonly concept: string; readonly isDenied: boolean }>();
/** Verbs with an opposite, such as `love` and `hate`. Who does it counts: Ana may hate what Ben loves. */
const OPPOSITE_VERBS = setOf(WORDS.oppositeVerbs.join(' ').replaceAll('|', ' '));
for (const [at, row] of [...WORDS.opposites, ...WORDS.oppositeVerbs].entries()) {
  const [known] = row.split(/[ |]/).flatMap((word) => OPPOSITES.get(word)?.concept ?? []);
  for (const [side, words] of row.split('|').entries())
    for (const word of words.split(' '))
      OPPOSITES.set(word, { concept: known ?? `#${at}`, isDenied: side === 1 });
}
/** Forms such as Spanish `odio`, which say `I` without the word. */
const OWN_FORMS = setOf(WORDS.ownForms);
const NOMINATIVE = setOf(WORDS.nominative);
const POSSESSIVE = setOf(WORDS.possessive);
/** Words such as `any more`, with which a denial says that something held before. */
const OVER = setOf(WORDS.over);

export function readStatements(text: string): SubjectStatement[] {
  const found: SubjectStatement[] = [];
  for (const sentence of sentences(text)) {
    if (/[?？]$/.test(sentence)) continue;
    const addresses = (sentence.match(ADDRESS) ?? []).join(' ');
    for (const clause of sentence.replace(ADDRESS, ' ').replace(REMARK, ' $1 ').split(CLAUSE_ENDS)) {
      if (found.length >= MAX_CLAUSES) return found;
      const statement = readClause(clause, sentence, addresses);
      const replaced = findReplacement(clause);
      const current = replaced && readClause(replaced.plain, sentence, addresses);
      const sets = replaced && { gone: contentOf(replaced.gone), what: contentOf(replaced.what) };
      if (current && sets) found.push({ ...current, replaced: { ...replaced, ...sets } });
      if (statement) found.push(statement);
    }
  }
  return found;
}

/** Returns the root by which words are compared. Drops a Polish ending (ę, ą or y) and the `e` typed for an umlaut. */
export function rootOfWord(low: string): string {
  const root = findWordRoot(/[ęąy]$/.test(low) && low.length > 3 ? low.slice(0, -1) : low);
  return root.replace(/(?<=[aou])e/g, '');
}

function tokensOf(clause: string): Token[] {
  const tokens: Token[] = [];
  for (const [raw] of clause.matchAll(TOKEN)) {
    if (tokens.length >= MAX_TOKENS) return [];
    const low = raw.toLowerCase();
    const before = tokens.at(-1);
    const token = tokenOf(raw, low, before === undefined);
    if (token.kind === 'number' && isCurrency(before) && tokens.at(-2)?.kind !== 'number')
      tokens.splice(-1, 0, token);
    else if (
      token.kind === 'number' &&
      before?.kind === 'number' &&
      /\d$/.test(before.raw) &&
      NUMBER.test(raw)
    )
      tokens[tokens.length - 1] = {
        ...before,
        raw: `${before.raw} ${raw}`,
        value: before.value + token.value,
      };
    else tokens.push(token);
  }
  return tokens;
}

const isCurrency = (token: Token | undefined) =>
  token !== undefined && Object.hasOwn(WORDS.currencies, token.value);

function tokenOf(raw: string, low: string, isFirstWord: boolean): Token {
  if (NUMBER.test(raw)) return { raw, low, kind: 'number', value: plainNumber(raw) };
  if (/\p{N}/u.test(raw)) return { raw, low, kind: 'code', value: low };
  const known = WORD_KINDS.get(low);
  // Capital letters alone are a name, as in `Room A` and `LA`, although `a` and `la` are articles.
  if (/^\p{Lu}{1,2}$/u.test(raw) && (!known || known.kind === 'stop') && !isFirstWord)
    return { raw, low, kind: 'word', value: low };
  if (known) return { raw, low, ...known };
  const time = readTimeWord(low);
  if (time && !(time.kind === 'number' && time.value < 2)) {
    return {
      raw,
      low,
      kind: time.kind,
      value: time.kind === 'number' ? `${time.value}` : time.kind + time.value,
    };
  }
  return { raw, low, kind: time ? 'stop' : 'word', value: rootOfWord(low.replaceAll('-', '')) };
}

/** `12,500` and `12.500` become `12500`, `79,5` and `79.50` become `79.5`. */
function plainNumber(raw: string): string {
  const plain = raw.replace(/[.,](?=\d{3}(?!\d))/g, '').replace(',', '.');
  return /^\d{1,15}\.\d{1,9}$/.test(plain) ? String(Number(plain)) : plain;
}

/** Writes a time of day as `15:00`. `word` is the word after it, such as `pm`. */
function readTimeOfDay(raw: string, word = ''): string | undefined {
  const [, hour, minutes, ending] = TIME_OF_DAY.exec(raw) ?? [];
  const unit = ending ?? (CLOCK.test(word) ? word : undefined);
  if (hour === undefined || (minutes === undefined && unit === undefined)) return undefined;
  const hours = /m$/.test(unit ?? '') ? (Number(hour) % 12) + (unit?.startsWith('p') ? 12 : 0) : Number(hour);
  return `${hours}:${minutes ?? '00'}`;
}

/** Reads an hour such as in `opens at 9`. Numbers as in `opens 5 days a week` and `abre 3 horas` are counts. */
function readHour(token: Token, next?: Token, previous?: Token, verb?: Token): string | undefined {
  const time = readTimeOfDay(token.raw, next?.low);
  if (!TIMED.has(verb?.value ?? '')) return time;
  const isFirst = previous === verb;
  const isUnit =
    next && (next.kind === 'word' || DURATIONS.has(next.low) || (isFirst && next.kind === 'scope'));
  const isCount = isUnit && !CLOCK_PLACES.has(previous?.low ?? '');
  if (time !== undefined) return isCount && isFirst && DURATIONS.has(next.low) ? undefined : time;
  const isHour = !isCount && previous?.kind !== 'word' && Number(token.value) <= MAX_HOUR;
  return isHour ? readTimeOfDay(token.value, 'h') : undefined;
}

function readClause(clause: string, sentence: string, addresses: string): SubjectStatement | undefined {
  const tokens = tokensOf(
    REWRITES.reduce((said, [plain, pattern]) => said.replace(pattern, plain), clause.trim()),
  );
  if (tokens.some(({ kind }) => kind === 'past')) return undefined;
  const at = findVerb(tokens);
  const next = tokens[at + 1];
  const verb = at >= 0 && next?.kind === 'verb' ? next : tokens[at];
  const before = tokens.slice(0, at < 0 ? tokens.length : at);
  const after = at < 0 ? [] : tokens.slice(verb === next ? at + 2 : at + 1);
  if (before.some(isUnknown)) return undefined;
  const collected = collect(before, after, verb);
  const isNegated = tokens.some(({ kind }) => kind === 'negation');
  const isOwn =
    before.some(({ kind, low }) => kind === 'first' || OWN_FORMS.has(low)) ||
    (verb !== undefined && (at === 0 || FIRST_PERSON.has(verb.low) || after[0]?.kind === 'first'));
  return {
    sentence,
    isOwn,
    verb: verb?.value,
    isLabelled: verb !== undefined && MARK.test(verb.raw),
    ...collected,
    signs: [...findSigns(clause.replace(DECORATION, '')), addresses].join(' ').trim(),
    written: new Map(tokens.map((token) => [conceptOf(token), token.raw])),
    isDenied: collected.isDenied !== isNegated,
    isNegated,
    isOver: isNegated && tokens.some(({ low }) => OVER.has(low)),
    agent: findAgent(tokens),
  };
}

/** In `Tom likes his boss`, it is known whose boss is meant. */
function isUnknown({ kind, low }: Token, at: number, all: readonly Token[]): boolean {
  if (kind !== 'unknown' || !POSSESSIVE.has(low)) return kind === 'unknown';
  return !all.slice(0, at).some((token) => OPPOSITE_VERBS.has(token.low));
}

function findAgent(tokens: readonly Token[]): Set<string> | undefined {
  const at = tokens.findIndex(({ low }) => OPPOSITE_VERBS.has(low));
  if (at < 0) return undefined;
  const before = tokens.slice(0, at);
  const words = before.filter((token, index) => isWord(token, tokens[index + 1])).map(conceptOf);
  const near = [...before, ...tokens.slice(at + 1, at + 2).filter(({ raw }) => raw !== 'i')];
  const isI = OWN_FORMS.has(tokens[at]?.low ?? '') || near.some(({ low }) => NOMINATIVE.has(low));
  if (words.length > 0 && !isI) return new Set(words);
  return isI || before.some(isFirst) ? new Set(['i']) : undefined;
}

function contentOf(words: string): Set<string> {
  const isContent = ({ kind, low }: Token) =>
    /^(?:word|title|number|code|verb|scope|weekday|month|negation)$/.test(kind) && !HELPERS.has(low);
  return new Set(tokensOf(words).filter(isContent).map(conceptOf));
}

/** Finds the verb. In `Kitchen: the sink is new`, the verb is `is`, not the colon after the label. */
function findVerb(tokens: readonly Token[]): number {
  const first = tokens.findIndex(isVerb);
  const second = MARK.test(tokens[first]?.raw ?? '')
    ? tokens.findIndex((token, at) => at > first && isVerb(token, at))
    : -1;
  return second < 0 ? first : second;
}

function isVerb({ kind, value, low }: Token, index: number): boolean {
  if (kind !== 'verb') return false;
  return index > 0 || FIRST_PERSON.has(low) || WITHOUT_SUBJECT.has(value);
}

type StatementParts = Pick<SubjectStatement, 'subject' | 'values' | 'names' | 'rest' | 'scopes' | 'isDenied'>;

function collect(before: readonly Token[], after: readonly Token[], verb: Token | undefined): StatementParts {
  const subject = new Set<string>();
  const scopes = new Set<string>();
  for (const [at, token] of before.entries()) {
    if (isWord(token, before[at + 1]))
      subject.add(verb && OPPOSITES.get(token.low) ? token.value : conceptOf(token));
    else if (token.kind === 'number' || token.kind === 'code') subject.add(token.value);
    else if (isTime(token) && !isBeginning(before, at)) scopes.add(token.value);
  }
  const { rest, values, names, ...said } = collectPredicate(after, verb);
  for (const scope of said.scopes) scopes.add(scope);
  // In `Rejected applications are kept`, the first word only says which ones.
  const opposites = (verb ? after : before).filter(({ low }) => OPPOSITES.get(low)?.isDenied);
  const isInverted = subject.size === 0 && rest.size > 0 && values.size > 0 && !before.some(isFirst);
  const isDenied = opposites.length % 2 === 1;
  return verb && isInverted
    ? { subject: rest, rest: new Set(), values, names, scopes, isDenied }
    : { subject, rest, values, names, scopes, isDenied };
}

function collectPredicate(after: readonly Token[], verb: Token | undefined) {
  const [rest, scopes, units] = [new Set<string>(), new Set<string>(), new Set<Token>()];
  const values = new Map<string, string>();
  const names: string[] = [];
  for (const [at, token] of after.entries()) {
    const previous = after.slice(0, at).findLast(({ kind }) => kind !== 'change') ?? verb;
    if (token.kind === 'number') addNumber(after, at, previous, { values, units, verb });
    else if (token.kind === 'code') addCode(token, values);
    else if (isTime(token)) addTime(after, at, values, scopes);
    else if (!isWord(token, after[at + 1]) || units.has(token) || PERIOD.has(token.low)) continue;
    else if (isName(token, previous, verb)) names.push(token.value);
    else rest.add(conceptOf(token));
  }
  return { rest, scopes, values, names };
}

function addCode({ low, value }: Token, values: Map<string, string>): void {
  const time = readTimeOfDay(low);
  const [day, ...others] = findDays(low);
  if (time !== undefined) values.set('@time', time);
  else if (day !== undefined && others.length === 0) {
    const [year = '', month = '', date = ''] = day.split('-');
    values.set('@year', year);
    values.set('@month', `month${Number(month) - 1}`);
    values.set('@day', `${Number(date)}`);
  } else values.set('=', /^[\d/._-]{6,30}$/.test(low) ? low.replace(/\D/g, '') : value);
}

const conceptOf = ({ low, value }: Token): string => OPPOSITES.get(low)?.concept ?? value;

const isTime = ({ kind }: Token): boolean => kind === 'weekday' || kind === 'month' || kind === 'scope';

/** A title such as `doctor` counts as a word, unless a name follows it. */
function isWord({ kind }: Token, next: Token | undefined): boolean {
  return kind === 'word' || (kind === 'title' && !/^\p{Lu}/u.test(next?.raw ?? ''));
}

const isFirst = ({ kind }: Token): boolean => kind === 'first';

/** Returns true after `from` or `since`: the time says when something began and is not compared. */
function isBeginning(tokens: readonly Token[], at: number): boolean {
  return [1, 2].some((back) => tokens[at - back]?.kind === 'from');
}

function addTime(tokens: readonly Token[], at: number, values: Map<string, string>, scopes: Set<string>) {
  const token = tokens[at];
  if (!token || isBeginning(tokens, at)) return;
  if (token.kind === 'scope') scopes.add(token.value);
  else if (!values.has(`@${token.kind}`)) values.set(`@${token.kind}`, token.value);
}

function addNumber(
  tokens: readonly Token[],
  at: number,
  previous: Token | undefined,
  {
    values,
    units,
    verb,
  }: { readonly values: Map<string, string>; readonly units: Set<Token>; readonly verb: Token | undefined },
): void {
  const [token, next, second] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (!token) return;
  const put = (key: string, value = token.value) => {
    if (!values.has(key)) values.set(key, value);
  };
  const time = readHour(token, next, previous, verb);
  const month = [next, next?.kind === 'stop' ? second : undefined, previous].some(
    (one) => one?.kind === 'month',
  );
  if (month && Number(token.value) <= MAX_DAY) put('@day');
  else if (YEAR.test(token.value) && previous?.kind !== 'verb') put('@year');
  else if (time !== undefined) {
    if (next && CLOCK.test(next.low)) units.add(next);
    put(values.has('@time') ? '@end' : '@time', time);
  } else if (next?.kind === 'word') {
    // After such a word, the number says by how much a value has changed.
    if (AMOUNTS.has(previous?.low ?? '')) return;
    units.add(next);
    put(next.value);
  } else put(previous?.kind === 'verb' || previous === undefined ? '=' : previous.value);
}

/** A capital letter marks a name only after certain words, because German capitalizes all nouns. */
function isName({ raw }: Token, previous: Token | undefined, verb: Token | undefined): boolean {
  if (!/^\p{Lu}/u.test(raw) || !previous || !verb) return false;
  return (
    previous === verb ||
    previous.kind === 'title' ||
    PLACES.has(previous.low) ||
    (previous.kind === 'word' && /^\p{Lu}/u.test(previous.raw))
  );
}
