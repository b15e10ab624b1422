import { z } from 'zod';
import { type CommandContext, defineCommand } from '../command.ts';
import { AppError } from '../errors.ts';

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
] as const;
/** Of these nothing is changed. */
const READING: readonly string[] = ['list', 'status', 'deliveries', 'secret'];

type Room = Awaited<ReturnType<CommandContext['services']['monitor']>>;
type Monitored = ReturnType<Room['get']>;

/** `magpie monitor`: what is watched, and how it stands. */
export const monitorCommand = defineCommand({
  name: 'monitor',
  effect: ({ action }) => {
    if (READING.includes(action)) return 'read';
    return action === 'remove' ? 'destroy' : 'write';
  },
  summary: 'Watches sites and listed infrastructure, or tells how they stand.',
  description:
    'Starts, pauses, resumes, stops or removes a monitor, lists them, or shows one. `deliveries` shows the notices of ' +
    'alerts that did not arrive, `resend` sends them again, and `secret` prints the key that posts to your own webhooks ' +
    'are signed with. Looking and sending is the work of a running Magpie, `magpie serve` or one in an assistant; it ' +
    'takes up what is started here within a second.',
  words: ['action', 'id'],
  input: z.object({
    action: z
      .enum(ACTIONS)
      .default('list')
      .describe(`What to do: ${ACTIONS.join(', ')}.`),
    id: z.string().min(1).max(2000).optional().describe('Public URL, host name, or a name of the inventory.'),
    threshold: z
      .number()
      .min(0)
      .max(10)
      .optional()
      .describe('Score on the CVSS scale at which a finding raises an alert; 7 at first.'),
    interval: z
      .number()
      .min(10)
      .max(2_592_000)
      .optional()
      .describe('Seconds between two looks; 300 at first.'),
    webhook: z
      .union([z.literal('none'), z.url({ protocol: /^https?$/ }).max(2000)])
      .optional()
      .describe('Public URL that its alerts are posted to; none takes it away.'),
  }),
  examples: [
    ['magpie monitor', 'all of them'],
    ['magpie monitor start shop.example --interval 60', 'watches a site every minute'],
    ['magpie monitor status shop.example', 'how it stands'],
    ['magpie monitor pause shop.example', 'for a while; resume goes on'],
    ['magpie monitor resend shop.example', 'once its webhook is well again'],
  ],
  async run({ action, id, threshold, interval, webhook }, ctx) {
    const { caller, services, signal, print, json } = ctx;
    const room = await services.monitor();
    if (action === 'list' && id === undefined) {
      const all = room.list(caller.id);
      if (json) await print(JSON.stringify(all.map(room.brieflyTold)));
      else if (all.length === 0) await print('Nothing is watched. magpie monitor start <site> begins.');
      else for (const one of all) await print(lineOf(one), toneOf(one));
      return 'done';
    }
    const secret = room.webhookSecret(caller.id);
    if (action === 'secret') {
      await print(json ? JSON.stringify({ secret }) : secret);
      return 'done';
    }
    if (id === undefined)
      throw new AppError(
        'bad_request',
        `magpie monitor ${action} takes the id of what is watched: magpie monitor lists it`,
      );
    if (action === 'remove') {
      const { id: known } = room.get(caller.id, id);
      room.remove(caller.id, known);
      await print(
        json
          ? JSON.stringify({ infrastructure_id: known, status: 'removed' })
          : `The monitor of ${id} is removed.`,
      );
      return 'done';
    }
    if (action === 'start') {
      const options = {
        threshold,
        intervalMs: interval !== undefined ? Math.round(interval * 1000) : undefined,
        webhook: webhook !== undefined ? (webhook === 'none' ? null : webhook) : undefined,
      };
      const started = await room.start(caller.id, id, options, signal);
      const seen = await room.firstLook(caller.id, started.id, { signal, progress() {} });
      const set = webhook !== undefined && webhook !== 'none' && room.signs(webhook) ? secret : undefined;
      if (json) await print(JSON.stringify(room.told(seen, { whole: true, secret: set })));
      else await show(seen, ctx);
      if (set !== undefined && !json) await print(`Posts to the webhook are signed with ${set}`, 'hint');
      return 'done';
    }
    if (action === 'deliveries') {
      await showDeliveries(room, room.get(caller.id, id), ctx);
      return 'done';
    }
    if (action === 'resend') {
      const { id: known } = room.get(caller.id, id);
      const { again, outdated } = room.resend(caller.id, known);
      const told = { infrastructure_id: known, resent: again, outdated };
      await print(json ? JSON.stringify(told) : `Sent again: ${again}.`);
      if (outdated > 0 && !json) {
        await print(`Not sent: ${outdated}, whose alerts are told to be over by now.`, 'hint');
      }
      return 'done';
    }
    const does = {
      list: room.get,
      status: room.get,
      pause: room.pause,
      resume: room.resume,
      stop: room.stop,
    };
    const monitor = does[action](caller.id, id);
    if (json) await print(JSON.stringify(room.told(monitor, { whole: true })));
    else await show(monitor, ctx);
    return 'done';
  },
});

