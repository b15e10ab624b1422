import type { MonitorDescription, MonitorHistoryDescription, MonitorSummary } from '../../monitor/types.ts';
import { type McpAppHost, makeButton, makeSvg, markup } from './bridge.ts';

interface Days {
  readonly from: string;
  /** Share of each day (0 to 1) in which the target was up. It is null for a day without monitoring. */
  readonly shares: readonly (number | null)[];
}
type MonitorDetails = Pick<MonitorDescription, 'infrastructure_id' | 'status'> & Partial<MonitorDescription>;
/** Formats a share, rounded down, so that only a share of 1 is `100%`. */
function percent(share: number): string {
  return `${(Math.floor(share * 1e4) / 100).toFixed(2).replace(/\.00$/, '')}%`;
}

function moment(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

function statusTag(status: string): Node {
  const kinds: Readonly<Record<string, string>> = {
    active: 'good',
    degraded: 'warn',
    alerting: 'warn',
    down: 'bad',
  };
  return markup`<span class="tag ${kinds[status]}">${status}</span>`;
}

function dayBars(days: Days | undefined): Node | undefined {
  if (!days || days.shares.every((share) => share === null)) return undefined;
  const [step, height] = [4, 28];
  const known = days.shares.filter((share) => share !== null);
  const whole = known.filter((share) => share === 1).length;
  const words = `${whole} of ${known.length} watched days without downtime, of the last ${days.shares.length}`;
  const first = Date.parse(`${days.from}T00:00:00Z`);
  const bars = days.shares.map((share, at) => {
    const level = share === null ? 'none' : share >= 0.999 ? 'good' : share >= 0.95 ? 'warn' : 'bad';
    const day = Number.isNaN(first)
      ? ''
      : `${new Date(first + at * 86_400_000).toISOString().slice(0, 10)}: `;
    const title = makeSvg('title', {}, `${day}${share === null ? 'not watched' : percent(share)}`);
    return makeSvg('rect', { class: level, x: at * step, width: step - 1, height }, title);
  });
  const { length } = days.shares;
  return markup`<div class="days"><svg class="bars" role="img" aria-label="${words}" viewBox="0 0 ${length * step} ${height}" preserveAspectRatio="none">${bars}</svg><p class="ends" aria-hidden="true"><span>${length} days ago</span><span>today</span></p></div>`;
}

function monitorList(rows: readonly MonitorSummary[], days: Readonly<Record<string, Days>>): Node {
  const down = rows.filter(({ status }) => status === 'down').length;
  const words =
    rows.length === 0
      ? 'Nothing is watched yet.'
      : `${rows.length} watched${down > 0 ? `, ${down} down` : ', none down'}`;
  const items = rows.map(
    ({ infrastructure_id: id, status, open_alerts: open, group }) =>
      markup`<li class="panel"><div class="row"><h2><bdi>${id}</bdi></h2>${statusTag(status)}</div><p class="quiet">${group ? `${group} · ` : ''}open alerts: ${open}</p>${dayBars(days[id])}</li>`,
  );
  return markup`<h1>Monitors</h1><p class="quiet">${words}</p><ul class="cards">${items}</ul>`;
}

function windowFacts(windows: MonitorHistoryDescription['windows']): Node | undefined {
  const known = windows.filter(({ uptime }) => uptime !== undefined);
  if (known.length === 0) return undefined;
  const items = known.map(
    ({ window: span, uptime = 0, p50_ms: p50, p95_ms: p95 }) =>
      markup`<li class="fact"><span class="quiet">last ${span}</span><strong>${percent(uptime)}</strong>${p50 !== undefined && markup`<span class="quiet">${p50} ms, 95%: ${p95} ms</span>`}</li>`,
  );
  return markup`<ul class="facts" aria-label="Uptime and response times">${items}</ul>`;
}

function targetList(targets: MonitorDescription['targets']): Node | undefined {
  if (targets.length === 0) return undefined;
  const items = targets.map(({ name, up, measures = {} }) => {
    const total = measures.total_ms;
    const state = up === undefined ? 'not probed' : up ? 'up' : 'down';
    const kind = up === undefined ? '' : up ? 'good' : 'bad';
    return markup`<li class="row"><bdi>${name}</bdi><span class="tag ${kind}">${state}</span>${total !== undefined && markup`<span class="quiet">${total} ms</span>`}</li>`;
  });
  return markup`<section><h2>Targets</h2><ul class="plain">${items}</ul></section>`;
}

function oneMonitor(one: MonitorDetails, days: Days | undefined, { ask }: McpAppHost): Node {
  const { infrastructure_id: id, status, score, runs, targets = [], history, findings = [] } = one;
  const refresh = makeButton('Refresh', () => void ask?.('getMonitoringStatus', { infrastructure_id: id }));
  const facts = [
    score === undefined ? '' : `score ${score} of 100`,
    runs ? `open alerts: ${runs.open_alerts}` : '',
    runs?.last ? `last probe ${moment(runs.last)} UTC` : 'not probed yet',
  ].filter((fact) => fact !== '');
  const found = findings.map(
    ({ severity, title, target, description, fix }) =>
      markup`<details><summary><span class="tag ${severity}">${severity}</span> <bdi>${title}</bdi></summary><p class="quiet"><bdi>${target}</bdi></p><p>${description}</p><p>${fix}</p></details>`,
  );
  const incidents = (history?.incidents ?? []).map(
    ({ target, from, to, why }) =>
      markup`<li>${moment(from)} to ${to ? moment(to) : 'now'}: <bdi>${target}</bdi>${why && ` (${why})`}</li>`,
  );
  return markup`<div class="row"><h1><bdi>${id}</bdi></h1>${statusTag(status)}${ask && refresh}</div><p class="quiet">${facts.join(' · ')}</p>
${dayBars(days)}${windowFacts(history?.windows ?? [])}${targetList(targets)}${found.length > 0 && markup`<section><h2>Findings</h2>${found}</section>`}
${incidents.length > 0 && markup`<section><h2>Incidents</h2><ul class="plain">${incidents}</ul></section>`}`;
}

export function drawMonitors(data: unknown, beside: unknown, host: McpAppHost): Node {
  const answer = data as MonitorDetails & { readonly monitors?: readonly MonitorSummary[] };
  const { days = {} } = (beside ?? {}) as { days?: Readonly<Record<string, Days>> };
  if (answer.monitors) return monitorList(answer.monitors, days);
  return oneMonitor(answer, days[answer.infrastructure_id], host);
}

export const MONITORS_VIEW_FUNCTIONS = [
  percent,
  moment,
  statusTag,
  dayBars,
  monitorList,
  windowFacts,
  targetList,
  oneMonitor,
  drawMonitors,
];
