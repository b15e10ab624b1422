/** Makes equal times in microseconds differ: the second gets 1 more, the third 2 more, and so on. */
export function createUniqueTimes(): (micro: number) => number {
  const taken = new Map<number, number>();
  return (micro) => {
    const before = taken.get(micro) ?? 0;
    taken.set(micro, before + 1);
    return micro + before;
  };
}
