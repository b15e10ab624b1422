/** Passages of one entry among those that are ranked. */
export interface RankedEntry {
  /** Of its best passage, 0 to 1. */
  readonly score: number;
  /** Sum of its passages' vectors, of any length; undefined when none is there yet. */
  readonly vector: Float32Array | undefined;
  /** It has a word of the query that few have. */
  readonly rare?: boolean;
}

/** Entries that take part: further down, neighbours share errors more than subjects. */
const MAX_COMPARED = 50;
/** An entry has one neighbour for as many entries, so 8 at most: of few, all would be neighbours. */
const ENTRIES_PER_NEIGHBOUR = 6;
/** Part of a score that one neighbour makes, so 0.6 at most: one alone would change places with what it is nearest to. */
const NEIGHBOUR_WEIGHT = 0.075;
/** What may not stand above another stands this little below it. */
export const JUST_BELOW = 1 - 1e-6;

/**
 * Scores that lean on their surroundings: texts about the same thing answer the same question (the cluster
 * hypothesis, van Rijsbergen 1979), so an entry whose nearest neighbours score well rises, and a chance hit among
 * entries that do not match falls. An entry that has a word of the query which few have is asked for by that word,
 * whatever its neighbours: it does not fall, and no entry without such a word passes it. `entries` come best first, and the
 * scores are given in that order.
 * At most 50 entries are compared: 1 to 2 ms at 384 dimensions.
 */
export function smooth(entries: readonly RankedEntry[]): number[] {
  const first = entries.slice(0, MAX_COMPARED);
  const count = Math.floor(first.length / ENTRIES_PER_NEIGHBOUR);
  if (count === 0) return entries.map(({ score }) => score);
  const weight = NEIGHBOUR_WEIGHT * count;
  const units = first.map(({ vector }) => vector && toUnit(vector));
  const means = first.map((_, at) => meanAround(first, units, at, count));
  // Entries without a vector get what their like get, so that its absence neither raises nor lowers them.
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
    most = Math.min(most, kept * JUST_BELOW);
    return kept;
  });
}

/** Mean score of an entry's nearest neighbours, weighed by their cosine; undefined when it has none. */
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
      const likeness = there && place !== at ? dot(here, there) : 0;
      return likeness > 0 ? [{ likeness, score: entries[place]?.score ?? 0 }] : [];
    })
    .sort((a, b) => b.likeness - a.likeness || b.score - a.score)
    .slice(0, count);
  const weight = near.reduce((sum, { likeness }) => sum + likeness, 0);
  if (weight === 0) return undefined;
  return near.reduce((sum, { likeness, score }) => sum + likeness * score, 0) / weight;
}

/** Not a number where a vector has no direction, so that it is like nothing. */
function toUnit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
}

/** The cosine of vectors of unit length; 0 for vectors of different models. */
export function dot(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
