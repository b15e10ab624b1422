/** `1 page`, `2 pages`, `0 entries`: a number with its word; `many` where it does not just add an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
