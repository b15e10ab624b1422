import { z } from 'zod';
import { SEVERITIES } from '../src/lib/severity.ts';
import type { Context } from '../src/operation.ts';

type Room = Awaited<ReturnType<Context['services']['monitor']>>;
type Monitored = ReturnType<Room['get']>;

const finding = z.object({
  id: z.string(),
  severity: z.enum(SEVERITIES),
  score: z.number(),
  title: z.string(),
  description: z.string(),
  fix: z.string(),
  cwe: z.array(z.string()).optional(),
  target: z.string(),
  fingerprint: z.string(),
});

const alert = z.object({
  id: z.int(),
  state: z.enum(['open', 'cleared']),
  flapping: z.boolean(),
  raised_at: z.string(),
  cleared_at: z.string().optional(),
  cleared_reason: z.string().optional(),
  finding,
});

/** A notice that was given up: the last attempt, and why it failed. */
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

const target = z.object({
  name: z.string(),
  kind: z.enum(['url', 'host', 'repository']),
  up: z.boolean().optional(),
  uptime: z.number().optional(),
  grade: z.string().optional(),
  grade_score: z.int().optional(),
  measures: z.record(z.string(), z.union([z.number(), z.string()])),
  last_run: z.string().optional(),
  next_run: z.string().optional(),
  trouble: z.record(z.string(), z.string()).optional(),
});

const monitored = z.object({
  infrastructure_id: z.string(),
  status: z.enum(['active', 'degraded', 'down', 'alerting', 'stopped']),
  score: z.int().optional(),
  options: z.object({
    alert_threshold: z.number(),
    scan_interval: z.number(),
    webhook: z.string().optional(),
    webhook_secret: z.string().optional(),
  }),
  runs: z.object({
    started: z.string(),
    last: z.string().optional(),
    next: z.string().optional(),
    paused: z.boolean().optional(),
    trouble: z.string().optional(),
    uptime: z.number().optional(),
    open_alerts: z.int(),
    findings_left: z.int().optional(),
    deliveries: z.object({ waiting: z.int(), sent: z.int(), dead: z.int() }),
    owner: z.string().optional(),
    tags: z.array(z.string()).optional(),
  }),
  targets: z.array(target),
  findings: z.array(finding),
  alerts: z.array(alert),
  dead_deliveries: z.array(deadDelivery).optional(),
});

/** How a monitor stands. */
export const monitorAnswer = z.object({ success: z.boolean(), data: monitored });
export type MonitorAnswer = z.output<typeof monitorAnswer>;

export const infrastructureId = z
  .string()
  .trim()
  .min(1)
  .max(2000)
  .describe('Public URL or host, or a listed name');

/** Targets, findings, alerts and dead deliveries that a model reads. */
const [TARGETS, FINDINGS, ALERTS, DEAD] = [20, 25, 10, 5];

/**
 * A monitor as the answer tells it; a program gets all of it, a model the worst.
 * @param secret what posts to its webhook are signed with: only for the answer that sets one, since answers are kept
 */
