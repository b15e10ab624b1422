import { badRequestError } from '../../errors.ts';
import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import { takeCharacters } from '../../lib/text/text.ts';
import type { UnmetExpectation } from '../probing/probe-options.ts';

/** A condition such as `$.items[0].state == "ok"`. The path consists of names, indexes and `length()`. */
export interface JsonCondition {
  readonly text: string;
  readonly path: readonly (string | number)[];
  readonly isLength: boolean;
  /** `comparison` is undefined for a bare path: the value must then exist and must not be null. */
  readonly comparison?: { readonly operator: (typeof OPERATORS)[number]; readonly value: Primitive };
}

type Primitive = string | number | boolean | null;
const OPERATORS = ['==', '!=', '<=', '>=', '<', '>'] as const;

const [MAX_STEPS, MAX_SHOWN] = [50, 100];
const TAKES =
  '$.name, $.list[0].name or $.list.length(), then ==, !=, <, <=, > or >= and a value, or nothing';

const NAME = /[\p{L}\p{N}_-]/u;

/** Parses a condition. The AppError `bad_request` quotes the text from the first invalid character on. */
export function parseJsonCondition(text: string, name = 'expect.json'): JsonCondition {
  const fail = (at: number) =>
    badRequestError(
      `${name} has ${JSON.stringify(takeCharacters(text, MAX_SHOWN))}, which cannot be read from ${JSON.stringify(text.slice(at, at + 20))} on: it takes ${TAKES}`,
    );
  if (!text.startsWith('$')) throw fail(0);
  const path: (string | number)[] = [];
  let at = 1;
  let isLength = false;
  while (at < text.length && (text[at] === '.' || text[at] === '[')) {
    if (path.length >= MAX_STEPS) throw fail(at);
    if (text.startsWith('.length()', at)) {
      isLength = true;
      at += '.length()'.length;
      break;
    }
    const [step, end] = text[at] === '.' ? namedStep(text, at + 1) : bracketStep(text, at + 1);
    if (step === undefined) throw fail(at);
    path.push(step);
    at = end;
  }
  const rest = text.slice(at).trim();
  if (rest === '') return { text, path, isLength };
  const operator = OPERATORS.find((one) => rest.startsWith(one));
  const value = operator && literalOf(rest.slice(operator.length).trim());
  if (operator === undefined || value === undefined) throw fail(at);
  return { text, path, isLength, comparison: { operator, value } };
}

type PathStep = readonly [step: string | number | undefined, end: number];

function namedStep(text: string, from: number): PathStep {
  let end = from;
  while (end < text.length && NAME.test(text[end] ?? '')) end++;
  return [end > from ? text.slice(from, end) : undefined, end];
}

/** Parses a step in brackets: `[0]`, `[-1]`, `["a name"]` or `['a name']`. */
function bracketStep(text: string, from: number): PathStep {
  const quote = text[from];
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(`${quote}]`, from + 1);
    return [close > from ? text.slice(from + 1, close) : undefined, close + 2];
  }
  const close = text.indexOf(']', from);
  const index = text.slice(from, Math.max(from, close));
  return [/^-?\d{1,9}$/.test(index) ? Number(index) : undefined, close + 1];
}

function literalOf(text: string): Primitive | undefined {
  if (text.length > 1 && text.startsWith("'") && text.endsWith("'")) return text.slice(1, -1);
  const value = parseJsonOrNothing(text);
  if (value === undefined) return /^[\p{L}\p{N}_.:-]+$/u.test(text) ? text : undefined;
  return typeof value === 'object' && value !== null ? undefined : (value as Primitive);
}

function jsonFault(body: unknown, { text, path, isLength, comparison }: JsonCondition): string | undefined {
  let value = body;
  for (const step of path) value = childOf(value, step);
  if (isLength) value = Array.isArray(value) || typeof value === 'string' ? value.length : undefined;
  const isMet = comparison ? compare(value, comparison) : value !== undefined && value !== null;
  return isMet ? undefined : `does not meet ${text}: there is ${shown(value)}`;
}

function childOf(value: unknown, step: string | number): unknown {
  if (typeof step === 'number') return Array.isArray(value) ? value.at(step) : undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, step) ? (value as Record<string, unknown>)[step] : undefined;
}

/** Compares values. For a missing value or a value of another type, only `!=` is true. */
function compare(found: unknown, { operator, value }: NonNullable<JsonCondition['comparison']>): boolean {
  if (operator === '==') return found === value;
  if (operator === '!=') return found !== value;
  if (typeof found !== 'number' || typeof value !== 'number') return false;
  if (operator === '<') return found < value;
  if (operator === '<=') return found <= value;
  return operator === '>' ? found > value : found >= value;
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${takeCharacters(text, MAX_SHOWN)}…` : text;
}

export interface JsonConditionJob {
  readonly body: string;
  readonly conditions: readonly string[];
}

export function findUnmetConditions({ body, conditions }: JsonConditionJob): readonly UnmetExpectation[] {
  const value = parseJsonOrNothing(body);
  if (value === undefined) return [{ subject: 'json', what: 'answers with no JSON' }];
  return conditions.flatMap((text) => {
    const what = jsonFault(value, parseJsonCondition(text));
    return what === undefined ? [] : [{ subject: `json ${text}`, what }];
  });
}
