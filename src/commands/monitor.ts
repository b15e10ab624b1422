import { z } from 'zod';
import type { CommandContext } from '../command.ts';
import { badRequestError } from '../errors.ts';
import { attempt } from '../lib/attempt.ts';
import { parseChannelAddress } from '../lib/network/channel-address.ts';
import { formatPercent } from '../lib/text/format-percent.ts';
import type { PageWatch } from '../lib/watching/page-watch.ts';
import { pageWatchFields } from '../lib/watching/page-watch-fields.ts';
import type { MaintenanceWindow, MonitorFacts, MonitorHistory, MonitorService } from '../monitor/types.ts';
import { documentedCommand } from './documented-command.ts';
import { booleanFlag, integerFlag, numberFlag } from './flags.ts';

const ACTIONS = [
  'list',
  'status',
  'start',
  'pause',
  'resume',
  'stop',
  'remove',
  'deliveries',
  'resend',
  'secret',
  'page',
] as const;
const READING: readonly string[] = ['list', 'status', 'deliveries', 'secret'];

const text = (most: number) => z.string().max(most).optional();
const texts = z.array(z.string().min(1).max(500)).max(20).default([]);

const FLAGS = {
  action: z
    .enum(ACTIONS)
    .default('list')
    .describe(`What to do: ${ACTIONS.join(', ')}.`),
  id: z.string().min(1).max(2000).optional(),
  threshold: numberFlag(0, 10),
  interval: numberFlag(10, 2_592_000),
  webhook: z
    .string()
    .max(2000)
    .refine((text) => text === 'none' || parseChannelAddress(text) !== undefined)
    .optional(),
  status: text(300),
  contains: texts,
  lacks: texts,
  check: texts,
  within: numberFlag(1, 60_000),
  retries: integerFlag(0, 20),
  retryInterval: numberFlag(1, 3600),
  grace: numberFlag(0, 86_400),
  newToken: booleanFlag,
  maintenance: texts,
  anything: booleanFlag,
  page: text(4000),
  group: z.string().trim().max(60).optional(),
  name: z.string().trim().max(60).optional(),
  slug: text(60),
  title: text(100),
  addresses: z.enum(['shown', 'hidden']).optional(),
};

export const monitorCommand = documentedCommand('monitor', {
  effect: ({ action, id }) => {
    if (action === 'page') return id === undefined ? 'read' : 'write';
    if (READING.includes(action)) return 'read';
    return action === 'remove' ? 'destroy' : 'write';
  },
  words: ['action', 'id'],
  flags: FLAGS,
  async run({ action, id, ...options }, ctx) {
    const { caller, services, print, json } = ctx;
    const room = await services.monitor();
    if (action === 'secret') {
      const secret = room.webhookSecret(caller.id);
      await print(json ? JSON.stringify({ secret }) : secret);
    } else if (action === 'page') await page(room, id, ctx, options);
    else if (id !== undefined) await ACTS[action](room, id, ctx, options);
    else if (action === 'list') await showAll(room, ctx, options.group);
    else {
      throw badRequestError(
        action === 'start'
          ? 'magpie monitor start takes a URL or a host name, or an id of the inventory'
          : `magpie monitor ${action} takes the id of what is watched: magpie monitor lists it`,
      );
    }
  },
});

type StartFlags = Omit<z.output<z.ZodObject<typeof FLAGS>>, 'action' | 'id'>;

function orNone(given: string | undefined): string | null | undefined {
  return given === 'none' || given === '' ? null : given;
}

function expectationsOf({ status, contains, lacks, check: json, within: responseMs, anything }: StartFlags) {
  const isGiven =
    status !== undefined || responseMs !== undefined || [contains, lacks, json].flat().length > 0;
  if (anything && isGiven) {
    throw badRequestError('--anything removes all expectations: give it without other expectations');
  }
  if (!isGiven) return anything ? null : undefined;
  const some = (given: readonly string[]) => (given.length > 0 ? given : undefined);
  return { status, contains: some(contains), lacks: some(lacks), json: some(json), responseMs };
}

