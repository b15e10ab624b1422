import { z } from 'zod';
import { readDailyUptimes } from '../src/flows/evidence/daily-uptime.ts';
import { defineOperation, optional } from '../src/operation.ts';
import { infrastructureId, monitorAnswer, monitorText } from './schemas/monitor.ts';

export const getMonitoringStatus = defineOperation({
  name: 'getMonitoringStatus',
  title: 'Is a site up or down',
  description: 'Returns the state of one watched site or server: up or down, uptime, findings and alerts.',
  toolset: 'security',
  terse: 'output',
  essential: true,
  routes: ['GET /v1/monitor/status/{infrastructure_id}'],
  effect: 'read',
  openWorld: false,
  scope: 'monitor',
  input: z.object({
    infrastructure_id: infrastructureId,
    history: optional(
      z.boolean(),
      'Uptime, response times and incidents of 90 days. true adds each day; when left out, of 20 targets at most',
    ),
  }),
  unlisted: ['history'],
  output: monitorAnswer,
  view: 'monitors',
  viewData: ({ data }, ctx) => readDailyUptimes([data.infrastructure_id], ctx),
  example: { infrastructure_id: 'shop' },
  async run({ infrastructure_id, history: asked }, { caller, services, wishes }) {
    const room = await services.monitor();
    const monitor = await room.getMonitor(caller.id, infrastructure_id);
    const history = asked !== false ? await room.readHistory(caller.id, monitor.id, asked) : undefined;
    return {
      success: true,
      data: room.describeMonitor(monitor, { ...wishes, history, detailed: asked === true && wishes.whole }),
    };
  },
  render: monitorText,
});
