import { z } from 'zod';
import { SEVERITIES } from '../../src/lib/severity.ts';
import { formatPercent } from '../../src/lib/text/format-percent.ts';
import { type AnswerReaderKind, type IsOffered, listedObject } from '../../src/operation.ts';
import { probingAnswer } from './probing.ts';

const WINDOWS = ['24h', '7d', '30d', '90d'] as const;

/** Uptime by period. `known`: share of the period with probes. `uptime`: share of `known` that was up. */
const windows = z.array(
  z.object({
    window: z.enum(WINDOWS),
    uptime: z.number().optional(),
    known: z.number(),
    looks: z.int(),
    p50_ms: z.int().optional(),
    p95_ms: z.int().optional(),
    p99_ms: z.int().optional(),
  }),
);

const days = z.array(z.object({ day: z.string(), uptime: z.number().optional(), known: z.number() }));

const monitorHistory = z.object({
  windows,
  days: days.optional(),
  targets: z.array(z.object({ name: z.string(), windows, days: days.optional() })).optional(),
  incidents: z.array(
    z.object({
      target: z.string(),
      from: z.string(),
      to: z.string().optional(),
      seconds: z.int(),
      why: z.string(),
    }),
  ),
});

function historyLines({
  history,
  targets,
}: {
  readonly history?: z.output<typeof monitorHistory> | undefined;
  readonly targets: readonly unknown[];
}): string[] {
  if (!history) return [];
  const { windows: all, incidents } = history;
  const lines = all.flatMap(({ window, uptime, known, p50_ms: p50, p95_ms: p95, p99_ms: p99 }) => {
    if (uptime === undefined) return [];
    const seen =
      known < 0.99 ? ` of the time that is known (${known < 0.005 ? 'under 1%' : formatPercent(known)})` : '';
    const times = p50 === undefined ? '' : `; answers 50% in ${p50} ms, 95% in ${p95}, 99% in ${p99}`;
    return [`last ${window}: up ${formatPercent(uptime)}${seen}${times}`];
  });
  const down = incidents.map(({ target: at, from, to, seconds, why }) => {
    const where = targets.length > 1 ? `${at} ` : '';
    return `${where}down ${from} to ${to ?? 'now'} (${seconds} s)${why && `: ${why}`}`;
  });
  return [...lines, ...down];
}

const finding = listedObject(['severity', 'title'], {
  id: z.string(),
  severity: z.enum(SEVERITIES),
  score: z.number(),
  title: z.string(),
  description: z.string(),
  fix: z.string(),
  cwe: z.array(z.string()).optional(),
  target: z.string(),
  fingerprint: z.string(),
  change: z.object({ before: z.string(), after: z.string() }).optional(),
});

const alert = listedObject(['id', 'state'], {
  id: z.int(),
  state: z.enum(['open', 'cleared']),
  flapping: z.boolean(),
  raised_at: z.string(),
  cleared_at: z.string().optional(),
  cleared_reason: z.string().optional(),
  finding,
});

/** A notification that Magpie no longer tries to send. `trouble` is the error of the last attempt. */
const deadDelivery = z.object({
  channel: z.string(),
  event: z.string(),
  alert: z.int(),
  title: z.string(),
  target: z.string(),
  at: z.string(),
  attempts: z.int(),
  last_attempt: z.string().optional(),
  trouble: z.string(),
});

const target = listedObject(['name', 'up'], {
  name: z.string(),
  kind: z.enum(['url', 'host', 'repository', 'tcp', 'dns', 'ping', 'heartbeat', 'page']),
  up: z.boolean().optional(),
  uptime: z.number().optional(),
  grade: z.string().optional(),
  grade_score: z.int().optional(),
  measures: z.record(z.string(), z.union([z.number(), z.string()])),
  last_run: z.string().optional(),
  next_run: z.string().optional(),
  trouble: z.record(z.string(), z.string()).optional(),
});

