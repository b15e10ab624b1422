/** Gives each moment once: records of one moment, such as files of one checkout, follow each other by a microsecond. */
export function createFreeTimes(): (micro: number) => number {
  const taken = new Map<number, number>();
  return (micro) => {
    const before = taken.get(micro) ?? 0;
    taken.set(micro, before + 1);
    return micro + before;
  };
}
