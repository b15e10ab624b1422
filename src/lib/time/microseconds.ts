export function isoTime(microseconds: number): string {
  return new Date(microseconds / 1000).toISOString();
}
