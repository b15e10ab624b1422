export interface Forest {
  readonly roots: Int32Array;
  readonly features: Uint8Array;
  readonly thresholds: Float32Array;
  /** `low` is the next node for a value up to the threshold, `high` above it. A negative `~i` is leaf `i`. */
  readonly low: Int16Array;
  readonly high: Int16Array;
  readonly leaves: Float32Array;
  readonly leafRoots: Int32Array;
}

export function chancesOf(forest: Forest, values: Float32Array, width: number): Float64Array {
  const { roots, features, thresholds, low, high, leaves, leafRoots } = forest;
  const sums = new Float64Array(Math.floor(values.length / width));
  for (let tree = 0; tree < roots.length; tree++) {
    const root = roots[tree] as number;
    const leaf = leafRoots[tree] as number;
    for (let row = 0, from = 0; row < sums.length; row++, from += width) {
      let node = 0;
      do {
        const at = root + node;
        const value = values[from + (features[at] as number)] as number;
        node = (value <= (thresholds[at] as number) ? low[at] : high[at]) as number;
      } while (node >= 0);
      sums[row] = (sums[row] as number) + (leaves[leaf + ~node] as number);
    }
  }
  return sums.map((sum) => 1 / (1 + Math.exp(-sum)));
}