type MonitorAction = (
  room: MonitorService,
  id: string,
  ctx: CommandContext,
  flags: StartFlags,
) => Promise<void>;

const showOne: MonitorAction = async (room, id, ctx) => {
  const monitor = await room.getMonitor(ctx.caller.id, id);
  await show(room, monitor, ctx, undefined, await room.readHistory(ctx.caller.id, monitor.id));
};

const ACTS: Readonly<Record<Exclude<(typeof ACTIONS)[number], 'secret' | 'page'>, MonitorAction>> = {
  list: showOne,
  status: showOne,
  start,
  pause: async (room, id, ctx) => show(room, await room.pauseMonitor(ctx.caller.id, id), ctx),
  resume: async (room, id, ctx) => show(room, await room.resumeMonitor(ctx.caller.id, id), ctx),
  stop: async (room, id, ctx) => show(room, await room.stopMonitor(ctx.caller.id, id), ctx),
  remove,
  deliveries: async (room, id, ctx) => showDeliveries(room, await room.getMonitor(ctx.caller.id, id), ctx),
  resend,
};

/** Parses maintenance windows. Returns null for `none`, which removes all windows of a monitor. */
function windowsOf(texts: readonly string[]): MaintenanceWindow[] | null | undefined {
  if (texts.length === 0) return undefined;
  return texts.includes('none') ? null : texts.map(windowOf);
}

const ISO_TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?$/;

function windowOf(text: string): MaintenanceWindow {
  // `Date.parse` would guess other forms: it takes `1/2/26` for 2 January.
  const times = text.split('/').map((time) => (ISO_TIME.test(time) ? Date.parse(time) : Number.NaN));
  const [from = Number.NaN, to = Number.NaN, ...more] = times;
  if (!Number.isNaN(from) && !Number.isNaN(to) && more.length === 0) return { from, to };
  const [cron = '', rest = ''] = text.split(' for ', 2);
  const [minutes, zone] = rest.split(' in ', 2);
  if (Number(minutes) >= 1 && Number(minutes) <= 10_080) return { cron, minutes: Number(minutes), zone };
  throw badRequestError(
    `--maintenance is ${JSON.stringify(text)}: it takes 2026-12-01T22:00Z/2026-12-02T02:00Z, or "0 2 * * sun for 120 in Europe/Berlin"`,
  );
}

function millisecondsOf(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
}

function readPageWatch(json: string): PageWatch {
  const { data } = pageWatchFields.safeParse(attempt(() => JSON.parse(json)));
  if (data) return data;
  throw badRequestError('--page takes JSON with extract and when, the fields of automationrpa');
}

async function start(room: MonitorService, id: string, ctx: CommandContext, flags: StartFlags) {
  const { threshold, interval, webhook } = flags;
  const { caller, signal, print, json } = ctx;
  const options = {
    threshold,
    intervalMs: millisecondsOf(interval),
    webhook: webhook === 'none' ? null : webhook,
    newToken: flags.newToken,
    probing: {
      expect: expectationsOf(flags),
      retries: flags.retries,
      retryMs: millisecondsOf(flags.retryInterval),
      graceMs: millisecondsOf(flags.grace),
      maintenance: windowsOf(flags.maintenance),
      page: flags.page === undefined ? undefined : readPageWatch(flags.page),
      group: orNone(flags.group),
      name: orNone(flags.name),
    },
  };
  const started = await room.startMonitor(caller.id, id, options, signal);
  const monitor = await room.waitForFirstProbe(caller.id, started.id, { signal, progress() {} });
  const isSigned = webhook !== undefined && webhook !== 'none' && room.signsWebhook(webhook);
  const secret = isSigned ? room.webhookSecret(caller.id) : undefined;
  await show(room, { ...monitor, heartbeatToken: started.heartbeatToken }, ctx, secret);
  if (started.heartbeatToken !== undefined && !json) {
    await print(
      `Its job calls (GET or POST) /heartbeat/${started.heartbeatToken} at the address of magpie serve, without which no heartbeat can come; the path is not shown again.`,
      'hint',
    );
  }
  if (secret !== undefined && !json) await print(`Posts to the webhook are signed with ${secret}`, 'hint');
}

