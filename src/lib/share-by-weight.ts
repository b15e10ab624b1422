/** Divides `ceiling` by weight into whole numbers. If an item needs less than its share, others get more. */
export function shareByWeight(
  wanted: readonly number[],
  weights: readonly number[],
  ceiling: number,
): readonly number[] {
  const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  // If the ceiling suffices for all, the rounding below could still give some items too little.
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
