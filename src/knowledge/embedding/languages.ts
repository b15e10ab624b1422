export interface LanguageCounts {
  readonly passages: number;
  readonly nonenglish: number;
  /** Summed weights of the owner's recent non-English questions. The sum decays with time. */
  readonly asked: number;
  readonly multilingual: boolean;
}

/** From this share of non-English passages on, the multilingual model is used. It is worse for English. */
const SHARE = 0.05;
/** From this number of non-English passages on, SHARE_OF_MANY applies: not all can be detection errors. */
const MANY = 25;
const SHARE_OF_MANY = 0.01;
/** Minimum `asked` for the multilingual model. A non-English question weighs 1, or 2 in another script. */
const ASKED = 2;
/** Factor of the thresholds for owners with the multilingual model. They keep it, as a change is costly. */
const BACK = 0.5;
export const NON_ENGLISH_QUESTION_WEIGHTS = { certain: 2, likely: 1, none: 0 } as const;
export const MAX_QUESTION_WEIGHT_SUM = 8;
export const QUESTION_WEIGHT_HALF_LIFE_MS = 30 * 86_400_000;

export function needsMultilingual({ passages, nonenglish, asked, multilingual }: LanguageCounts): boolean {
  const part = multilingual ? BACK : 1;
  const share = passages > 0 ? nonenglish / passages : 0;
  return (
    share >= SHARE * part ||
    (nonenglish >= MANY * part && share >= SHARE_OF_MANY * part) ||
    asked >= ASKED * part * part
  );
}