async function page(
  room: MonitorService,
  what: string | undefined,
  { caller, print, json }: CommandContext,
  { slug, title, addresses }: StartFlags,
): Promise<void> {
  if (what !== undefined && what !== 'on' && what !== 'off') {
    throw badRequestError('magpie monitor page takes on or off, or nothing to show how it is set');
  }
  if (what === 'off') await room.removePage(caller.id);
  const shown = addresses === undefined ? undefined : addresses === 'shown';
  const set =
    what === 'on'
      ? await room.setPage(caller.id, { slug, title, addresses: shown })
      : await room.getPage(caller.id);
  if (json) return print(JSON.stringify(set ? { path: `/status/${set.slug}`, ...set } : { path: null }));
  if (!set) return print('The status page is off. magpie monitor page on switches it on.');
  await print(
    `The status page is at /status/${set.slug} of your server, for everyone who knows the address.`,
  );
  await print(`  title ${set.title}  addresses ${set.addresses ? 'shown' : 'hidden'}`, 'quiet');
}

async function remove(room: MonitorService, id: string, { caller, print, json }: CommandContext) {
  const { id: known } = await room.getMonitor(caller.id, id);
  await room.removeMonitor(caller.id, known);
  const answer = { infrastructure_id: known, status: 'removed' };
  await print(json ? JSON.stringify(answer) : `The monitor of ${id} is removed.`);
}

async function resend(room: MonitorService, id: string, { caller, print, json }: CommandContext) {
  const { id: known } = await room.getMonitor(caller.id, id);
  const { again, outdated } = await room.resendNotifications(caller.id, known);
  const answer = { infrastructure_id: known, resent: again, outdated };
  await print(json ? JSON.stringify(answer) : `Sent again: ${again}.`);
  if (outdated > 0 && !json) {
    await print(`Not sent: ${outdated}, whose receivers know already that the alert has ended.`, 'hint');
  }
}

async function showAll(
  room: MonitorService,
  { caller, print, json }: CommandContext,
  group: string | undefined,
) {
  const every = await room.listMonitors(caller.id);
  const all = group === undefined ? every : every.filter(({ probing }) => probing.group === group);
  const groups = json ? [] : room.groupsOf(all);
  for (const { name, status, monitors, down } of groups) {
    await print(`group ${name}  ${status}  down ${down} of ${monitors}`, down > 0 ? 'alarm' : undefined);
  }
  if (json) await print(JSON.stringify(all.map(room.summarizeMonitor)));
  else if (all.length === 0) await print('Nothing is watched. magpie monitor start <site> begins.');
  else for (const one of all) await print(lineOf(one), toneOf(one));
}

async function show(
  room: MonitorService,
  monitor: MonitorFacts,
  ctx: CommandContext,
  secret?: string,
  history?: MonitorHistory,
): Promise<void> {
  const { print, json } = ctx;
  if (json)
    return print(
      JSON.stringify(
        room.describeMonitor(monitor, {
          whole: true,
          secret,
          heartbeatToken: monitor.heartbeatToken,
          history,
        }),
      ),
    );
  await print(lineOf(monitor), toneOf(monitor));
  const { deliveries, lastRun, trouble } = monitor;
  if (monitor.maintenanceUntil !== undefined) {
    await print(`  in maintenance until ${when(monitor.maintenanceUntil)} UTC: no alerts until then`, 'hint');
  }
  if (trouble !== undefined) await print(`  ${trouble}`, 'warning');
  else if (lastRun === undefined && monitor.state === 'active') {
    await print('Not probed yet: a running Magpie probes it (magpie serve).', 'hint');
  }
  if (history) await showHistory(history, ctx);
  await showTargets(monitor, ctx);
  await showFindings(monitor, ctx);
  await showAlerts(monitor, ctx);
  if (deliveries.dead > 0) {
    await print(
      `Notifications given up: ${deliveries.dead}; magpie monitor deliveries shows the reasons.`,
      'warning',
    );
  }
}

const MAX_INCIDENTS = 5;

