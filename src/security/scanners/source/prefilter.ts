import type { LanguageFlowRules } from './rule.ts';
import {
  buildImportTest,
  buildParameterTests,
  buildTaintedParameterTests,
  collectRequirements,
  type ParameterTest,
  type RuleRequirement,
} from './rule-requirements.ts';
import {
  createVocabulary,
  placesOf,
  type Vocabulary,
  type WordOffsets,
  withoutCommentLines,
} from './words.ts';

export interface SuspectPlaces {
  readonly words: ReadonlySet<string>;
  readonly places: readonly number[];
}

const GENERATED_LINE_LENGTH = 500;
/** Maximum characters of a source file. A longer file counts as generated, and its data flows are ignored. */
const MAX_SOURCE_LENGTH = 1_000_000;

const SECRETS =
  /pass|pwd|secret|token|key|credential|sess|otp|nonce|csrf|salt|cookie|verif|confirm|activat|recover|invit|reset/i;
/** Matches an assignment to an element: `a[b] = c` or `a[b][c] = d`. */
const ELEMENTS = /\]\s{0,20}(?:[-+*/%&|^?<>]{0,3}=(?![=>]))/g;
const IMPORTS = /(?<![\w.$])(?:require|import)(?=[\s('"])/g;

const DECORATORS = /^[ \t]*@\w/gm;

interface CompiledRequirements {
  readonly vocabulary: Vocabulary;
  readonly byLast: ReadonlyMap<string, readonly RuleRequirement[]>;
  readonly wordless: readonly RuleRequirement[];
  readonly taken: readonly ParameterTest[];
  readonly given: readonly ParameterTest[];
  readonly keys: readonly RegExp[];
  /** Import tests, one for each rule about return values (`ReturnSink`). */
  readonly shown: readonly (RegExp | undefined)[];
}

const kept = new WeakMap<LanguageFlowRules, CompiledRequirements>();

function compile(rules: LanguageFlowRules): CompiledRequirements {
  const known = kept.get(rules);
  if (known) return known;
  const needs = collectRequirements(rules);
  const words = needs.flatMap((need) => [...need.words, ...(need.given?.name ?? [])]);
  const compiled = {
    vocabulary: createVocabulary(words),
    byLast: Map.groupBy(
      needs.filter((need) => need.last !== undefined),
      (need) => need.last ?? '',
    ),
    wordless: needs.filter((need) => need.last === undefined),
    taken: buildTaintedParameterTests(rules),
    given: buildParameterTests(rules),
    shown: rules.returns.map((one) => buildImportTest(one.imports)),
    keys: rules.keyChecks.map((one) => new RegExp(one.key.source.replace(/^\^|\$$/g, ''), 'g')),
  };
  kept.set(rules, compiled);
  return compiled;
}

type RequirementJudge = ReturnType<typeof createJudge>;

function createJudge(rules: LanguageFlowRules, text: string, places: WordOffsets) {
  const asked = new Map<RegExp | string, boolean>();
  let imported: string | undefined;
  let code: string | undefined;
  const once = (key: RegExp | string, answer: () => boolean) => {
    const known = asked.get(key) ?? answer();
    asked.set(key, known);
    return known;
  };
  const imports = (pattern: RegExp | undefined) =>
    !pattern ||
    once(`imports ${pattern.source}`, () => {
      imported ??= rules.importing ? (text.match(rules.importing) ?? []).join(' ') : text;
      return pattern.test(imported);
    });
  const hasAll = (words: readonly string[]) => words.every((word) => places.has(word));
  const shows = (test: RegExp) =>
    once(test, () => {
      code ??= withoutCommentLines(text, rules.comments);
      return test.test(code);
    });
  const taken = (given: ParameterTest) => imports(given.imports) && given.tests.every(shows);
  return {
    imports,
    taken,
    shows,
    written: (word: string) => {
      const other = rules.writtenAs?.[word];
      return other === undefined ? [] : placesOf(other, text);
    },
    holds: ({ words, last, module, given, imports: needed }: RuleRequirement) =>
      words.every((word) => word === last || places.has(word)) &&
      (!module || once(module.source, () => module.test(text))) &&
      (!given || hasAll(given.name) || given.by.some(taken)) &&
      imports(needed),
  };
}

export function suspectsIn(
  rules: LanguageFlowRules,
  text: string,
  template = false,
): SuspectPlaces | undefined {
  const compiled = compile(rules);
  const places = compiled.vocabulary.placesIn(text, rules.comments);
  const judge = createJudge(rules, text, places);
  const counted = countedNeeds(compiled, judge, neededBy(rules, compiled, judge, places), text, template);
  const words = new Set<string>();
  const found: number[] = [];
  for (const need of counted.needs) {
    if (need.last === undefined) found.push(...placesOf(need.written ?? ELEMENTS, text));
    else words.add(need.last);
  }
  for (const word of words) found.push(...(places.get(word) ?? []), ...judge.written(word));
  for (const pattern of compiled.keys) found.push(...placesOf(pattern, text));
  found.push(...findCredentialOffsets(text));
  if (counted.sourced && compiled.shown.some(judge.imports)) found.push(...placesOf(DECORATORS, text));
  if (found.length === 0) return undefined;
  found.push(...placesOf(IMPORTS, text));
  return { words, places: found.sort((a, b) => a - b) };
}

export function taintSourcesIn(
  rules: LanguageFlowRules,
  text: string,
): readonly number[] | 'all' | undefined {
  const compiled = compile(rules);
  const places = compiled.vocabulary.placesIn(text, rules.comments);
  const judge = createJudge(rules, text, places);
  if (compiled.given.some(judge.taken)) return isGenerated(text) ? undefined : 'all';
  const held = neededBy(rules, compiled, judge, places).filter(({ kind }) => kind === 'source');
  if (held.length === 0 || isGenerated(text)) return undefined;
  const words = new Set(held.flatMap(({ last }) => last ?? []));
  return [...words].flatMap((word) => places.get(word) ?? []).sort((a, b) => a - b);
}

function neededBy(
  rules: LanguageFlowRules,
  compiled: CompiledRequirements,
  judge: RequirementJudge,
  places: WordOffsets,
): RuleRequirement[] {
  const held: RuleRequirement[] = [];
  for (const word of new Set([...places.keys(), ...Object.keys(rules.writtenAs ?? {})])) {
    if (!places.has(word) && judge.written(word).length === 0) continue;
    for (const need of compiled.byLast.get(word) ?? []) if (judge.holds(need)) held.push(need);
  }
  for (const need of compiled.wordless) if (judge.holds(need)) held.push(need);
  return held;
}

/** Selects rules that can apply to the file. For example, a sink needs untrusted input in the file. */
function countedNeeds(
  compiled: CompiledRequirements,
  judge: RequirementJudge,
  held: readonly RuleRequirement[],
  text: string,
  template: boolean,
): { needs: RuleRequirement[]; sourced: boolean } {
  const generated = isGenerated(text);
  const sourced =
    !generated && (held.some(({ kind }) => kind === 'source') || compiled.taken.some(judge.taken));
  const secrets = !generated && held.some(({ kind }) => kind === 'random') && SECRETS.test(text);
  const stored = !generated && held.some(({ kind }) => kind === 'stored');
  const isSink = (need: RuleRequirement) =>
    (sourced || (template && !generated)) && (!need.shown || judge.shows(need.shown));
  const counts: Readonly<Record<RuleRequirement['kind'], (need: RuleRequirement) => boolean>> = {
    check: (need) => !need.shown || judge.shows(need.shown),
    built: () => !generated,
    sink: isSink,
    shows: (need) => isSink(need) || (stored && (!need.shown || judge.shows(need.shown))),
    random: () => secrets,
    source: () => false,
    stored: () => false,
  };
  return { needs: held.filter((need) => counts[need.kind](need)), sourced };
}

function isGenerated(text: string): boolean {
  if (text.length > MAX_SOURCE_LENGTH) return true;
  const most = text.length / GENERATED_LINE_LENGTH;
  if (most < 2) return false;
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
    if (++lines >= most) return false;
  return true;
}

const NAMES =
  /(?:passw(?:or)?d|passphrase|pwd|secret(?:[_-]?key)?|(?:api|private|encryption|crypto|signing|hmac|aes|cipher)[_-]?key|(?:auth|access)[_-]?token|token[_-]?salt)(?!\w)/gi;
const KEY = /(?<![\w$.])KEY(?!\w)/g;
/** Matches the part of an assigned literal up to its first digit: `= "abc1`. */
const LITERALS = /[=:][\s(]{0,40}(?:\w{0,3}['"`]|%[qQ]?\W|:)[^\s/:,(\d]{0,119}\d/g;
/** Maximum number of characters, such as a type annotation, between a variable's name and its literal. */
const MAX_GAP = 230;

function findCredentialOffsets(text: string): number[] {
  const names = [...placesOf(NAMES, text), ...placesOf(KEY, text)].sort((a, b) => a - b);
  if (names.length === 0) return [];
  const literals = placesOf(LITERALS, text);
  let next = 0;
  return names.filter((name) => {
    while ((literals[next] ?? text.length) < name) next++;
    return (literals[next] ?? Number.POSITIVE_INFINITY) <= name + MAX_GAP;
  });
}