async function show(monitor: Monitored, { print }: CommandContext): Promise<void> {
  await print(lineOf(monitor), toneOf(monitor));
  const { targets, findings, alerts, deliveries, lastRun, trouble: why } = monitor;
  if (why !== undefined) await print(`  ${why}`, 'warning');
  else if (lastRun === undefined)
    await print('Not looked at yet: a running Magpie does it (magpie serve).', 'hint');
  for (const { name, up, grade, trouble } of targets) {
    const state = up === undefined ? '' : up ? '  up' : '  DOWN';
    await print(`  ${name}${state}${grade ? `  grade ${grade.grade}` : ''}`);
    for (const [check, why] of Object.entries(trouble)) await print(`    ${check} failed: ${why}`, 'warning');
  }
  for (const { severity, title, target, description, fix } of findings) {
    await print(
      `${severity}  ${title}  ${target}`,
      severity === 'critical' || severity === 'high' ? 'alarm' : undefined,
    );
    await print(`  ${description}`);
    await print(`  ${fix}`, 'quiet');
  }
  for (const { finding, raisedAt, clearedAt, reason = 'recovered' } of alerts.slice(0, 10)) {
    const why = reason === 'recovered' ? '' : ` (${reason.replaceAll('_', ' ')})`;
    const ended = clearedAt === undefined ? 'open' : `cleared ${when(clearedAt)}${why}`;
    await print(`alert  ${when(raisedAt)}  ${finding.title}  ${finding.target}  ${ended}`, 'quiet');
  }
  if (deliveries.dead > 0) {
    await print(`Notices given up: ${deliveries.dead}; magpie monitor deliveries tells why.`, 'warning');
  }
}

/** How many notices arrived and wait, and each that was given up. */
async function showDeliveries(
  room: Room,
  monitor: Monitored,
  { print, json }: CommandContext,
): Promise<void> {
  const { deliveries, deadLetters } = monitor;
  if (json) {
    const { infrastructure_id, dead_deliveries = [] } = room.told(monitor, { whole: true });
    return print(JSON.stringify({ infrastructure_id, deliveries, dead_deliveries }));
  }
  const { sent, waiting, dead } = deliveries;
  await print(`sent ${sent}  waiting ${waiting}  given up ${dead}`, dead > 0 ? 'warning' : undefined);
  for (const { channel, notice, attempts, triedAt, trouble } of deadLetters) {
    const { finding, raised_at, cleared_at = raised_at } = notice.alert;
    const event = notice.event.replace('alert.', '');
    await print(`${when(Date.parse(cleared_at))}  ${channel}  ${event}  ${finding.title}  ${finding.target}`);
    const last = triedAt === undefined ? '' : `, the last ${when(triedAt)}`;
    await print(`  ${trouble} (attempts: ${attempts}${last})`, 'quiet');
  }
}

function lineOf({ id, status, state, score, openAlerts, lastRun }: Monitored): string {
  const said = [
    state === 'paused' ? 'paused' : status,
    score === undefined ? '' : `score ${score}`,
    openAlerts > 0 ? `open alerts: ${openAlerts}` : '',
    lastRun === undefined ? '' : `last look ${when(lastRun)}`,
  ];
  return `${id}  ${said.filter(Boolean).join('  ')}`;
}

function toneOf({ status }: Monitored) {
  if (status === 'down' || status === 'alerting') return 'alarm';
  return status === 'degraded' ? 'warning' : undefined;
}

function when(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}