async function showHistory({ windows, incidents }: MonitorHistory, { print }: CommandContext): Promise<void> {
  for (const { name, uptime, known, p50, p95, p99 } of windows) {
    if (uptime === undefined) continue;
    const times = p50 === undefined ? '' : `  p50 ${p50} ms  p95 ${p95} ms  p99 ${p99} ms`;
    const seen = known < 0.99 ? `  known ${formatPercent(known)}` : '';
    await print(`  ${name.padStart(3)}  up ${formatPercent(uptime)}${times}${seen}`);
  }
  for (const { target, from, to, why } of incidents.slice(0, MAX_INCIDENTS)) {
    await print(
      `  down  ${when(from)} to ${to === undefined ? 'now' : when(to)}  ${target}  ${why}`,
      'quiet',
    );
  }
}

async function showTargets({ targets }: MonitorFacts, { print }: CommandContext): Promise<void> {
  for (const { name, up, grade, trouble } of targets) {
    const state = up === undefined ? '' : up ? '  up' : '  DOWN';
    await print(`  ${name}${state}${grade ? `  grade ${grade.grade}` : ''}`);
    for (const [check, why] of Object.entries(trouble))
      await print(`    ${check} saw nothing: ${why}`, 'warning');
  }
}

async function showFindings({ findings }: MonitorFacts, { print }: CommandContext): Promise<void> {
  for (const { severity, title, target, description, fix } of findings) {
    const isGrave = severity === 'critical' || severity === 'high';
    await print(`${severity}  ${title}  ${target}`, isGrave ? 'alarm' : undefined);
    await print(`  ${description}`);
    await print(`  ${fix}`, 'quiet');
  }
}

const MAX_ALERTS = 10;

async function showAlerts({ alerts }: MonitorFacts, { print }: CommandContext): Promise<void> {
  for (const { finding, raisedAt, clearedAt, reason = 'recovered' } of alerts.slice(0, MAX_ALERTS)) {
    const why = reason === 'recovered' ? '' : ` (${reason.replaceAll('_', ' ')})`;
    const ended = clearedAt === undefined ? 'open' : `cleared ${when(clearedAt)}${why}`;
    await print(`alert  ${when(raisedAt)}  ${finding.title}  ${finding.target}  ${ended}`, 'quiet');
  }
}

async function showDeliveries(room: MonitorService, monitor: MonitorFacts, { print, json }: CommandContext) {
  const { deliveries, deadLetters } = monitor;
  if (json) {
    const { infrastructure_id, dead_deliveries = [] } = room.describeMonitor(monitor, { whole: true });
    return print(JSON.stringify({ infrastructure_id, deliveries, dead_deliveries }));
  }
  const { sent, waiting, dead } = deliveries;
  await print(`sent ${sent}  waiting ${waiting}  given up ${dead}`, dead > 0 ? 'warning' : undefined);
  for (const { channel, notification, attempts, triedAt, trouble } of deadLetters) {
    const { finding, raised_at, cleared_at = raised_at } = notification.alert;
    const event = notification.event.replace('alert.', '');
    await print(`${when(Date.parse(cleared_at))}  ${channel}  ${event}  ${finding.title}  ${finding.target}`);
    const last = triedAt === undefined ? '' : `, the last ${when(triedAt)}`;
    await print(`  ${trouble} (attempts: ${attempts}${last})`, 'quiet');
  }
}

function lineOf({ id, status, state, score, openAlerts, lastRun, probing }: MonitorFacts): string {
  const parts = [
    state === 'paused' ? 'paused' : status,
    probing.group === undefined ? '' : `group ${probing.group}`,
    score === undefined ? '' : `score ${score}`,
    openAlerts > 0 ? `open alerts: ${openAlerts}` : '',
    lastRun === undefined ? '' : `last probe ${when(lastRun)}`,
  ];
  return `${id}  ${parts.filter(Boolean).join('  ')}`;
}

function toneOf({ status }: MonitorFacts) {
  if (status === 'down' || status === 'alerting') return 'alarm';
  return status === 'degraded' ? 'warning' : undefined;
}

const when = (time: number): string => new Date(time).toISOString().slice(0, 16).replace('T', ' ');
