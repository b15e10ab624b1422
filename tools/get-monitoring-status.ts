import { z } from 'zod';
import { defineOperation } from '../src/operation.ts';
import { infrastructureId, monitorAnswer, monitorText } from './schemas/monitor.ts';

export const getMonitoringStatus = defineOperation({
  name: 'getMonitoringStatus',
  title: 'Is a site up or down',
  description:
    'Is one site or server up or down right now, how is it doing, were there alerts? The state of one monitor.',
  toolset: 'security',
  terse: 'both',
  essential: true,
  routes: ['GET /v1/monitor/status/{infrastructure_id}'],
  effect: 'read',
  openWorld: false,
  scope: 'monitor',
  input: z.object({ infrastructure_id: infrastructureId }),
  output: monitorAnswer,
  example: { infrastructure_id: 'shop' },
  async run({ infrastructure_id }, { caller, services, wishes }) {
    const room = await services.monitor();
    const monitor = await room.getMonitor(caller.id, infrastructure_id);
    return { success: true, data: room.describeMonitor(monitor, wishes) };
  },
  render: monitorText,
});
