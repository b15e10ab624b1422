import { linesOf } from '../../../trees/lines.ts';
import type { AgentMatch } from '../rules.ts';
import type { ToolText } from '../tools.ts';
import table from './undisclosed.json' with { type: 'json' };

const ACTS = table.map(({ what, act, said }) => ({
  what,
  act: new RegExp(act.join('|'), 'g'),
  said: new RegExp(said.join('|'), 'i'),
}));

/** Returns acts of a server's code that no description of its tools speaks of. */
export function undisclosedMatches(code: string, tools: readonly ToolText[]): AgentMatch[] {
  if (tools.length === 0) return [];
  const said = tools.map(({ name, text }) => `${name} ${text}`).join('\n');
  const lines = linesOf(code);
  return ACTS.flatMap(({ what, act, said: words }): AgentMatch[] => {
    act.lastIndex = 0;
    const hit = words.test(said) ? null : act.exec(code);
    return hit ? [{ rule: 'undisclosed-act', line: lines.lineAt(hit.index), what: `it ${what}` }] : [];
  });
}
