/** Divides `ceiling` by weight into whole numbers. The part that a claim does not need goes to others. */
export function shareByWeight(
  wanted: readonly number[],
  weights: readonly number[],
  ceiling: number,
): readonly number[] {
  const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  // If there is enough for all, the rounding below could still give some claims too little.
  if (sumOf(wanted) <= ceiling) return wanted;
  const given = wanted.map(() => 0);
  const order = wanted
    .map((want, at) => ({ at, want, weight: weights[at] ?? 0 }))
    .sort((a, b) => a.want / a.weight - b.want / b.weight);
  let left = ceiling;
  order.forEach(({ at, want, weight }, i) => {
    const total = sumOf(order.slice(i).map((one) => one.weight));
    const words = Math.min(want, Math.floor((left * weight) / total));
    given[at] = words;
    left -= words;
  });
  return given;
}
