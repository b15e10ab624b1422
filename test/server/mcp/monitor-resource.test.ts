import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { createUrlGuard } from '../../../src/lib/network/url-guard.ts';
import type { OperationContext } from '../../../src/operation.ts';
import { readResource } from '../../../src/server/mcp/resources/resources.ts';
import { startMonitoring } from '../../../tools/start-monitoring.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { monitorRoom } from '../../helpers/monitor-room.ts';
import { AUTHORITY, startTlsSite } from '../../helpers/tls-site.ts';

/** What a monitor's resource and the answer of a start hold, on a room of their own. */

const OWNER = 'ada';
const endings: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function room(urls: readonly string[], lookup: LookupFunction = systemLookup) {
  const folder = temporaryFolder();
  endings.push(() => folder.remove());
  const made = await monitorRoom({
    folder: folder.path,
    listed: `infrastructure:\n  shop:\n    authority: ${AUTHORITY}\n    urls: ${JSON.stringify(urls)}\n`,
    guard: createUrlGuard({ allowHosts: [], lookup }),
  });
  endings.push(() => made.end());
  const caller = { id: OWNER, scopes: new Set(['monitor']) };
  const context = {
    caller,
    services: { monitor: async () => made },
    signal: new AbortController().signal,
    wishes: { whole: true, later: false },
    progress() {},
  } as unknown as OperationContext;
  return { made, context };
}

test('a monitor resource is limited in targets and findings, and says how many are left out', async () => {
  const site = await startTlsSite({ certificate: 'good', headers: {} });
  endings.push(() => site.close());
  const { made, context } = await room(Array.from({ length: 30 }, (_, at) => `${site.url}${at}`));
  await made.startMonitor(OWNER, 'shop', {}, context.signal);
  await made.startWorking();
  const all = () => made.getMonitor(OWNER, 'shop');
  await vi.waitUntil(async () => (await all()).findings.length > 30, { timeout: 60_000, interval: 20 });
  await made.close();
  const { contents } = await readResource(context, 'monitor://shop');
  const { text } = contents[0] as unknown as { text: string };
  const { targets, findings, runs, ...rest } = JSON.parse(text) as Record<string, readonly unknown[]>;
  expect(targets).toHaveLength(20);
  expect(findings).toHaveLength(25);
  expect(runs).toMatchObject({
    findings_left: (await all()).findings.length - 25,
    last: expect.stringMatching(/Z$/),
  });
  expect(Object.keys(rest).sort()).toEqual(['alerts', 'infrastructure_id', 'options', 'score', 'status']);
});

test.each([
  ['https://hooks.slack.com/services/T0/B0/x', false],
  ['https://discord.com/api/webhooks/1/x/slack', false],
  ['https://hooks.example.org/x', true],
])('the answer that sets the webhook %s contains the signing key: %s', async (webhook, shown) => {
  const { made, context } = await room(['https://10.0.0.4/'], (_name, _options, done) =>
    done(null, [{ address: '93.184.215.14', family: 4 }]),
  );
  // Its first probe is refused at once, and is not waited for.
  await made.startWorking();
  const input = { infrastructure_id: 'shop', monitoring_options: { webhook } };
  const { data } = await startMonitoring.run(input, context);
  expect(data.options.webhook).toBe(`${new URL(webhook).origin}/…`);
  expect(data.options.webhook_secret !== undefined).toBe(shown);
});
