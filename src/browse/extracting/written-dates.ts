import { parseInstant, parseIsoDate, readDate } from '../../lib/time/written-date.ts';

const MAX_CHARS = 200;

/** Finds a full date as ISO 8601. `time` adds the time of day if its zone is known. */
export function findDate(text: string, language: string | undefined, time: boolean): string | undefined {
  const value = text.slice(0, MAX_CHARS);
  const date = readDate(value, language);
  if (date?.day === undefined) return undefined;
  const iso = parseIsoDate(value, language);
  if (!time) return iso?.slice(0, 10);
  const zoned = date.timeMs !== undefined && date.offsetMs !== undefined && !iso?.includes('T');
  return zoned ? new Date(parseInstant(value, language) ?? 0).toISOString() : iso;
}
