import { createLineIndex } from '../../../trees/lines.ts';
import type { AgentMatch } from '../rules.ts';
import type { ToolText } from '../tools.ts';
import table from './undisclosed.json' with { type: 'json' };

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
