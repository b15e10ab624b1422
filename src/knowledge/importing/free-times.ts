/** Makes times in microseconds unique: records of one time, such as files of a checkout, get consecutive ones. */
export function createFreeTimes(): (micro: number) => number {
  const taken = new Map<number, number>();
  return (micro) => {
    const before = taken.get(micro) ?? 0;
    taken.set(micro, before + 1);
    return micro + before;
  };
}
