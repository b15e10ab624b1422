/** Converts microseconds since 1970 to an ISO 8601 time with milliseconds. */
export function isoTime(microseconds: number): string {
  return new Date(microseconds / 1000).toISOString();
}
