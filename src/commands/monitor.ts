import { z } from 'zod';
import { type CommandContext, defineCommand } from '../command.ts';
import { AppError } from '../errors.ts';

const ACTIONS = ['list', 'status', 'start', 'pause', 'resume', 'stop', 'remove'] as const;

type Monitored = ReturnType<Awaited<ReturnType<CommandContext['services']['monitor']>>['get']>;

/** `magpie monitor`: what is watched, and how it stands. */
export const monitorCommand = defineCommand({
  name: 'monitor',
  effect: ({ action }) => {
    if (action === 'list' || action === 'status') return 'read';
    return action === 'remove' ? 'destroy' : 'write';
  },
  summary: 'Watches sites and listed infrastructure, or tells how they stand.',
  description:
    'Starts, pauses, resumes, stops or removes a monitor, lists them, or shows one. Looking is the work of a running ' +
    'Magpie, `magpie serve` or one in an assistant; it takes up what is started here within a second.',
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
  }),
  examples: [
    ['magpie monitor', 'all of them'],
    ['magpie monitor start shop.example --interval 60', 'watches a site every minute'],
    ['magpie monitor status shop.example', 'how it stands'],
    ['magpie monitor pause shop.example', 'for a while; resume goes on'],
  ],
  async run({ action, id, threshold, interval }, ctx) {
    const { caller, services, signal, print, json } = ctx;
    const room = await services.monitor();
    if (action === 'list' && id === undefined) {
      const all = room.list(caller.id);
      if (json) await print(JSON.stringify(all));
      else if (all.length === 0) await print('Nothing is watched. magpie monitor start <site> begins.');
      else for (const one of all) await print(lineOf(one), toneOf(one));
      return 'done';
    }
    if (id === undefined)
      throw new AppError('bad_request', `magpie monitor ${action} takes the id of what is watched`);
    if (action === 'remove') {
      room.remove(caller.id, id);
      await print(json ? JSON.stringify({ removed: id }) : `The monitor of ${id} is removed.`);
      return 'done';
    }
    if (action === 'start') {
      const options = {
        ...(threshold !== undefined && { threshold }),
        ...(interval !== undefined && { intervalMs: Math.round(interval * 1000) }),
      };
      await show(await room.start(caller.id, id, options, signal), ctx);
      return 'done';
    }
    const does = {
      list: room.get,
      status: room.get,
      pause: room.pause,
      resume: room.resume,
      stop: room.stop,
    };
    await show(does[action](caller.id, id), ctx);
    return 'done';
  },
});

async function show(monitor: Monitored, { print, json }: CommandContext): Promise<void> {
  if (json) return print(JSON.stringify(monitor));
  await print(lineOf(monitor), toneOf(monitor));
  const { targets, findings, alerts, lastRun } = monitor;
  if (lastRun === undefined)
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
  for (const { finding, raisedAt, clearedAt } of alerts.slice(0, 10)) {
    const ended = clearedAt === undefined ? 'open' : `cleared ${when(clearedAt)}`;
    await print(`alert  ${when(raisedAt)}  ${finding.title}  ${finding.target}  ${ended}`, 'quiet');
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
