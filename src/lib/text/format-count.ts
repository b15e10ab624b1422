/** Returns a number with its noun: `1 page`, `2 pages`, `0 entries`. `many` is the plural if it is not `one` with an s. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