const monitored = listedObject(['infrastructure_id', 'status', 'findings'], {
  infrastructure_id: z.string(),
  status: z.enum(['active', 'degraded', 'down', 'alerting', 'stopped']),
  score: z.int().optional(),
  options: z.object({
    alert_threshold: z.number(),
    scan_interval: z.number(),
    webhook: z.string().optional(),
    webhook_secret: z.string().optional(),
    ...probingAnswer,
  }),
  runs: z.object({
    started: z.string(),
    last: z.string().optional(),
    next: z.string().optional(),
    paused: z.boolean().optional(),
    maintenance_until: z.string().optional(),
    trouble: z.string().optional(),
    uptime: z.number().optional(),
    open_alerts: z.int(),
    findings_left: z.int().optional(),
    deliveries: z.object({ waiting: z.int(), sent: z.int(), dead: z.int() }),
    group: z.string().optional(),
    name: z.string().optional(),
    owner: z.string().optional(),
    tags: z.array(z.string()).optional(),
  }),
  targets: z.array(target),
  history: monitorHistory.optional(),
  findings: z.array(finding),
  alerts: z.array(alert),
  dead_deliveries: z.array(deadDelivery).optional(),
});

export const monitorAnswer = listedObject(['data'], { success: z.boolean(), data: monitored });
export type MonitorAnswer = z.output<typeof monitorAnswer>;

export const infrastructureId = z.string().trim().min(1).max(2000).describe('Watched URL, host or name');

export function monitorText({ data }: MonitorAnswer, _reader: AnswerReaderKind, offers: IsOffered): string {
  return [
    ...stateLines(data),
    ...historyLines(data),
    ...data.targets.flatMap((target) => targetLines(target, data.findings)),
    ...findingLines(data),
    ...deliveryLines(data, offers),
  ].join('\n');
}

type Data = MonitorAnswer['data'];

function stateLines({ infrastructure_id: id, status, score, options, runs, history }: Data): string[] {
  const shownScore = score === undefined ? '' : `, score ${score} of 100`;
  const uptime =
    runs.uptime === undefined || history ? '' : `; up ${(runs.uptime * 100).toFixed(2)}% of 30 days`;
  const lines = [
    `${id}: ${status}${runs.paused ? ' (paused)' : ''}${shownScore}`,
    `every ${options.scan_interval} s, alerts from ${options.alert_threshold} of 10; open alerts: ${runs.open_alerts}${uptime}`,
    runs.last === undefined
      ? 'not probed yet: a running Magpie probes it (magpie serve)'
      : `last probe ${runs.last}, next ${runs.next ?? 'none'}`,
  ];
  if (runs.maintenance_until !== undefined) {
    lines.push(`in maintenance until ${runs.maintenance_until}: no alerts until then`);
  }
  return runs.trouble === undefined ? lines : [...lines, runs.trouble];
}

const SLOW = ['reachability/slow', 'reachability/too-slow'];

function targetLines(
  { name, up, grade, measures, trouble = {} }: Data['targets'][number],
  findings: Data['findings'],
): string[] {
  const isSlow = findings.some(({ id, target: at }) => at === name && SLOW.includes(id));
  const state = up === undefined ? '' : up ? (isSlow ? 'up, SLOW' : 'up') : 'DOWN';
  const parts = [state, grade && `grade ${grade}`, milliseconds(measures)].filter(Boolean).join(', ');
  return [
    `- ${[name, parts].filter(Boolean).join(' ')}`,
    ...Object.entries(trouble).map(([check, why]) => `  ${check} saw nothing: ${why}`),
  ];
}

function findingLines({ findings, runs }: Data): string[] {
  const lines = findings.map(
    ({ severity, title, target: at, description, fix }) =>
      `${severity.toUpperCase()} ${title} (${at}): ${description}. ${fix}`,
  );
  return runs.findings_left ? [...lines, `and ${runs.findings_left} more`] : lines;
}

function deliveryLines({ options, runs, dead_deliveries: [dead] = [] }: Data, offers: IsOffered): string[] {
  const lines: string[] = [];
  if (dead) {
    lines.push(
      `Notifications that did not arrive: ${runs.deliveries.dead}, the last by ${dead.channel}: ${dead.trouble}.${offers('resendNotices') ? ' resendNotices sends them again.' : ''}`,
    );
  }
  if (options.heartbeat !== undefined) {
    lines.push(
      `Its job calls (GET or POST) ${options.heartbeat} at the address of magpie serve, without which no heartbeat can come; the path is not shown again.`,
    );
  }
  if (options.webhook_secret !== undefined) {
    lines.push(
      `Posts to ${options.webhook} are signed with ${options.webhook_secret}; it is not shown again.`,
    );
  }
  return lines;
}

function milliseconds({ total_ms: total }: Readonly<Record<string, number | string>>): string {
  return total === undefined ? '' : `${total} ms`;
}
