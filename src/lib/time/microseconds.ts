/** Microseconds since 1970 as people and programs write a time, to the millisecond. */
export function isoTime(microseconds: number): string {
  return new Date(microseconds / 1000).toISOString();
}
