import type { PassageMatch } from '../types.ts';
import type { OrderedPassage } from './newest-first.ts';
import { findStandingOut, type QuestionClues } from './standing-out.ts';
import { findUnsaidAttribute, hasSubjectName } from './unsaid-attribute.ts';

type JudgedPassage = OrderedPassage & Pick<PassageMatch, 'missing' | 'missingOf'>;

/** A passage that stands out answers only if it is among this many first ones. */
const MAX_PLACE = 3;
/** Share of a question's words that no text has, from which its closeness alone decides. */
const MOSTLY_MISSING = 0.5;
const FEW_WORDS = 0.3;

/** Marks all passages as weak if the question seems to have no answer, and says which of its words are missing. */
export async function judgeAnswer<T extends OrderedPassage>(
  clues: QuestionClues,
  chosen: readonly T[],
  signal: AbortSignal,
): Promise<(T & JudgedPassage)[]> {
  const { missing, near } = clues;
  const written = missing.written.length > 0 ? { missing: missing.written } : {};
  const isAbsent = chosen.every(({ weak }) => weak);
  const { answered, unanswered } = near?.scale?.standsOut ?? {};
  const isJudged = answered !== undefined && unanswered !== undefined && !hasSubjectName(clues);
  if (isAbsent) {
    const best = isJudged && !missing.isNamed && !missing.isOtherNumber && findStandingOut(clues);
    const at = best ? chosen.findIndex(({ one }) => one.place === best.place) : -1;
    if (!best || best.by < answered || at < 0 || at >= MAX_PLACE)
      return chosen.map((one) => ({ ...one, ...written }));
    return chosen.map((one, index) => ({ ...one, weak: index > at }));
  }
  const isDoubtful = isJudged && missing.share >= MOSTLY_MISSING && clues.wordShare < FEW_WORDS;
  const best = isDoubtful ? findStandingOut(clues) : undefined;
  if (best && best.by < (unanswered ?? 0)) return chosen.map((one) => ({ ...one, weak: true, ...written }));
  const unsaid = await findUnsaidAttribute(clues, signal);
  return unsaid ? chosen.map((one) => ({ ...one, weak: true, ...unsaid })) : [...chosen];
}
