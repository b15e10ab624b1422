/** Formats a number with its noun, for example `2 pages`. `many` is needed for an irregular plural. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
