import WORDS from './statement-words.json' with { type: 'json' };
import {
  type Contradiction,
  MAX_COMPARED_CHARS,
  readStatements,
  rootOfWord,
  type SubjectStatement,
} from './statements.ts';
import { compareUnspaced, readUnspacedStatements, type UnspacedStatement } from './unspaced-statements.ts';

export interface TextStatements {
  readonly statements: readonly SubjectStatement[];
  readonly unspaced: readonly UnspacedStatement[];
}

type Words = ReadonlySet<string>;
const rootsOf = (words: string) => new Set(words.split(' ').map(rootOfWord));
/** Subjects that have one value, such as a deadline. A new value contradicts the earlier value. */
const SINGLE = rootsOf(WORDS.single);
/** Subjects that have several values. A new name joins the earlier names and contradicts none. */
const PLURAL = rootsOf(WORDS.plural);
/** Verbs such as `drinks` and `stores`, after which a value may be replaced. */
const HOLDS = rootsOf(WORDS.replaced.holds);
/** Subjects such as `our project`, whose values are those of `we`. */
const GROUPS = rootsOf(WORDS.replaced.groups);
const SINGULAR = new Set(WORDS.replaced.singular.split(' '));
/** Words such as `new` and `hated`. Who hated the old boss may like the new one. */
const ATTRIBUTES = new Map(Object.entries(WORDS.attributes));
const MAX_EXTRA_WORDS = 4;
/** Verbs about where people are. In `lives in Rome with Anna`, only the first name, `Rome`, is compared. */
const PLACED: Readonly<Record<string, string>> = WORDS.placed;
const OF_SELF = new Set(['live', 'move', 'work', 'start', 'weigh', 'call', 'use', 'study']);
/** Verbs of opening hours, which are those of the named days only. */
const HOURS = new Set(['open', 'close']);
const EQUAL: Readonly<Record<string, string>> = { cost: 'be', move: 'live', start: 'work' };
const MAX_FILLER_WORDS = 2;

export function readTextStatements(text: string): TextStatements | undefined {
  if (text.length > MAX_COMPARED_CHARS || text === '') return undefined;
  return { statements: readStatements(text), unspaced: readUnspacedStatements(text) };
}

/** Finds a contradiction about the same subject. Reports only clear ones, so it misses some. */
export function findContradiction(older: TextStatements, newer: TextStatements): Contradiction | undefined {
  return (
    contradictionIn(older.statements, newer.statements, compare) ??
    contradictionIn(older.unspaced, newer.unspaced, compareUnspaced)
  );
}

function contradictionIn<T extends { readonly sentence: string }>(
  older: readonly T[],
  newer: readonly T[],
  compareTwo: (before: T, after: T) => string | undefined,
): Contradiction | undefined {
  for (const after of newer) {
    for (const before of older) {
      const differs = compareTwo(before, after);
      if (differs !== undefined) return { older: before.sentence, newer: after.sentence, differs };
    }
  }
  return undefined;
}

function compare(before: SubjectStatement, after: SubjectStatement): string | undefined {
  if (before.signs !== '' && after.signs !== '' && before.signs !== after.signs) return undefined;
  const { gone, what, differs } = after.replaced ?? {};
  if (gone && what) return isReplaced(before, after, gone, what) ? differs : undefined;
  if (before.isDenied !== after.isDenied) return denies(before, after) ? 'the opposite' : undefined;
  if (before.isNegated || after.isNegated || !hasSameSubject(before, after)) return undefined;
  const verb = verbOf(after);
  if (verb === undefined || !isSameVerb(before, after)) return undefined;
  if (!isEqual(before.scopes, after.scopes)) return undefined;
  if (PLACED[before.verb ?? ''] !== undefined) return differingNames(before, after);
  return (
    differingHolders(before, after) ?? differingValues(before, after) ?? differingFillers(before, after, verb)
  );
}

