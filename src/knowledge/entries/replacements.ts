import WORDS from './statement-words.json' with { type: 'json' };

const { helpers, auxiliaries, adverbs, moments, holds, tail, ends, trigger, patterns } = WORDS.replaced;
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
/** Matches words such as `today` and `when`. What is used instead then replaces nothing for good. */
const MOMENT = new RegExp(`(?<!\\p{L})(?:${moments})(?!\\p{L})`, 'iu');
const AUXILIARIES: ReadonlySet<string> = new Set(auxiliaries.split(' '));
/** Words that add nothing to a value, such as `was` and `old`. */
export const HELPERS: ReadonlySet<string> = new Set(`${helpers} ${auxiliaries} ${adverbs}`.split(' '));

/** Reads a clause that names the old value. `moved from X to Y` is `uses Y` in `plain`, without reasons. */
export function findReplacement(clause: string) {
  if (!TRIGGER.test(clause)) return undefined;
  for (const pattern of PATTERNS) {
    const { 0: all = '', index = 0, groups = {} } = pattern.exec(clause) ?? {};
    const { gone, come, held, what = '' } = groups;
    if (gone === undefined || come === undefined || (held && MOMENT.test(clause))) continue;
    const rest = clause.slice(index + all.length);
    const before = clause.slice(0, index).trim().split(' ');
    const verb = before.findLastIndex((word, at) => at > 0 && AUXILIARIES.has(word.toLowerCase()));
    // In `Ich habe das Paket von München nach Bonn geschickt`, the parcel has moved, and not I.
    const moved = held ? before : before.splice(verb < 0 ? before.length : verb);
    while (HELPERS.has(before.at(-1)?.toLowerCase() ?? '')) before.pop();
    const plain = `${before.join(' ')} uses ${come}${PURPOSE.test(rest) ? rest : ''}`;
    return { plain, gone, what: `${moved.join(' ')}${what}`, differs: `${gone.trim()} → ${come.trim()}` };
  }
  return undefined;
}
