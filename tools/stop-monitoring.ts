import { z } from 'zod';
import { badRequestError } from '../src/errors.ts';
import { defineOperation, listedObject, optional } from '../src/operation.ts';
import { infrastructureId } from './schemas/monitor.ts';

export const stopMonitoring = defineOperation({
  name: 'stopMonitoring',
  title: 'Stop watching',
  description:
    'Stops watching a site or server, or pauses it, and keeps its history; startMonitoring resumes it.',
  toolset: 'security',
  essential: true,
  routes: ['POST /v1/monitor/stop'],
  effect: 'destroy',
  openWorld: false,
  scope: 'monitor',
  input: z.object({
    infrastructure_id: infrastructureId,
    pause: optional(z.boolean(), 'Mark it as paused'),
    forget: optional(z.boolean(), 'Also delete its history'),
  }),
  output: listedObject(['data'], {
    success: z.boolean(),
    data: z.object({ infrastructure_id: z.string(), status: z.string() }),
  }),
  example: { infrastructure_id: 'shop', pause: true },
  async run({ infrastructure_id, pause, forget }, { caller, services }) {
    const room = await services.monitor();
    if (forget === true) {
      if (pause === true) throw badRequestError('pause and forget exclude each other: give one');
      const { id } = await room.getMonitor(caller.id, infrastructure_id);
      await room.removeMonitor(caller.id, id);
      return { success: true, data: { infrastructure_id: id, status: 'removed' } };
    }
    const stop = pause === true ? room.pauseMonitor : room.stopMonitor;
    const { id, status, state } = await stop(caller.id, infrastructure_id);
    return { success: true, data: { infrastructure_id: id, status: state === 'paused' ? state : status } };
  },
  render: ({ data: { infrastructure_id: id, status } }) => `${id}: ${status}`,
});
