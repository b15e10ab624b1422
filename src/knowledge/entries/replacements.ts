import WORDS from './statement-words.json' with { type: 'json' };

const { helpers, holds, tail, ends, trigger, patterns } = WORDS.replaced;
const oneOf = (words: string) => `(?:${words.replaceAll(' ', '|')})`;
const TRIGGER = new RegExp(trigger, 'iu');
const HOLDS = oneOf(`${WORDS.verbs.use} ${WORDS.verbs.run} ${WORDS.verbs.work} ${WORDS.verbs.live} ${holds}`);
const PATTERNS = patterns.map((pattern) => {
  const filled = pattern
    .replace('GONE', '(?<gone>[^:]{1,32}?)')
    .replace('COME', '(?<come>[^:]{1,32}?)')
    .replace('HOLDS', `${HOLDS} `)
    .replace('END', `(?=[\\s.!]{0,3}$| ${oneOf(ends)} )`);
  return new RegExp(`(?<!\\p{L})${filled}(?!\\p{L})`, 'iu');
});
const PURPOSE = new RegExp(`^ ${oneOf(tail)} `, 'iu');
/** Words that add nothing to a value, such as `was` and `old`. */
export const HELPERS: ReadonlySet<string> = new Set(helpers.split(' '));

/** Reads a clause that names the old value. `moved from X to Y` is `uses Y` in `plain`, without reasons. */
export function findReplacement(clause: string) {
  if (!TRIGGER.test(clause)) return undefined;
  for (const pattern of PATTERNS) {
    const { 0: all = '', index = 0, groups: { gone, come } = {} } = pattern.exec(clause) ?? {};
    if (gone === undefined || come === undefined) continue;
    const rest = clause.slice(index + all.length);
    const before = clause.slice(0, index).trim().split(' ');
    while (HELPERS.has(before.at(-1)?.toLowerCase() ?? '')) before.pop();
    const plain = `${before.join(' ')} uses ${come}${PURPOSE.test(rest) ? rest : ''}`;
    return { plain, gone, differs: `${gone.trim()} → ${come.trim()}` };
  }
  return undefined;
}
