export interface RankedEntry {
  readonly score: number;
  /** Sum of the vectors of the entry's passages, not scaled to unit length. Undefined without vectors. */
  readonly vector: Float32Array | undefined;
  readonly rare?: boolean;
}

const MAX_COMPARED = 50;
/** Each entry has n neighbours, where n is the number of compared entries divided by this number. */
const ENTRIES_PER_NEIGHBOUR = 6;
const NEIGHBOUR_WEIGHT = 0.075;
export const JUST_BELOW_FACTOR = 1 - 1e-6;

/** Averages scores over similar entries: they often answer the same questions (cluster hypothesis, 1979). */
export function smoothByNeighbours(entries: readonly RankedEntry[]): number[] {
  const first = entries.slice(0, MAX_COMPARED);
  const count = Math.floor(first.length / ENTRIES_PER_NEIGHBOUR);
  if (count === 0) return entries.map(({ score }) => score);
  const weight = NEIGHBOUR_WEIGHT * count;
  const units = first.map(({ vector }) => vector && toUnit(vector));
  const means = first.map((_, at) => meanAround(first, units, at, count));
  // The score of an entry without a vector changes like the average score, so that its rank hardly changes.
  const known = means.flatMap((mean, at) =>
    mean === undefined ? [] : [{ mean, own: first[at]?.score ?? 0 }],
  );
  const own = known.reduce((sum, one) => sum + one.own, 0);
  const usual = own > 0 ? known.reduce((sum, one) => sum + one.mean, 0) / own : 0;
  let most = Number.POSITIVE_INFINITY;
  return entries.map(({ score, rare }, at) => {
    const around = at < first.length ? (means[at] ?? Math.min(1, usual) * score) : 0;
    const smoothed = (1 - weight) * score + weight * around;
    if (!rare) return Math.min(smoothed, most);
    const kept = Math.max(smoothed, score);
    most = Math.min(most, kept * JUST_BELOW_FACTOR);
    return kept;
  });
}

function meanAround(
  entries: readonly RankedEntry[],
  units: readonly (Float32Array | undefined)[],
  at: number,
  count: number,
): number | undefined {
  const here = units[at];
  if (!here) return undefined;
  const near = units
    .flatMap((there, place) => {
      const likeness = there && place !== at ? dotProduct(here, there) : 0;
      return likeness > 0 ? [{ likeness, score: entries[place]?.score ?? 0 }] : [];
    })
    .sort((a, b) => b.likeness - a.likeness || b.score - a.score)
    .slice(0, count);
  const weight = near.reduce((sum, { likeness }) => sum + likeness, 0);
  if (weight === 0) return undefined;
  return near.reduce((sum, { likeness, score }) => sum + likeness * score, 0) / weight;
}

/** Scales a vector to unit length. A zero vector becomes NaN and is similar to no vector. */
function toUnit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dotProduct(vector, vector));
  return vector.map((value) => value / length);
}

export function dotProduct(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
