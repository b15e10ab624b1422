import { html } from 'hono/html';
import type { DailyCallCount, KeyRecord, Usage } from '../../access/types.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import type { Html } from '../app/page.ts';

const DAYS = 30;
const NAMED = 5;
const DAY_MS = 86_400_000;
const HEIGHT = 60;
const STEP = 10;

/** Draws a key's calls by day and by operation. Inputs and outputs are not recorded. */
export async function keyUsageHtml(usage: Usage, { id, name }: KeyRecord): Promise<Html> {
  const counts = await usage.listDays(id, DAYS);
  const total = counts.reduce((sum, { calls }) => sum + calls, 0);
  const failed = counts.reduce((sum, { calls, outcome }) => sum + (outcome === 'ok' ? 0 : calls), 0);
  const heading = html`<h2>Use of ${name || id}, ${DAYS} days</h2>`;
  if (total === 0) {
    return html`<section class="panel" id="usage" aria-label="Usage">${heading}<p class="quiet">It was not used. Every call with it is counted here by day, without what was asked.</p></section>`;
  }
  const most = [...byOperation(counts)].slice(0, NAMED).map(([operation, calls]) => `${operation} ${calls}`);
  return html`<section class="panel" id="usage" aria-label="Usage">${heading}${bars(counts)}
<p class="quiet">${formatCount(total, 'call')}, ${failed} refused or failed. Called most: ${most.join(', ')}.</p></section>`;
}

function bars(counts: readonly DailyCallCount[]): Html {
  const today = Math.floor(Date.now() / DAY_MS);
  const days = Array.from({ length: DAYS }, (_, at) => {
    const day = today - DAYS + 1 + at;
    const rows = counts.filter((one) => one.day === day);
    return { day, calls: rows.reduce((sum, { calls }) => sum + calls, 0) };
  });
  const most = Math.max(...days.map(({ calls }) => calls));
  const words = days
    .filter(({ calls }) => calls > 0)
    .map(({ day, calls }) => `${new Date(day * DAY_MS).toISOString().slice(0, 10)}: ${calls}`);
  return html`<svg class="days" viewBox="0 0 ${DAYS * STEP} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Calls by day. ${words.join(', ')}">${days.map(
    ({ calls }, at) => {
      const height = calls === 0 ? 1 : Math.max(3, (calls / most) * HEIGHT);
      return html`<rect x="${at * STEP + 1}" y="${(HEIGHT - height).toFixed(1)}" width="${STEP - 2}" height="${height.toFixed(1)}" rx="1.5"${calls === 0 ? html` class="none"` : ''}/>`;
    },
  )}</svg>`;
}

function byOperation(counts: readonly DailyCallCount[]): [string, number][] {
  const sums = new Map<string, number>();
  for (const { operation, calls } of counts) {
    if (operation !== '') sums.set(operation, (sums.get(operation) ?? 0) + calls);
  }
  return [...sums].sort(([, many], [, more]) => more - many);
}
