import { z } from 'zod';
import { defineOperation } from '../src/operation.ts';
import { infrastructureId } from './monitor-schema.ts';

export const stopMonitoring = defineOperation({
  name: 'stopMonitoring',
  title: 'Stop or pause a monitor',
  description: 'Ends the watching; startMonitoring resumes it.',
  toolset: 'security',
  routes: ['POST /v1/monitor/stop'],
  effect: 'write',
  openWorld: false,
  scope: 'monitor',
  input: z.object({
    infrastructure_id: infrastructureId,
    pause: z.boolean().optional(),
  }),
  output: z.object({
    success: z.boolean(),
    data: z.object({ infrastructure_id: z.string(), status: z.string() }),
  }),
  example: { infrastructure_id: 'shop', pause: true },
  async run({ infrastructure_id, pause }, ctx) {
    const room = await ctx.services.monitor();
    const stop = pause === true ? room.pause : room.stop;
    const { id, status, state } = stop(ctx.caller.id, infrastructure_id);
    return { success: true, data: { infrastructure_id: id, status: state === 'paused' ? state : status } };
  },
  render: ({ data: { infrastructure_id: id, status } }) => `${id}: ${status}`,
});
