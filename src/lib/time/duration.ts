import { formatCount } from '../text/format-count.ts';

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
/** Maximum duration. More than ten years are probably a mistake. */
const MAX_DURATION_MS = 3650 * UNITS.d;

/** Parses a duration such as `90d`, `12h`, `30m`, `45s` or `2w` to milliseconds, or returns undefined. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,9})([smhdw])$/.exec(text.trim()) ?? [];
  if (number === undefined || unit === undefined) return undefined;
  const ms = Number(number) * UNITS[unit as keyof typeof UNITS];
  return ms <= MAX_DURATION_MS ? ms : undefined;
}

export function formatDuration(ms: number): string {
  const [unit, word] =
    ms >= UNITS.d
      ? [UNITS.d, 'day']
      : ms >= UNITS.h
        ? [UNITS.h, 'hour']
        : ms >= UNITS.m
          ? [UNITS.m, 'minute']
          : [UNITS.s, 'second'];
  return formatCount(Math.max(0, Math.round(ms / unit)), word);
}
