/** Numbers from 0 to 1 that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function unit(values: Float32Array): Float32Array {
  const length = Math.sqrt(dot(values, values)) || 1;
  return values.map((value) => value / length);
}

/** Vectors of unit length around a few centres, as texts on a few subjects have them. */
export function clustered(
  count: number,
  dimensions: number,
  centres: number,
  next: () => number,
): Float32Array[] {
  const normal = () => next() + next() + next() + next() - 2;
  const spread = 0.6;
  const middles = Array.from({ length: centres }, () =>
    unit(Float32Array.from({ length: dimensions }, normal)),
  );
  return Array.from({ length: count }, () => {
    const middle = middles[Math.floor(next() * centres)] ?? new Float32Array(dimensions);
    const noise = unit(Float32Array.from({ length: dimensions }, normal));
    return unit(middle.map((value, i) => value + spread * (noise[i] ?? 0)));
  });
}

export function dot(a: Float32Array, b: Float32Array): number {
  // A loop: tests compare some million pairs, and `reduce` takes ten times as long.
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** Ids of the k nearest, by reading all. */
export function nearestOf(all: ReadonlyMap<number, Float32Array>, query: Float32Array, k: number): number[] {
  const best: { id: number; near: number }[] = [];
  for (const [id, vector] of all) {
    const near = dot(query, vector);
    if (best.length === k && near < (best.at(-1)?.near ?? 0)) continue;
    best.push({ id, near });
    best.sort((a, b) => b.near - a.near || a.id - b.id);
    best.length = Math.min(k, best.length);
  }
  return best.map(({ id }) => id);
}