export function monitorOf(monitor: Monitored, { wishes }: Context, secret?: string): MonitorAnswer {
  const { webhook, deadLetters } = monitor;
  const most = (count: number) => (wishes.whole ? Infinity : count);
  const findings = monitor.findings.slice(0, most(FINDINGS));
  const left = monitor.findings.length - findings.length;
  return {
    success: true,
    data: {
      infrastructure_id: monitor.id,
      status: monitor.status,
      ...(monitor.score !== undefined && { score: monitor.score }),
      options: {
        alert_threshold: monitor.threshold,
        scan_interval: monitor.intervalMs / 1000,
        ...(webhook !== undefined && { webhook }),
        ...(secret !== undefined && { webhook_secret: secret }),
      },
      runs: {
        started: iso(monitor.startedAt),
        ...(monitor.lastRun !== undefined && { last: iso(monitor.lastRun) }),
        ...(monitor.nextRun !== undefined && { next: iso(monitor.nextRun) }),
        ...(monitor.state === 'paused' && { paused: true }),
        ...(monitor.trouble !== undefined && { trouble: monitor.trouble }),
        ...(monitor.uptime !== undefined && { uptime: rounded(monitor.uptime) }),
        open_alerts: monitor.openAlerts,
        ...(left > 0 && { findings_left: left }),
        deliveries: monitor.deliveries,
        ...(monitor.contact !== undefined && { owner: monitor.contact }),
        ...(monitor.tags.length > 0 && { tags: [...monitor.tags] }),
      },
      targets: monitor.targets.slice(0, most(TARGETS)).map((one) => ({
        name: one.name,
        kind: one.kind,
        ...(one.up !== undefined && { up: one.up }),
        ...(one.uptime !== undefined && { uptime: rounded(one.uptime) }),
        ...(one.grade && { grade: one.grade.grade, grade_score: one.grade.score }),
        measures: { ...one.measures },
        ...(one.lastRun !== undefined && { last_run: iso(one.lastRun) }),
        ...(one.nextRun !== undefined && { next_run: iso(one.nextRun) }),
        ...(Object.keys(one.trouble).length > 0 && { trouble: { ...one.trouble } }),
      })),
      findings: findings.map(plainFinding),
      alerts: monitor.alerts
        .slice(0, most(ALERTS))
        .map(({ id, flapping, raisedAt, clearedAt, reason, finding: of }) => ({
          id,
          state: clearedAt === undefined ? ('open' as const) : ('cleared' as const),
          flapping,
          raised_at: iso(raisedAt),
          ...(clearedAt !== undefined && { cleared_at: iso(clearedAt) }),
          ...(reason !== undefined && { cleared_reason: reason }),
          finding: plainFinding(of),
        })),
      ...(deadLetters.length > 0 && { dead_deliveries: deadLetters.slice(0, most(DEAD)).map(deadOf) }),
    },
  };
}

function deadOf({ channel, notice, attempts, triedAt, trouble }: Monitored['deadLetters'][number]) {
  const { id, finding, raised_at, cleared_at = raised_at } = notice.alert;
  const { title, target: at } = finding;
  return {
    channel,
    event: notice.event,
    alert: id,
    title,
    target: at,
    at: cleared_at,
    attempts,
    ...(triedAt !== undefined && { last_attempt: iso(triedAt) }),
    trouble,
  };
}

function plainFinding({ cwe, scanners: _, ...rest }: Monitored['findings'][number]) {
  return { ...rest, ...(cwe && { cwe: [...cwe] }) };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

function rounded(share: number): number {
  return Math.round(share * 1e5) / 1e5;
}

/** A monitor for people and models: the state first, then what is wrong. */
export function monitorText({ data }: MonitorAnswer): string {
  const { infrastructure_id: id, status, score, options, runs } = data;
  const lines = [
    `${id}: ${status}${runs.paused ? ' (paused)' : ''}${score === undefined ? '' : `, score ${score} of 100`}`,
    `every ${options.scan_interval} s, alerts from ${options.alert_threshold} of 10; open alerts: ${runs.open_alerts}` +
      (runs.uptime === undefined ? '' : `; up ${(runs.uptime * 100).toFixed(2)}% of 30 days`),
    runs.last === undefined
      ? 'not looked at yet: a running Magpie does it (magpie serve)'
      : `last look ${runs.last}, next ${runs.next ?? 'none'}`,
  ];
  if (runs.trouble !== undefined) lines.push(runs.trouble);
  for (const { name, up, grade, measures, trouble } of data.targets) {
    const said = [
      up === undefined ? '' : up ? 'up' : 'DOWN',
      grade && `grade ${grade}`,
      milliseconds(measures),
    ];
    lines.push(`- ${[name, said.filter(Boolean).join(', ')].filter(Boolean).join(' ')}`);
    for (const [check, why] of Object.entries(trouble ?? {})) lines.push(`  ${check} failed: ${why}`);
  }
  for (const { severity, title, target: at, description, fix } of data.findings) {
    lines.push(`${severity.toUpperCase()} ${title} (${at}): ${description}. ${fix}`);
  }
  if (runs.findings_left) lines.push(`and ${runs.findings_left} more`);
  const [dead] = data.dead_deliveries ?? [];
  if (dead) {
    lines.push(
      `Notices that did not arrive: ${runs.deliveries.dead}, the last by ${dead.channel}: ${dead.trouble}. resendNotices sends them again.`,
    );
  }
  if (options.webhook_secret !== undefined) {
    lines.push(
      `Posts to ${options.webhook} are signed with ${options.webhook_secret}; it is not shown again.`,
    );
  }
  return lines.join('\n');
}

function milliseconds({ total_ms: total }: Readonly<Record<string, number | string>>): string {
  return total === undefined ? '' : `${total} ms`;
}