/** Returns true if the older text says that its subject uses, eats or is what the newer one replaces. */
function isReplaced(before: SubjectStatement, after: SubjectStatement, gone: Words, what: Words): boolean {
  const subject = [...before.subject];
  const isHeld = (word: string, at: number) => at >= after.subject.size && HOLDS.has(word);
  const end = before.verb === undefined ? subject.findIndex(isHeld) : subject.length;
  const [said, come] = [new Set([...subject.slice(end + 1), ...saidOf(before)]), saidOf(after)];
  if (end < 0 || before.isDenied || after.isDenied || gone.size === 0) return false;
  const isElse = !isSubset(what, new Set([...before.subject, ...said]));
  if (isElse || !isSubset(gone, said) || isSubset(come, said) || !isSubset(after.subject, before.subject))
    return false;
  const extra = [...said].filter((word) => !gone.has(word));
  const isForOther = extra.length > 0 && come.size > 1 && !extra.some((word) => come.has(word));
  if (isForOther || extra.length > (before.verb === 'be' ? 1 : MAX_EXTRA_WORDS)) return false;
  const others = end - after.subject.size;
  if (others === 0 && after.subject.size > 0) return true;
  if (before.isOwn !== after.isOwn) return false;
  if (others === 1 && before.verb === 'be' && (after.subject.size > 0 || extra.length === 0)) return true;
  const isOurs =
    !isSingular(before) && !isSingular(after) && subject.slice(0, end).some((one) => GROUPS.has(one));
  return after.isOwn && after.subject.size === 0 && (others === 0 || isOurs);
}

const kindOf = ({ written }: SubjectStatement) =>
  [...written.values()].flatMap((word) => ATTRIBUTES.get(word.toLowerCase()) ?? []).join(' ');
const saidOf = ({ rest, names, values, scopes }: SubjectStatement) =>
  new Set([...names, ...rest, ...values.values(), ...scopes]);
const isSingular = ({ written }: SubjectStatement) => [...written.keys()].some((word) => SINGULAR.has(word));

const verbOf = ({ verb }: SubjectStatement) => (verb === undefined ? undefined : (EQUAL[verb] ?? verb));

function isSameVerb(before: SubjectStatement, after: SubjectStatement): boolean {
  if (verbOf(before) === verbOf(after)) return true;
  // `The deadline has moved to 20 May` contradicts `The deadline is 2 May`, although the verbs differ.
  return before.verb === 'be' && after.verb === 'move' && after.values.size > 0;
}

function hasSameSubject(before: SubjectStatement, after: SubjectStatement): boolean {
  if (!isEqual(before.subject, after.subject)) return false;
  if (before.subject.size > 0) return true;
  return before.isOwn && after.isOwn && OF_SELF.has(after.verb ?? '');
}

function denies(before: SubjectStatement, after: SubjectStatement): boolean {
  if (before.isOwn !== after.isOwn) return false;
  const [denied, said] = before.isDenied ? [before, after] : [after, before];
  if (denied.agent && said.agent && !isSubset(denied.agent, said.agent)) return false;
  for (const word of denied.subject) if (!said.subject.has(word) && !said.rest.has(word)) return false;
  if (denied.agent && kindOf(before) !== kindOf(after)) return false;
  const [without, all] = [contentOf(denied), contentOf(said)];
  return saysEnough(denied, without) && isSubset(without, all) && isSubset(denied.scopes, said.scopes);
}

/** Returns false for a fragment that makes no sense alone, such as `Anna: not at all`. */
function saysEnough(denied: SubjectStatement, content: ReadonlySet<string>) {
  const { verb, isLabelled, isOwn, isOver, subject } = denied;
  if (isLabelled) return content.size - subject.size >= 2;
  return content.size + Number(isOwn) >= (verb === undefined && !isOver ? 3 : 2);
}

function contentOf({ subject, rest, names, values, verb, agent }: SubjectStatement): Set<string> {
  const isAuxiliary = verb === 'be' || (verb === 'have' && agent !== undefined);
  const verbs = verb === undefined || isAuxiliary ? [] : [`verb ${verb}`];
  const said = [...values].map(([key, value]) => `${key} ${value}`);
  return new Set([...subject, ...rest, ...names, ...said, ...verbs]);
}

