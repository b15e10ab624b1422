export interface LanguageCounts {
  readonly passages: number;
  readonly nonenglish: number;
  /** Sum of the weights of an owner's questions that were not in English. The weights decay with time. */
  readonly asked: number;
  readonly multilingual: boolean;
}

/** Share of non-English passages from which the multilingual model is used. For English alone, that model is slightly worse. */
const SHARE = 0.05;
/** From MANY non-English passages on, SHARE_OF_MANY is enough, because it exceeds the error rate of the detection. */
const MANY = 25;
const SHARE_OF_MANY = 0.01;
/** Sum of question weights from which the multilingual model is used: one question in another script, or two in Latin script. */
const ASKED = 2;
/** Factor for an owner's thresholds under the multilingual model, because switching back is costly. */
const BACK = 0.5;
/** Weight of a question by the certainty that it is not in English. */
export const NON_ENGLISH_QUESTION_WEIGHTS = { certain: 2, likely: 1, none: 0 } as const;
export const MAX_QUESTION_WEIGHT_SUM = 8;
export const QUESTION_WEIGHT_HALF_LIFE_MS = 30 * 86_400_000;

/** True if the owner should use the multilingual model. The thresholds are lower if the owner already uses it. */
export function needsMultilingual({ passages, nonenglish, asked, multilingual }: LanguageCounts): boolean {
  const part = multilingual ? BACK : 1;
  const share = passages > 0 ? nonenglish / passages : 0;
  return (
    share >= SHARE * part ||
    (nonenglish >= MANY * part && share >= SHARE_OF_MANY * part) ||
    asked >= ASKED * part * part
  );
}
