/** Returns `1 page`, `2 pages` or `0 entries`. `many` is an irregular plural. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
