import { linesOf } from '../../../trees/lines.ts';
import { type CombinationFile, createCombinations, type Units } from '../combinations.ts';
import type { AgentMatch } from '../rules.ts';
import acts from './acts.json' with { type: 'json' };

const ACTS = createCombinations(acts satisfies CombinationFile);

/** Who reads a text: a model as its instructions, a model as a tool's description, or no person at all. */
export type TextContext = 'text' | 'tool' | 'hidden';

/** Ends of sentences, of list items, table rows and paragraphs. */
const BOUNDARY = /[.!?:;](?=["'”)\]]{0,2}\s)|\n(?=[ \t]{0,40}(?:[-*+#>|]|\d{1,3}[.)]|\n|$))/g;
/** Words that forbid what follows them in the same sentence. */
const NEGATION =
  /\b(?:never|do not|don['’]?t|does not|doesn['’]t|did not|must not|mustn['’]t|should not|shouldn['’]t|cannot|can['’]t|avoid|refuse|no need to|not|without|nor|rather than|prevent\w{0,3}|prohibit\w{0,3}|forbid\w{0,5})\b[^.;:!?]{0,90}$/i;
const QUOTED = /["“][^"”\n]{1,200}["”]|`[^`\n]{1,200}`|‘[^’\n]{1,200}’/g;
const NEGATION_CHARACTERS = 110;

/** Returns orders in a text that work against the user. `firstLine` is the text's line in its file. */
export function proseMatches(text: string, context: TextContext, firstLine = 1): AgentMatch[] {
  // Line breaks inside a sentence become spaces, so that words on both sides of them meet. Offsets stay the same.
  const flat = text.replace(/[\n\r\t*]/g, ' ');
  const lines = linesOf(text);
  const starts = [0];
  BOUNDARY.lastIndex = 0;
  for (let match = BOUNDARY.exec(text); match; match = BOUNDARY.exec(text)) starts.push(match.index + 1);
  const unitOf = (offset: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  // People quote orders when they speak of them. What hides or describes a tool has no reason to.
  const quoted =
    context === 'text'
      ? [...flat.matchAll(QUOTED)].map(({ index, 0: { length } }) => [index, index + length] as const)
      : [];
  const units: Units = {
    unitOf,
    lineOf: (offset) => lines.lineAt(offset) + firstLine - 1,
    isQuoted: (offset) => quoted.some(([start, end]) => start <= offset && offset < end),
    isNegated: (offset) => {
      const start = Math.max(starts[unitOf(offset)] ?? 0, offset - NEGATION_CHARACTERS);
      return NEGATION.test(flat.slice(start, offset));
    },
  };
  return ACTS.find(flat, context, units);
}
