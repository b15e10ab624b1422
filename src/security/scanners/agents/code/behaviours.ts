import { createLineIndex } from '../../../trees/lines.ts';
import { type CombinationFile, createCombinations } from '../combinations.ts';
import type { AgentMatch } from '../rules.ts';
import behaviours from './behaviours.json' with { type: 'json' };
import { splitCodeAndStrings } from './code-and-strings.ts';

const findBehaviours = createCombinations(behaviours satisfies CombinationFile);
const MAX_COMMAND_CHARACTERS = 4000;

/** Context of code. `reader` and `sender` stand for parts of a theft: reading secrets and sending data. */
export type CodeContext = 'server' | 'script' | 'command' | 'block' | 'reader' | 'sender';

export function findHarmfulBehaviour(code: string, context: CodeContext, firstLine = 1): AgentMatch[] {
  const lines = createLineIndex(code);
  const lineOf = (offset: number) => lines.lineAt(offset) + firstLine - 1;
  return findBehaviours(code, context, { unitOf: lines.lineAt, lineOf });
}

/** Acts that are harmful whatever the code is for, so that they also count in examples and in modules of a server. */
const MALICE =
  /^(?:stolen-credentials|harvested-environment|watched-user|reverse-shell|fetched-code|undisclosed-upload|persistence)$/;

export function maliceMatches(path: string, text: string, firstLine = 1): AgentMatch[] {
  const found = findHarmfulBehaviour(splitCodeAndStrings(path, text).code, 'script', firstLine);
  return found.filter(
    ({ rule, severity }) => MALICE.test(rule) || (rule === 'exhausted-machine' && severity === 'high'),
  );
}

export function commandMatches(command: string, line: number): AgentMatch[] {
  return findHarmfulBehaviour(
    command.slice(0, MAX_COMMAND_CHARACTERS).replace(/[\r\n]/g, ' '),
    'command',
    line,
  );
}
