import { z } from 'zod';
import { readDailyUptimes } from '../src/flows/evidence/daily-uptime.ts';
import { parseChannelAddress } from '../src/lib/network/channel-address.ts';
import { defineOperation, optional } from '../src/operation.ts';
import { infrastructureId, monitorAnswer, monitorText } from './schemas/monitor.ts';
import { probingOptions, toProbingOptions, UNLISTED_PROBING } from './schemas/probing.ts';

/** Options for a monitor's name and group. Tool listings omit them, as the API contract lacks them. */

const label = z.string().trim().max(60).optional();

const labelOptions = {
  group: label.describe('Group that it belongs to; empty: none'),
  name: label.describe('Its name on the status page; empty: none'),
};

const UNLISTED_LABELS = Object.keys(labelOptions).map((name) => `monitoring_options.${name}`);

export const startMonitoring = defineOperation({
  name: 'startMonitoring',
  title: 'Watch a website',
  description:
    'Watches a website, server or heartbeat and alerts on outages, expiring certificates and ' +
    'weak TLS, headers or DNS, or changes of a page. Call it again to change options.',
  toolset: 'security',
  terse: 'output',
  essential: true,
  routes: ['POST /v1/monitor/start'],
  effect: 'write',
  openWorld: true,
  scope: 'monitor',
  input: z.object({
    infrastructure_id: infrastructureId.describe(
      'URL, host, tcp://host:port, dns:host, ping:host, heartbeat:name, page:URL or listed name',
    ),
    monitoring_options: z
      .object({
        alert_threshold: optional(z.number().min(0).max(10), 'Least CVSS score that alerts. Default 7'),
        scan_interval: optional(z.number().min(10).max(2_592_000), 'Seconds between checks. Default 300'),
        webhook: z
          .string()
          .max(2000)
          .refine((text) => text === '' || parseChannelAddress(text) !== undefined)
          .meta({ format: 'uri', description: 'Public URL that gets alerts; empty: none' })
          .optional(),
        ...probingOptions,
        ...labelOptions,
      })
      .optional(),
  }),
  unlisted: [...UNLISTED_PROBING, ...UNLISTED_LABELS],
  output: monitorAnswer,
  view: 'monitors',
  viewData: ({ data }, ctx) => readDailyUptimes([data.infrastructure_id], ctx),
  example: { infrastructure_id: 'shop', monitoring_options: { alert_threshold: 7, scan_interval: 300 } },
  async run({ infrastructure_id, monitoring_options = {} }, ctx) {
    const { alert_threshold: threshold, scan_interval: seconds, webhook, group, name } = monitoring_options;
    const room = await ctx.services.monitor();
    const options = {
      threshold,
      intervalMs: seconds !== undefined ? Math.round(seconds * 1000) : undefined,
      webhook: webhook !== undefined ? (webhook === '' ? null : webhook) : undefined,
      newToken: monitoring_options.new_token,
      probing: {
        ...toProbingOptions(monitoring_options),
        group: group === '' ? null : group,
        name: name === '' ? null : name,
      },
    };
    const { id, heartbeatToken } = await room.startMonitor(
      ctx.caller.id,
      infrastructure_id,
      options,
      ctx.signal,
    );
    const monitor = await room.waitForFirstProbe(ctx.caller.id, id, ctx);
    const secret = webhook && room.signsWebhook(webhook) ? room.webhookSecret(ctx.caller.id) : undefined;
    return {
      success: true,
      data: room.describeMonitor(monitor, { whole: ctx.wishes.whole, secret, heartbeatToken }),
    };
  },
  render: monitorText,
});
