/** What an owner's texts and questions say of the model that suits. */
export interface LanguageCounts {
  /** Passages of entries and files. */
  readonly passages: number;
  /** Those of them that are not in English. */
  readonly nonenglish: number;
  /** Weight of questions that were not in English; each fades with time. */
  readonly asked: number;
  /** Whether the multilingual model is the owner's now. */
  readonly multilingual: boolean;
}

/**
 * Share of the passages that are not in English from which on the multilingual model answers better over all: on English
 * texts it finds 0.02 less than the English one, on others 0.4 and more.
 */
const SHARE = 0.05;
/** So many passages matter to their owner also as a smaller share, which is above what the judgement gets wrong. */
const MANY = 25;
const SHARE_OF_MANY = 0.01;
/** A question in other letters than Latin ones, or two in Latin letters. */
const ASKED = 2;
/** The way back begins at half of that, for questions at a quarter: a change makes all vectors again. */
const BACK = 0.5;

/** What a question weighs by how sure it is that it is not in English, and what all of them weigh at most. */
export const QUESTION_WEIGHTS = { certain: 2, likely: 1, none: 0 } as const;
export const MAX_ASKED = 8;
/** Milliseconds after which a question weighs half. */
export const ASKED_HALF_LIFE_MS = 30 * 86_400_000;

/** Whether the owner is to have the multilingual model. The one that is there stays until much speaks for the other. */
export function needsMultilingual({ passages, nonenglish, asked, multilingual }: LanguageCounts): boolean {
  const part = multilingual ? BACK : 1;
  const share = passages > 0 ? nonenglish / passages : 0;
  return (
    share >= SHARE * part ||
    (nonenglish >= MANY * part && share >= SHARE_OF_MANY * part) ||
    asked >= ASKED * part * part
  );
}
