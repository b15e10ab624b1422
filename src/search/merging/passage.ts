const WINDOW_CHARS = 1200;
/** Characters that are added before and after the part with the searched words. */
const MARGIN_CHARS = 600;
const MAX_WHOLE_CHARS = 4000;
const MAX_PLACES = 2000;
/** Weight if the whole searched word occurs. If only its first letters occur, the weight is 1. */
const EXACT_WEIGHT = 2;
/** Matches letters with accents. The range also has × and ÷, which normalization does not change. */
const ACCENTED = /[\u00c0-\u024f\u1e00-\u1eff]/g;

/** Removes accents, so that `Häuser` becomes `Hauser`. Positions in the text stay the same. */
export function withoutAccents(text: string): string {
  return text.replace(ACCENTED, (letter) => letter.normalize('NFD').charAt(0));
}

interface TermPlace {
  readonly at: number;
  readonly word: number;
  readonly weight: number;
}

export function nearestPassage(
  text: string,
  asked: readonly string[],
): { readonly from: number; readonly to: number } | undefined {
  if (text.length <= MAX_WHOLE_CHARS) return { from: 0, to: text.length };
  const lower = withoutAccents(text.toLowerCase());
  const places = asked
    .flatMap((term, word) => placesOf(lower, withoutAccents(term), word))
    .sort((a, b) => a.at - b.at);
  const best = densest(places, asked.length);
  if (best === undefined) return undefined;
  const from = Math.max(0, best - MARGIN_CHARS);
  const to = Math.min(text.length, best + WINDOW_CHARS + MARGIN_CHARS);
  return { from: from === 0 ? 0 : betweenWords(text, from), to };
}

/** Returns the positions of a term's first letters. For `nesting`, these are the positions of `nest`. */
function placesOf(lower: string, term: string, word: number): TermPlace[] {
  const probe = term.slice(0, Math.min(5, Math.max(3, term.length - 3)));
  const places: TermPlace[] = [];
  for (let at = lower.indexOf(probe); at >= 0; at = lower.indexOf(probe, at + probe.length)) {
    places.push({ at, word, weight: lower.startsWith(term, at) ? EXACT_WEIGHT : 1 });
    if (places.length >= MAX_PLACES) break;
  }
  return places;
}

function densest(places: readonly TermPlace[], words: number): number | undefined {
  const counts = [new Uint32Array(words), new Uint32Array(words)] as const;
  let [distinct, best, start] = [0, -1, -1];
  let left = 0;
  const worth = (word: number) => (counts[1][word] ? EXACT_WEIGHT : counts[0][word] ? 1 : 0);
  const move = ({ word, weight }: TermPlace, by: 1 | -1) => {
    const before = worth(word);
    const kind = counts[weight === EXACT_WEIGHT ? 1 : 0];
    kind[word] = (kind[word] ?? 0) + by;
    distinct += worth(word) - before;
  };
  for (const [right, place] of places.entries()) {
    move(place, 1);
    for (let out = places[left]; out && place.at - out.at > WINDOW_CHARS; out = places[++left]) move(out, -1);
    const score = distinct * MAX_PLACES * words + (right - left);
    if (score > best) {
      best = score;
      start = places[left]?.at ?? 0;
    }
  }
  return start < 0 ? undefined : start;
}

function betweenWords(text: string, at: number): number {
  const found = text.slice(at, at + 200).search(/\s/);
  if (found >= 0) return at + found;
  return /[\udc00-\udfff]/.test(text[at] ?? '') ? at + 1 : at;
}
