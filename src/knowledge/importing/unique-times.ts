/** Makes times in microseconds unique. Records with the same time get consecutive times. */
export function createUniqueTimes(): (micro: number) => number {
  const taken = new Map<number, number>();
  return (micro) => {
    const before = taken.get(micro) ?? 0;
    taken.set(micro, before + 1);
    return micro + before;
  };
}
