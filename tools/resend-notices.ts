import { z } from 'zod';
import { defineOperation, listedObject } from '../src/operation.ts';
import { infrastructureId } from './schemas/monitor.ts';

export const resendNotices = defineOperation({
  name: 'resendNotices',
  terse: 'output',
  title: 'Resend failed notifications',
  description: "Sends a monitor's undelivered notifications again, by webhook and mail; returns how many.",
  toolset: 'security',
  routes: ['POST /v1/monitor/resend'],
  effect: 'write',
  openWorld: true,
  scope: 'monitor',
  input: z.object({ infrastructure_id: infrastructureId }),
  output: listedObject(['data'], {
    success: z.boolean(),
    data: z.object({ infrastructure_id: z.string(), resent: z.int(), outdated: z.int() }),
  }),
  example: { infrastructure_id: 'shop' },
  async run({ infrastructure_id }, { caller, services }) {
    const room = await services.monitor();
    const { id } = await room.getMonitor(caller.id, infrastructure_id);
    const { again, outdated } = await room.resendNotifications(caller.id, id);
    return { success: true, data: { infrastructure_id: id, resent: again, outdated } };
  },
  render({ data: { infrastructure_id: id, resent, outdated } }) {
    const left =
      outdated > 0 ? `; not sent: ${outdated}, whose receivers know already that the alert has ended` : '';
    return `${id}: sent again: ${resent}${left}`;
  },
});