function change(
  before: SubjectStatement,
  after: SubjectStatement,
  gone: readonly string[],
  come: readonly string[],
): string {
  const write = ({ written }: SubjectStatement, words: readonly string[]) =>
    words.map((word) => written.get(word) ?? word).join(' ');
  return `${write(before, gone)} → ${write(after, come)}`;
}

function differingNames(before: SubjectStatement, after: SubjectStatement): string | undefined {
  const [was, is] = [before.names[0], after.names[0]];
  if (was === undefined || is === undefined) return undefined;
  return before.names.includes(is) || after.names.includes(was)
    ? undefined
    : change(before, after, [was], [is]);
}

/** In `Our dentist is now Dr. Okafor at Marktplatz 2`, the name differs, and the address may differ too. */
function differingHolders(before: SubjectStatement, after: SubjectStatement): string | undefined {
  const isAlike = before.names.length === after.names.length && before.values.size === after.values.size;
  const isHeld = after.verb === 'be' && after.written.has('now') && before.rest.size + after.rest.size === 0;
  const isOne = isHeld && after.isOwn && ![...after.subject].some((word) => PLURAL.has(word));
  return isAlike && isOne && before.isOwn ? differingNames(before, after) : undefined;
}

function differingValues(before: SubjectStatement, after: SubjectStatement): string | undefined {
  if (before.subject.size === 0 && after.verb !== 'weigh') return undefined;
  if (!isEqual(before.rest, after.rest) || !isEqual(new Set(before.names), new Set(after.names)))
    return undefined;
  const isTimed = before.rest.size === 0 && !HOURS.has(after.verb ?? '');
  const changes: string[] = [];
  for (const key of new Set([...before.values.keys(), ...after.values.keys()])) {
    const [was, is] = [before.values.get(key), after.values.get(key)];
    const isScope = key.startsWith('@') && key !== '@time' && key !== '@end' && !isTimed;
    if (isScope && was !== is) return undefined;
    if (was === undefined || is === undefined || isSameValue(was, is)) continue;
    changes.push(change(before, after, [was], [is]));
  }
  return changes.length > 0 ? changes.join(', ') : undefined;
}

/** Telephone numbers are the same with and without the code of the country: `0471 22 10 10`, `+32 471 22 10 10`. */
function isSameValue(a: string, b: string): boolean {
  if (a === b) return true;
  const [short = '', long = ''] = [a, b]
    .map((value) => value.replace(/^0{1,2}/, ''))
    .sort((one, other) => one.length - other.length);
  return /^\d{7,15}$/.test(short) && long.endsWith(short) && long.length <= short.length + 3;
}

function differingFillers(before: SubjectStatement, after: SubjectStatement, verb: string) {
  const [was, is] = [before, after].map(({ rest, names }) => new Set([...names, ...rest])) as [
    Set<string>,
    Set<string>,
  ];
  if (was.size === 0 || is.size === 0 || before.values.size + after.values.size > 0) return undefined;
  const [gone, come] = [[...was].filter((word) => !is.has(word)), [...is].filter((word) => !was.has(word))];
  const shared = was.size - gone.length;
  const fits = gone.length > 0 && come.length > 0 && gone.length <= MAX_FILLER_WORDS;
  if (!fits || come.length > MAX_FILLER_WORDS) return undefined;
  const differs = change(before, after, gone, come);
  const subject = [...after.subject];
  if (verb === 'use' || verb === 'run')
    return shared > 0 && gone.length + come.length === 2 ? differs : undefined;
  if (shared > 0 || (verb !== 'be' && verb !== 'call')) return undefined;
  if (verb === 'call' || subject.some((word) => SINGLE.has(word))) return differs;
  const isNamed =
    before.names.length > 0 && after.names.length > 0 && before.rest.size + after.rest.size === 0;
  return isNamed && after.isOwn && before.isOwn && !subject.some((word) => PLURAL.has(word))
    ? differs
    : undefined;
}

function isEqual(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && isSubset(a, b);
}

function isSubset(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].every((one) => b.has(one));
}
