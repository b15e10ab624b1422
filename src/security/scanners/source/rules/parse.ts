import { LineCounter, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { yamlOffset } from '../../../../lib/text/yaml-offset.ts';
import expectedValues from './expected-values.json' with { type: 'json' };

export interface RuleFileMistake {
  readonly line: number;
  readonly rule: string | undefined;
  readonly what: string;
}

export interface ParsedRuleFile<Of> {
  readonly value: Of;
  lineOf(path: readonly (string | number)[]): number;
}

/** Accepted values for each key of a rule file, for messages about mistakes. */
const TAKES: Readonly<Record<string, string>> = expectedValues;
const A_RULE = 'id, title, severity, cwe, description, fix, harm, languages';
const EXPRESSION = 'a regular expression between slashes, such as /^md5$/i';

const MAX_MISTAKES = 50;

/** Parses a rule file or returns all its mistakes. Runs in a worker, because a hostile text can take seconds. */
export function parseRuleFile<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): ParsedRuleFile<z.output<Schema>> | { readonly mistakes: readonly RuleFileMistake[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    merge: false,
    stringKeys: true,
    logLevel: 'silent',
  });
  const broken = document.errors.map(({ message, pos }): RuleFileMistake => {
    const [what = ''] = message.replace(/ at line .*/s, '').split('\n', 1);
    return { line: lines.linePos(pos[0]).line, rule: undefined, what };
  });
  if (broken.length > 0) return { mistakes: broken.slice(0, MAX_MISTAKES) };
  const lineOf = (path: readonly (string | number)[]) =>
    lines.linePos(yamlOffset(document.contents, path)).line || 1;
  const references: RuleFileMistake[] = [];
  visit(document, {
    Alias: (_, node) => {
      const what = 'references (*name) are not taken: quote what begins with *';
      references.push({ line: lines.linePos(node.range?.[0] ?? 0).line, rule: undefined, what });
      return references.length < MAX_MISTAKES ? undefined : visit.BREAK;
    },
  });
  if (references.length > 0) return { mistakes: references };
  const value: unknown = document.toJS();
  const found = schema.safeParse(value);
  if (found.success) return { value: found.data, lineOf };
  const id = (value as { id?: unknown } | null)?.id;
  const rule = typeof id === 'string' ? id : undefined;
  const mistakes = found.error.issues.slice(0, MAX_MISTAKES).map((issue): RuleFileMistake => {
    const path = issue.path.map((key) => (typeof key === 'symbol' ? '' : key));
    const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : [];
    const line = lineOf(unknown === undefined ? path : [...path, unknown]);
    return { line, rule, what: wordsOf(issue, path, isThere(value, path)) };
  });
  return { mistakes: mistakes.sort((a, b) => a.line - b.line) };
}

function isThere(value: unknown, path: readonly (string | number)[]): boolean {
  const found = path.reduce((at, key) => (at as Record<string, unknown> | undefined | null)?.[key], value);
  return found !== undefined;
}

function wordsOf(issue: z.core.$ZodIssue, path: readonly (string | number)[], there: boolean): string {
  const shown =
    path.reduce((text: string, key) => {
      if (typeof key === 'number') return `${text}[${key}]`;
      return text === '' ? key : `${text}.${key}`;
    }, '') || 'the file';
  const key = String(path.findLast((one) => typeof one === 'string') ?? '');
  const takes = TAKES[key] ?? (key === '' ? A_RULE : EXPRESSION);
  if (issue.code === 'unrecognized_keys')
    return `${shown} has the unknown key ${issue.keys.join(', ')}: it takes ${takes}`;
  const why = issue.code === 'custom' && issue.message !== '' ? ` (${issue.message})` : '';
  return `${shown} ${there ? 'is not usable' : 'is missing'}${why}: it takes ${takes}`;
}
