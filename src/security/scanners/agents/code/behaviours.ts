import { createLineIndex } from '../../../trees/lines.ts';
import { type CombinationFile, createCombinations } from '../combinations.ts';
import type { AgentMatch } from '../rules.ts';
import type { ToolText } from '../tools.ts';
import behaviours from './behaviours.json' with { type: 'json' };
import { splitCodeAndStrings } from './code-and-strings.ts';
import data from './stores.json' with { type: 'json' };
import table from './undisclosed.json' with { type: 'json' };

const findBehaviours = createCombinations(behaviours satisfies CombinationFile);
const MAX_COMMAND_CHARACTERS = 4000;

/** Selects rules by kind of code. `reader` selects rules for reading secrets, `sender` for sending data. */
export type CodeContext = 'server' | 'script' | 'command' | 'block' | 'reader' | 'sender';

export function findHarmfulBehaviour(code: string, context: CodeContext, firstLine = 1): AgentMatch[] {
  const lines = createLineIndex(code);
  const lineOf = (offset: number) => lines.lineAt(offset) + firstLine - 1;
  return findBehaviours(code, context, { unitOf: lines.lineAt, lineOf });
}

/** Rules for behaviour that is harmful in any code, including examples and modules that a server imports. */
const MALICE =
  /^(?:stolen-credentials|harvested-environment|watched-user|reverse-shell|fetched-code|undisclosed-upload|persistence)$/;

export function maliceMatches(path: string, text: string, firstLine = 1): AgentMatch[] {
  const found = findHarmfulBehaviour(splitCodeAndStrings(path, text).code, 'script', firstLine);
  return found.filter(
    ({ rule, severity }) => MALICE.test(rule) || (rule === 'exhausted-machine' && severity === 'high'),
  );
}

export const commandMatches = (command: string, line: number): AgentMatch[] =>
  findHarmfulBehaviour(command.slice(0, MAX_COMMAND_CHARACTERS).replace(/[\r\n]/g, ' '), 'command', line);

const ENDLESS =
  /^([ \t]{0,200})(?:while\s{1,3}(?:True|1)\s{0,3}:|while\s{1,3}(?:true|:|\[\s?1\s?\])\s{0,3}(?:;\s{0,3}do\s{0,3})?$|while\s{0,3}\((?:true|1|!0)\)\s{0,3}\{?\s{0,3}$|for\s{0,3}\(\s{0,3};\s{0,3};\s{0,3}\)\s{0,3}\{?\s{0,3}$)/;
const ENDS =
  /\b(?:break|return|raise|throw|yield|await|exit|sleep|wait|input|recv|accept|read\w{0,20}|get|poll|select|next|run\w{0,20}|serve\w{0,20}|step|_exit|tail|inotifywait|Start-Sleep)\b/;
const MAX_BODY_LINES = 200;

export function endlessLoopMatches(code: string): AgentMatch[] {
  const lines = code.split('\n');
  const found: AgentMatch[] = [];
  for (const [at, line] of lines.entries()) {
    const indent = ENDLESS.exec(line)?.[1]?.length;
    // A loop directly after `try:` probably ends by an exception, so it is not reported.
    if (indent === undefined || lines[at - 1]?.trim() === 'try:') continue;
    const from = lines[at + 1]?.trim() === 'do' ? at + 2 : at + 1;
    const body = lines.slice(from, from + MAX_BODY_LINES);
    const end = body.findIndex((one) => one.trim() !== '' && one.length - one.trimStart().length <= indent);
    const own = end < 0 ? body : body.slice(0, end);
    if (!own.some((one) => ENDS.test(one.slice(0, 500))))
      found.push({ rule: 'exhausted-machine', line: at + 1, what: line.trim() });
  }
  return found.slice(0, 5);
}

/** Patterns of credential files, one for each service (such as AWS). Honest code rarely needs three. */
const STORES = data.stores.map((source) => new RegExp(source, 'g'));
const GUARD = new RegExp(data.guard, 'i');
const MIN_STORES = 3;
const MAX_LINES = 40;
const MAX_HITS = 100;

/** Finds credential files of three or more services in 40 lines without a defensive word such as `redact`. */
export function findCredentialHarvest(text: string, firstLine = 1): AgentMatch[] {
  const lines = createLineIndex(text);
  const hits = STORES.flatMap((store, at) =>
    [...text.matchAll(store)].slice(0, MAX_HITS).map((match) => ({
      ...{ at, line: lines.lineAt(match.index), what: match[0] },
    })),
  ).sort((a, b) => a.line - b.line);
  const written = text.split('\n');
  const first = hits.find(({ line }, at) => {
    const near = hits.slice(at, at + MAX_HITS).filter((hit) => hit.line - line <= MAX_LINES);
    if (new Set(near.map((hit) => hit.at)).size < MIN_STORES) return false;
    const around = written.slice(Math.max(0, line - 6), line + MAX_LINES);
    return !around.some((one) => GUARD.test(one.slice(0, 400)));
  });
  if (!first) return [];
  return [
    { rule: 'stolen-credentials', line: first.line + firstLine - 1, what: first.what, severity: 'medium' },
  ];
}

const ACTS = table.map(({ what, act, said, denied = [] }) => ({
  what,
  act: new RegExp(act.join('|'), 'g'),
  said: new RegExp(said.join('|'), 'i'),
  denied: denied.length > 0 ? new RegExp(denied.join('|'), 'i') : undefined,
}));

export function findUndisclosedActions(
  code: string,
  tools: readonly ToolText[],
  onlyDenied = false,
): AgentMatch[] {
  if (tools.length === 0) return [];
  const said = tools.map(({ name, text }) => `${name} ${text}`).join('\n');
  const lines = createLineIndex(code);
  return ACTS.flatMap(({ what, act, said: words, denied }): AgentMatch[] => {
    act.lastIndex = 0;
    const hit = (onlyDenied || words.test(said)) && !denied?.test(said) ? null : act.exec(code);
    return hit ? [{ rule: 'undisclosed-act', line: lines.lineAt(hit.index), what: `it ${what}` }] : [];
  });
}
