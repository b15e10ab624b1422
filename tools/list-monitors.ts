import { z } from 'zod';
import { readDailyUptimes } from '../src/flows/evidence/daily-uptime.ts';
import { defineOperation, listedObject, optional } from '../src/operation.ts';

export const listMonitors = defineOperation({
  name: 'listMonitors',
  title: 'List monitors',
  description:
    'Lists all watched sites and servers with their state and open alerts. Use getMonitoringStatus for one.',
  toolset: 'security',
  hasLargeAnswer: true,
  essential: true,
  routes: ['GET /v1/monitor'],
  effect: 'read',
  openWorld: false,
  scope: 'monitor',
  input: z.object({ group: optional(z.string().trim().max(60), 'Only this group') }),
  output: listedObject(['data'], {
    success: z.boolean(),
    data: listedObject(['monitors'], {
      monitors: z.array(
        listedObject(['infrastructure_id', 'status'], {
          infrastructure_id: z.string(),
          status: z.enum(['active', 'degraded', 'down', 'alerting', 'stopped']),
          score: z.int().optional(),
          open_alerts: z.int(),
          group: z.string().optional(),
          last_run: z.string().optional(),
        }),
      ),
      groups: z
        .array(
          z.object({
            name: z.string(),
            status: z.enum(['active', 'degraded', 'down', 'alerting', 'stopped']),
            monitors: z.int(),
            down: z.int(),
          }),
        )
        .optional(),
    }),
  }),
  example: {},
  view: 'monitors',
  viewData: ({ data: { monitors } }, ctx) =>
    readDailyUptimes(
      monitors.map((one) => one.infrastructure_id),
      ctx,
    ),
  async run({ group }, { caller, services }) {
    const room = await services.monitor();
    const all = await room.listMonitors(caller.id);
    const monitors = group ? all.filter(({ probing }) => probing.group === group) : all;
    const groups = room.groupsOf(monitors);
    return {
      success: true,
      data: { monitors: monitors.map(room.summarizeMonitor), groups: groups.length > 0 ? groups : undefined },
    };
  },
  render({ data: { monitors, groups = [] } }, _reader, offers) {
    if (monitors.length === 0) {
      return `Nothing is watched.${offers('startMonitoring') ? ' startMonitoring begins.' : ''}`;
    }
    const lines = monitors.map(
      ({ infrastructure_id: id, status, open_alerts: open, group }) =>
        `${id}${group === undefined ? '' : ` (${group})`}: ${status}, open alerts: ${open}`,
    );
    const summed = groups.map(
      ({ name, status, monitors: count, down }) => `group ${name}: ${status}, ${down} of ${count} down`,
    );
    return [...summed, ...lines].join('\n');
  },
});
