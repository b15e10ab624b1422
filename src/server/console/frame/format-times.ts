import { html } from 'hono/html';
import type { Html } from '../../app/page.ts';

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

/** Formats milliseconds since the epoch as `25 Nov 2026, 19:14`. */
export function formatTimeUtc(at: number): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}" title="UTC">${formatDateUtc(at)}, ${iso.slice(11, 16)}</time>`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Formats milliseconds or ISO 8601 as `25 Nov 2026`. Returns '' for undefined, and other texts unchanged. */
export function formatDateUtc(at: number | string | undefined): string {
  if (at === undefined || at === '') return '';
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at).slice(0, 10);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

export function formatRelativeTime(at: number, now = Date.now()): Html {
  const iso = new Date(at).toISOString();
  const words = at > now ? `in ${formatTimeSpan(at - now)}` : `${formatTimeSpan(now - at)} ago`;
  return html`<time datetime="${iso}" title="${formatDateUtc(at)}, ${iso.slice(11, 16)} UTC">${words}</time>`;
}

/** Returns `40 s`, `12 min`, `3.5 h` or `9 days`. */
export function formatTimeSpan(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.round(ms / 1000)} s`;
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Number((ms / HOUR_MS).toFixed(1))} h`;
  return `${Math.round(ms / DAY_MS)} days`;
}

/** Returns `182 ms` or `1.9 s`. */
export function formatResponseTime(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
