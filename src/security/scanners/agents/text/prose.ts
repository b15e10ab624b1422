import foreign from '../../../../lib/orders/foreign-words.json' with { type: 'json' };
import shared from '../../../../lib/orders/order-words.json' with { type: 'json' };
import { createLineIndex } from '../../../trees/lines.ts';
import { type CombinationFile, createCombinations } from '../combinations.ts';
import type { AgentMatch } from '../rules.ts';
import acts from './acts.json' with { type: 'json' };

const findActs = createCombinations({
  ...acts,
  kinds: { ...acts.kinds, ...shared, ...foreign },
} satisfies CombinationFile);

export const MAX_JUDGED_CHARACTERS = 200_000;
export const OVER_JUDGED = `orders after the first ${MAX_JUDGED_CHARACTERS} characters of text are not read`;

export type TextContext = 'text' | 'tool' | 'hidden';

const BLOCK_START = /\n(?=[ \t]{0,40}(?:[-*+#>|]|\d{1,3}[.)]|\n|$))/g;
const SENTENCE_END = /\u2028|(?<=[.!?:;]["'”)\]]{0,2}) /g;
const NEGATION =
  /\b(?:never|do not|don['’]?t|does not|doesn['’]t|did not|must not|mustn['’]t|should not|shouldn['’]t|cannot|can['’]t|avoid|refuse|no need to|not|without|nor|rather than|prevent\w{0,3}|prohibit\w{0,3}|forbid\w{0,5})\b(?! (?:only|just|merely|delay|hesitat\w{1,4}|fail|forget)\b)(?:[\s,"'`(]{1,3}[\w-]{1,30}){0,3}[\s,"'`(~/$]{0,4}$/i;
/** Matches text before an instruction: the start of a sentence, or a phrase such as "To prevent leaks,". */
const ORDER_START =
  /(?:^|[\n\u2028])[\s>#+\d.)[\]-]{0,12}(?:(?:to|for|in order|when|while|before|after|as|since|because|during|once|from)\b[^\n\u2028"“`]{1,200}, ?)?(?:(?:please|then|you|must|should|always|now|first|also|immediately|instead|simply|just) ){0,3}$/i;
const ORDER_AFTER =
  /(?:,|;| and| but) (?:(?:please|then|you (?:must|should|will|shall)|always|now|immediately|instead) ){1,3}$/i;
const MAX_SENTENCE_CHARACTERS = 120;
const NEGATION_CHARACTERS = 110;
const INTRODUCTION_CHARACTERS = 250;
const QUOTED_CELL =
  /^[ \t]{0,8}\|[ \t]{0,3}(?:"[^"|\n]{1,200}"|“[^”|\n]{1,200}”|`[^`|\n]{1,200}`|'[^'|\n]{1,200}')(?=[ \t]{0,3}\|)/gm;
const QUOTED = /["“][^"”\n]{1,200}["”]|`[^`\n]{1,200}`|‘[^’\n]{1,200}’/g;

export function findHarmfulProse(text: string, context: TextContext, firstLine = 1): AgentMatch[] {
  // Puts each sentence on one line, because patterns do not match across line breaks. Keeps all offsets.
  const flat = text
    .replace(QUOTED_CELL, (cell) => (context === 'text' ? cell.replace(/[^|]/g, ' ') : cell))
    .replace(BLOCK_START, '\u2028')
    .replace(/[\n\r\t*]/g, ' ')
    .replace(SENTENCE_END, '\n');
  const [lines, sentences] = [createLineIndex(text), createLineIndex(flat)];
  // Ignores quoted instructions in ordinary texts, but not in hidden texts and tool descriptions.
  const unquoted = context === 'text' ? flat.replace(QUOTED, (one) => '\0'.repeat(one.length)) : flat;
  const before = (offset: number, characters = INTRODUCTION_CHARACTERS) =>
    flat.slice(Math.max(0, offset - characters), offset);
  return findActs(flat, context, {
    unitOf: sentences.lineAt,
    textOf: (unit, offset) => {
      const whole = sentences.text(unit);
      // In a long sentence, the match may be far from the beginning, so the text from the match on is shown.
      return whole.length > MAX_SENTENCE_CHARACTERS
        ? flat.slice(offset, offset + 4 * MAX_SENTENCE_CHARACTERS)
        : whole.replaceAll('\u2028', ' ');
    },
    lineOf: (offset) => lines.lineAt(offset) + firstLine - 1,
    isQuoted: (offset) => unquoted[offset] !== flat[offset],
    beginsOrder: (offset) => ORDER_START.test(before(offset)) || ORDER_AFTER.test(before(offset)),
    isNegated: (offset) =>
      !ORDER_START.test(before(offset)) && NEGATION.test(before(offset, NEGATION_CHARACTERS)),
  });
}
