/** Divides `ceiling` among items in proportion to their weights. No item gets more than it wants. */
export function shareByWeight(
  wanted: readonly number[],
  weights: readonly number[],
  ceiling: number,
): readonly number[] {
  const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  // If `ceiling` is enough for all items, returns `wanted`: the rounding below could reduce a value.
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
