/** Returns a function that makes equal times differ. It adds 1 microsecond to the second of them, 2 to the third, and so on. */
export function createUniqueTimes(): (micro: number) => number {
  const taken = new Map<number, number>();
  return (micro) => {
    const before = taken.get(micro) ?? 0;
    taken.set(micro, before + 1);
    return micro + before;
  };
}
