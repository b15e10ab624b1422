/** Number of rounds. After a single round, numbers at one end would not affect the other end. */
const ROUNDS = 2;

/** Creates a fixed rotation of sign flips and Walsh-Hadamard transforms, as in RaBitQ's implementation. */
export function createRotation(dimensions: number): (vector: Float32Array) => Float32Array {
  const block = 2 ** Math.floor(Math.log2(Math.max(dimensions, 1)));
  const scale = 1 / Math.sqrt(block);
  let state = 12_345;
  const signs = Array.from({ length: ROUNDS }, () =>
    Float32Array.from({ length: dimensions }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >= 2 ** 31 ? 1 : -1;
    }),
  );
  return (vector) => {
    const turned = vector.slice();
    for (const [round, sign] of signs.entries()) {
      for (let i = 0; i < dimensions; i++) turned[i] = (turned[i] ?? 0) * (sign[i] ?? 0);
      const from = round % 2 === 0 ? 0 : dimensions - block;
      transform(turned.subarray(from, from + block), scale);
    }
    return turned;
  };
}

/** Combines two steps of the usual algorithm, which halves the reads and writes. */
function transform(numbers: Float32Array, scale: number): void {
  const { length } = numbers;
  let quarter = 1;
  for (; quarter * 4 <= length; quarter *= 4) {
    for (let start = 0; start < length; start += 4 * quarter) {
      for (let i = start; i < start + quarter; i++) {
        const a = numbers[i] ?? 0;
        const b = numbers[i + quarter] ?? 0;
        const c = numbers[i + 2 * quarter] ?? 0;
        const d = numbers[i + 3 * quarter] ?? 0;
        numbers[i] = a + b + (c + d);
        numbers[i + quarter] = a - b + (c - d);
        numbers[i + 2 * quarter] = a + b - (c + d);
        numbers[i + 3 * quarter] = a - b - (c - d);
      }
    }
  }
  for (let i = 0; quarter < length && i < quarter; i++) {
    const a = numbers[i] ?? 0;
    const b = numbers[i + quarter] ?? 0;
    numbers[i] = a + b;
    numbers[i + quarter] = a - b;
  }
  for (let i = 0; i < length; i++) numbers[i] = (numbers[i] ?? 0) * scale;
}
