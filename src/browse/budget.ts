import { countWords, takeWords } from '../lib/text.ts';
import { goodEnd } from './parts.ts';

/** A text that wants room, and how much of it in proportion to the others. */
export interface Share {
  readonly text: string;
  readonly weight: number;
}

/**
 * Texts cut so that together they have at most `ceiling` words. Each gets room by its weight; what a short
 * text leaves over goes to the others.
 */
export function shareWords(shares: readonly Share[], ceiling: number): string[] {
  const wanted = shares.map(({ text }) => countWords(text));
  const given = allot(
    wanted,
    shares.map(({ weight }) => weight),
    ceiling,
  );
  return shares.map(({ text }, i) => ((given[i] ?? 0) >= (wanted[i] ?? 0) ? text : cut(text, given[i] ?? 0)));
}

/** Water-filling: round by round, those who want less than their share are served in full. */
function allot(wanted: readonly number[], weights: readonly number[], ceiling: number): number[] {
  const given = wanted.map(() => 0);
  let open = wanted.flatMap((want, i) => (want > 0 ? [i] : []));
  let left = ceiling;
  while (open.length > 0) {
    const total = open.reduce((sum, i) => sum + (weights[i] ?? 0), 0);
    const share = (i: number) => (left * (weights[i] ?? 0)) / total;
    const served = open.filter((i) => (wanted[i] ?? 0) <= share(i));
    if (served.length === 0) {
      for (const i of open) given[i] = Math.floor(share(i));
      break;
    }
    for (const i of served) given[i] = wanted[i] ?? 0;
    left -= served.reduce((sum, i) => sum + (wanted[i] ?? 0), 0);
    open = open.filter((i) => !served.includes(i));
  }
  return given;
}

function cut(text: string, words: number): string {
  const most = takeWords(text, words);
  return most.slice(0, goodEnd(`${most} `) || most.length).trimEnd();
}
