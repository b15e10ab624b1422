import { z } from 'zod';
import { briefly, defineOperation } from '../src/operation.ts';

export const listMonitors = defineOperation({
  name: 'listMonitors',
  title: 'List monitors',
  description: 'Which sites and servers are you watching and monitoring? A list of all monitors.',
  toolset: 'security',
  essential: true,
  routes: ['GET /v1/monitor'],
  effect: 'read',
  openWorld: false,
  scope: 'monitor',
  input: z.object({}),
  output: z
    .object({
      success: z.boolean(),
      data: z.object({
        monitors: z.array(
          z
            .object({
              infrastructure_id: z.string(),
              status: z.enum(['active', 'degraded', 'down', 'alerting', 'stopped']),
              score: z.int().optional(),
              open_alerts: z.int(),
              last_run: z.string().optional(),
            })
            .register(briefly, { fields: ['infrastructure_id', 'status', 'open_alerts'] }),
        ),
      }),
    })
    .register(briefly, { fields: ['data'] }),
  example: {},
  async run(_input, { caller, services }) {
    const room = await services.monitor();
    const monitors = await room.listMonitors(caller.id);
    return { success: true, data: { monitors: monitors.map(room.summarizeMonitor) } };
  },
  render({ data: { monitors } }, _reader, offers) {
    if (monitors.length === 0) {
      return `Nothing is watched.${offers('startMonitoring') ? ' startMonitoring begins.' : ''}`;
    }
    return monitors
      .map(({ infrastructure_id: id, status, open_alerts: open }) => `${id}: ${status}, open alerts: ${open}`)
      .join('\n');
  },
});
