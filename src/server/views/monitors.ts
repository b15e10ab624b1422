import type { MonitorDescription, MonitorHistoryDescription, MonitorSummary } from '../../monitor/types.ts';
import { type McpAppHost, makeBarChart, makeButton, makeElement, makeSvg } from './bridge.ts';

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

function statusTag(status: string): HTMLElement {
  const kinds: Readonly<Record<string, string>> = {
    active: 'good',
    degraded: 'warn',
    alerting: 'warn',
    down: 'bad',
  };
  return makeElement('span', `tag ${kinds[status] ?? ''}`, status);
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
  const svg = makeBarChart('bars', words, [days.shares.length * step, height], bars);
  const ends = makeElement(
    'p',
    'ends',
    makeElement('span', '', `${days.shares.length} days ago`),
    makeElement('span', '', 'today'),
  );
  ends.setAttribute('aria-hidden', 'true');
  return makeElement('div', 'days', svg, ends);
}

function monitorList(rows: readonly MonitorSummary[], days: Readonly<Record<string, Days>>): Node[] {
  const down = rows.filter(({ status }) => status === 'down').length;
  const words =
    rows.length === 0
      ? 'Nothing is watched yet.'
      : `${rows.length} watched${down > 0 ? `, ${down} down` : ', none down'}`;
  const items = rows.map(({ infrastructure_id: id, status, open_alerts: open, group }) =>
    makeElement(
      'li',
      'panel',
      makeElement('div', 'row', makeElement('h2', '', makeElement('bdi', '', id)), statusTag(status)),
      makeElement('p', 'quiet', `${group ? `${group} · ` : ''}open alerts: ${open}`),
      dayBars(days[id]),
    ),
  );
  return [
    makeElement('h1', '', 'Monitors'),
    makeElement('p', 'quiet', words),
    makeElement('ul', 'cards', ...items),
  ];
}

function windowFacts(windows: MonitorHistoryDescription['windows']): Node | undefined {
  const known = windows.filter(({ uptime }) => uptime !== undefined);
  if (known.length === 0) return undefined;
  const items = known.map(({ window: span, uptime = 0, p50_ms: p50, p95_ms: p95 }) =>
    makeElement(
      'li',
      'fact',
      makeElement('span', 'quiet', `last ${span}`),
      makeElement('strong', '', percent(uptime)),
      p50 !== undefined && makeElement('span', 'quiet', `${p50} ms, 95%: ${p95} ms`),
    ),
  );
  const list = makeElement('ul', 'facts', ...items);
  list.setAttribute('aria-label', 'Uptime and response times');
  return list;
}

function targetList(targets: MonitorDescription['targets']): Node | undefined {
  if (targets.length === 0) return undefined;
  const items = targets.map(({ name, up, measures = {} }) => {
    const total = measures.total_ms;
    const state = up === undefined ? 'not probed' : up ? 'up' : 'down';
    return makeElement(
      'li',
      'row',
      makeElement('bdi', '', name),
      makeElement('span', `tag ${up === undefined ? '' : up ? 'good' : 'bad'}`, state),
      total !== undefined && makeElement('span', 'quiet', `${total} ms`),
    );
  });
  return makeElement('section', '', makeElement('h2', '', 'Targets'), makeElement('ul', 'plain', ...items));
}

function oneMonitor(one: MonitorDetails, days: Days | undefined, { ask }: McpAppHost): (Node | undefined)[] {
  const { infrastructure_id: id, status, score, runs, targets = [], history, findings = [] } = one;
  const refresh = makeButton('Refresh', () => void ask?.('getMonitoringStatus', { infrastructure_id: id }));
  const facts = [
    score === undefined ? '' : `score ${score} of 100`,
    runs ? `open alerts: ${runs.open_alerts}` : '',
    runs?.last ? `last probe ${moment(runs.last)} UTC` : 'not probed yet',
  ].filter((fact) => fact !== '');
  const found = findings.map(({ severity, title, target, description, fix }) =>
    makeElement(
      'details',
      '',
      makeElement(
        'summary',
        '',
        makeElement('span', `tag ${severity}`, severity),
        ' ',
        makeElement('bdi', '', title),
      ),
      makeElement('p', 'quiet', makeElement('bdi', '', target)),
      makeElement('p', '', description),
      makeElement('p', '', fix),
    ),
  );
  const incidents = (history?.incidents ?? []).map(({ target, from, to, why }) =>
    makeElement(
      'li',
      '',
      `${moment(from)} to ${to ? moment(to) : 'now'}: `,
      makeElement('bdi', '', target),
      why && ` (${why})`,
    ),
  );
  return [
    makeElement(
      'div',
      'row',
      makeElement('h1', '', makeElement('bdi', '', id)),
      statusTag(status),
      ask && refresh,
    ),
    makeElement('p', 'quiet', facts.join(' · ')),
    dayBars(days),
    windowFacts(history?.windows ?? []),
    targetList(targets),
    found.length > 0 ? makeElement('section', '', makeElement('h2', '', 'Findings'), ...found) : undefined,
    incidents.length > 0
      ? makeElement(
          'section',
          '',
          makeElement('h2', '', 'Incidents'),
          makeElement('ul', 'plain', ...incidents),
        )
      : undefined,
  ];
}

export function drawMonitors(data: unknown, beside: unknown, host: McpAppHost): (Node | undefined)[] {
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
