import { escapeInvisible } from '../../lib/text/escape-invisible.ts';
import { hideTokens } from '../findings/hide.ts';
import advice from './gap-advice.json' with { type: 'json' };

/** A gap is content that a scanner should have read but could not. `gap-advice.json` has the advice for each kind of gap. */
export type ScanGapKind = keyof typeof advice;
export const GAP_KINDS = Object.keys(advice) as readonly ScanGapKind[];

export interface ScanGap {
  readonly kind: ScanGapKind;
  /** Content that was not read, as a phrase: `3 files over 10 MB`. */
  readonly what: string;
  readonly fix: string;
}

export type ScanOmissions = ReturnType<typeof createOmissions>;

/** Maximum number of lines in a list. A hostile repository can cause any number of lines. */
const MAX_LINES = 100;

/** Masks tokens and escapes invisible characters. File names in the text can contain any characters. */
const shownText = (text: string): string => escapeInvisible(hideTokens(text));

export function createOmissions() {
  const left: string[] = [];
  const gaps: ScanGap[] = [];
  let more = 0;
  const leave = (told: string) => {
    const what = shownText(told);
    if (left.length < MAX_LINES) left.push(what);
    else left[MAX_LINES] = `and ${++more} more`;
  };
  return {
    left,
    gaps,
    leave,
    miss(kind: ScanGapKind, told: string, fix: string = advice[kind]) {
      leave(told);
      const what = shownText(told);
      if (gaps.length < MAX_LINES || !gaps.some((gap) => gap.kind === kind)) gaps.push({ kind, what, fix });
    },
  };
}
