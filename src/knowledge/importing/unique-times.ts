/** Returns a function that makes equal times differ: by 1 microsecond for the second, 2 for the third. */
export function createUniqueTimes(): (micro: number) => number {
  const taken = new Map<number, number>();
  return (micro) => {
    const before = taken.get(micro) ?? 0;
    taken.set(micro, before + 1);
    return micro + before;
  };
}
