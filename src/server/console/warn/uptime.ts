import { html } from 'hono/html';
import { formatPercent } from '../../../lib/text/format-percent.ts';
import type { DayUptime, HourLatency, MonitorFacts } from '../../../monitor/types.ts';
import type { Html } from '../../html.ts';
import { uptimeLevel } from '../../status-page/uptime-level.ts';
import { formatResponseTime } from '../frame/page.ts';

const [DAY_MS, HOUR_MS] = [86_400_000, 3_600_000];
const [DAYS, HOURS] = [90, 24];
/** Sizes in SVG units: bar width, step between bars, height of bars, height of the line chart, margin. */
const [BAR, STEP, BAR_HEIGHT, LINE_HEIGHT, MARGIN] = [3, 4, 28, 30, 2];
const LEVELS = ['none', 'good', 'fair', 'bad'] as const;

export function uptimeBarsHtml(
  days: readonly DayUptime[],
  uptime: number | undefined,
  each = false,
  now = Date.now(),
): Html {
  const today = Math.floor(now / DAY_MS);
  const known = new Map(days.map(({ start, uptime: share }) => [Math.floor(start / DAY_MS), share]));
  const all = Array.from({ length: DAYS }, (_, at) => ({ day: today - DAYS + 1 + at, at }));
  const shape = (at: number) => `M${at * STEP} 0h${BAR}v${BAR_HEIGHT}h-${BAR}z`;
  const words =
    uptime === undefined
      ? 'Uptime of 90 days: not known yet'
      : `Uptime of 90 days: ${formatPercent(uptime)}, of the ${days.length} days that are known`;
  const bars = each
    ? all.map(({ day, at }) => {
        const share = known.get(day);
        const name = new Date(day * DAY_MS).toISOString().slice(0, 10);
        return html`<path class="${uptimeLevel(share)}-fill" d="${shape(at)}"><title>${name}: ${share === undefined ? 'not known' : formatPercent(share)}</title></path>`;
      })
    : LEVELS.map((level) => {
        const own = all.filter(({ day }) => uptimeLevel(known.get(day)) === level);
        return own.length === 0
          ? ''
          : html`<path class="${level}-fill" d="${own.map(({ at }) => shape(at)).join('')}"/>`;
      });
  return html`<svg class="bars" role="img" aria-label="${words}" viewBox="0 0 ${DAYS * STEP - 1} ${BAR_HEIGHT}" preserveAspectRatio="none">${bars}</svg>`;
}

export function latencyHtml(hours: readonly HourLatency[], large = false, now = Date.now()): Html {
  const [first] = hours;
  if (!first) return html`<span class="quiet">no answers yet</span>`;
  const times = hours.map(({ p50 }) => p50);
  const [least, most] = [Math.min(...times), Math.max(...times)];
  const words = `Response time of 24 hours: ${formatResponseTime(least)} to ${formatResponseTime(most)}, ${formatResponseTime(times.at(-1) ?? 0)} at last`;
  return html`<svg class="spark${large ? ' large' : ''}" role="img" aria-label="${words}" viewBox="0 0 ${HOURS - 1} ${LINE_HEIGHT}" preserveAspectRatio="none"><path d="${lineOf(hours, least, most, Math.floor(now / HOUR_MS))}"/></svg>`;
}

function lineOf(hours: readonly HourLatency[], least: number, most: number, hour: number): string {
  const span = Math.max(most - least, most / 10, 1);
  const points = hours.map(({ start, p50 }) => ({ at: Math.floor(start / HOUR_MS), p50 }));
  return points
    .map(({ at, p50 }, place) => {
      const x = at - hour + HOURS - 1;
      const y = LINE_HEIGHT - MARGIN - ((p50 - least) / span) * (LINE_HEIGHT - 2 * MARGIN);
      const joined = points[place - 1]?.at === at - 1;
      const alone = !joined && points[place + 1]?.at !== at + 1 ? 'h.4' : '';
      return `${joined ? 'L' : 'M'}${x} ${Number(y.toFixed(1))}${alone}`;
    })
    .join('');
}

const SLOW: readonly string[] = ['reachability/slow', 'reachability/too-slow'];

export function monitorStateHtml(monitor: MonitorFacts): Html {
  const { state, status, lastRun, findings, maintenanceUntil, targets } = monitor;
  const tag = (look: string, word: string) => html`<span class="tag ${look}">${word}</span>`;
  if (state !== 'active') return tag('', state === 'paused' ? 'Paused' : 'Stopped');
  if (lastRun === undefined) return tag('info', 'First probe');
  if (status === 'down')
    return tag('bad', targets.some(({ kind }) => kind === 'heartbeat') ? 'Overdue' : 'Down');
  if (maintenanceUntil !== undefined) return tag('info', 'Maintenance');
  if (status === 'alerting') return tag('bad', 'Up, alert');
  if (findings.some(({ id }) => SLOW.includes(id))) return tag('warn', 'Slow');
  return status === 'degraded' ? tag('warn', 'Partly') : tag('good', 'Up');
}
