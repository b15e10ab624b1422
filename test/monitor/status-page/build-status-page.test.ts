import { describe, expect, test } from 'vitest';
import { formatPercent } from '../../../src/lib/text/format-percent.ts';
import { summarizeGroups } from '../../../src/monitor/monitor.ts';
import type { StoredStatusPage } from '../../../src/monitor/status-page/status-page-store.ts';
import { buildStatusPage, type StatusPageMonitor } from '../../../src/monitor/status-page/status-pages.ts';
import type { MonitorFacts, MonitorHistory, MonitorStatus } from '../../../src/monitor/types.ts';
import { badgeSvg } from '../../../src/server/status-page/routes.ts';
import { uptimeLevel } from '../../../src/server/status-page/uptime-level.ts';

/** What groups are, and what of a user's monitors gets onto the public page. */

const DAY = 86_400_000;
const NOW = 20_000 * DAY + 5000;
const SECRET = 'https://private-host.internal:8443/secret';
const PAGE: StoredStatusPage = { owner: 'ada', slug: 'acme', title: 'Acme', addresses: false, salt: '00' };
const NONE: MonitorHistory = { windows: [], days: [], hours: [], targets: [], incidents: [] };

function monitored(id: string, ups: readonly (boolean | undefined)[], change: Partial<MonitorFacts> = {}) {
  return {
    id,
    status: 'active',
    state: 'active',
    probing: {},
    webhook: 'https://hook.example/token',
    contact: 'web team',
    trouble: SECRET,
    findings: [{ description: SECRET }],
    alerts: [{ finding: { description: SECRET } }],
    targets: ups.map((up, at) => ({ name: `${SECRET}/${at}`, up })),
    ...change,
  } as unknown as MonitorFacts;
}

const paged = (
  key: number,
  monitor: MonitorFacts,
  change: Partial<StatusPageMonitor> = {},
): StatusPageMonitor => ({
  key,
  monitor,
  history: NONE,
  isNamed: true,
  ...change,
});

describe('groups', () => {
  const member = (group: string | undefined, status: MonitorStatus) => ({ probing: { group }, status });

  test('a group has the status of its worst member, and the number of members that are down', () => {
    const all = [
      member('shop', 'active'),
      member('shop', 'down'),
      member('shop', 'alerting'),
      member('bank', 'degraded'),
      member('bank', 'stopped'),
      member('old', 'stopped'),
      member(undefined, 'down'),
    ];
    expect(summarizeGroups(all)).toEqual([
      { name: 'bank', status: 'degraded', monitors: 2, down: 0 },
      { name: 'old', status: 'stopped', monitors: 1, down: 0 },
      { name: 'shop', status: 'down', monitors: 3, down: 1 },
    ]);
    expect(summarizeGroups([])).toEqual([]);
  });
});

describe('the public page', () => {
  test('has names and states, and no other details of the targets', () => {
    const incidents = [{ target: SECRET, from: NOW - 5000, to: NOW - 1000, why: `${SECRET} answers 500` }];
    const page = buildStatusPage(
      PAGE,
      [
        paged(7, monitored(SECRET, [true]), { isNamed: false, history: { ...NONE, incidents } }),
        paged(3, monitored('shop', [false, true])),
        paged(9, monitored(SECRET, [false], { probing: { name: 'Checkout', group: 'Web' } })),
        paged(11, monitored('idle', [true], { state: 'paused' })),
      ],
      NOW,
    );
    const text = JSON.stringify(page);
    for (const hidden of ['private-host', 'secret', 'hook.example', 'web team', 'ada']) {
      expect(text).not.toContain(hidden);
    }
    expect(page.groups.map(({ name, state }) => [name, state])).toEqual([
      [undefined, 'partly'],
      ['Web', 'down'],
    ]);
    expect(page.groups[0]?.services.map(({ name, state }) => [name, state])).toEqual([
      ['shop', 'partly'],
      ['Service 2', 'up'],
      ['idle', 'unknown'],
    ]);
    expect(page.state).toBe('partly');
    expect(page.incidents).toEqual([{ service: 'Service 2', from: NOW - 5000, to: NOW - 1000 }]);
    const refs = page.groups.flatMap(({ services }) => services.map(({ ref }) => ref));
    expect(new Set(refs).size).toBe(4);
    expect(refs.every((ref) => /^[0-9a-f]{12}$/.test(ref))).toBe(true);
  });

  test('a service in a maintenance window is neither down nor up, and the other services determine the total', () => {
    const until = NOW + 60_000;
    const resting = (key: number, group: string) =>
      paged(key, monitored('shop', [false], { maintenanceUntil: until, probing: { group } }));
    const page = buildStatusPage(
      PAGE,
      [
        resting(1, 'A'),
        paged(2, monitored('bank', [true], { probing: { group: 'A' } })),
        resting(3, 'B'),
        paged(4, monitored('idle', [true], { state: 'paused', maintenanceUntil: until })),
      ],
      NOW,
    );
    expect(page.groups.map(({ name, state }) => [name, state])).toEqual([
      [undefined, 'unknown'],
      ['A', 'up'],
      ['B', 'maintenance'],
    ]);
    expect(page.state).toBe('up');
    const [shop] = page.groups[1]?.services ?? [];
    expect([shop?.state, shop?.maintenanceUntil]).toEqual(['maintenance', until]);
    expect(page.groups[0]?.services[0]?.maintenanceUntil).toBeUndefined();
    expect(badgeSvg('status', page, shop, '24h')).toContain('status: maintenance');
    expect(badgeSvg('status', page, shop, '24h')).not.toContain('#b3261e');
  });

  test('has addresses and reasons when the owner shows them', () => {
    const incidents = [{ target: SECRET, from: NOW - 5000, why: 'it refuses the connection' }];
    const shown = paged(7, monitored(SECRET, [false]), { isNamed: false, history: { ...NONE, incidents } });
    const page = buildStatusPage({ ...PAGE, addresses: true }, [shown], NOW);
    expect(page.groups[0]?.services[0]).toMatchObject({
      name: SECRET,
      address: `${SECRET}/0`,
      state: 'down',
    });
    expect(page.incidents).toEqual([
      { service: SECRET, from: NOW - 5000, to: undefined, why: 'it refuses the connection' },
    ]);
  });

  test('has 90 days, with no figure for unknown days, and only incidents of these days', () => {
    const days = [{ start: 19_999 * DAY, uptime: 0.5, known: 1 }];
    const incidents = [
      { target: 't', from: NOW - 200 * DAY, to: NOW - 100 * DAY, why: '' },
      { target: 't', from: NOW - 100 * DAY, to: NOW - 80 * DAY, why: '' },
    ];
    const page = buildStatusPage(
      PAGE,
      [paged(1, monitored('shop', []), { history: { ...NONE, days, incidents } })],
      NOW,
    );
    const [service] = page.groups[0]?.services ?? [];
    expect(service?.days).toHaveLength(90);
    expect(service?.days.at(-2)).toEqual({ day: '2024-10-03', uptime: 0.5 });
    expect(service?.days.filter(({ uptime }) => uptime !== undefined)).toHaveLength(1);
    expect(page.state).toBe('unknown');
    expect(page.incidents).toHaveLength(1);
  });
});

describe('badges', () => {
  const page = buildStatusPage(
    PAGE,
    [
      paged(1, monitored('shop', [true]), {
        history: { ...NONE, windows: [{ name: '30d', uptime: 1, known: 1, looks: 2, p50: 120 }] },
      }),
      paged(2, monitored('bank', [false]), {
        history: { ...NONE, windows: [{ name: '30d', uptime: 0.98, known: 1, looks: 2, p50: 4000 }] },
      }),
    ],
    NOW,
  );
  const [shop] = page.groups[0]?.services ?? [];

  test.each([
    ['status', shop, 'status: up'],
    ['status', undefined, 'status: partly down'],
    ['uptime', shop, 'uptime 30d: 100%'],
    ['uptime', undefined, 'uptime 30d: 99%'],
    ['response', shop, 'response 30d: 120 ms'],
    ['response', undefined, 'response 30d: 4000 ms'],
  ] as const)('%s', (name, service, words) => {
    expect(badgeSvg(name, page, service, '30d')).toContain(`aria-label="${words}"`);
  });

  test('an unknown value is shown as unknown', () => {
    expect(badgeSvg('uptime', page, shop, '24h')).toContain('uptime 24h: unknown');
    expect(badgeSvg('response', page, shop, '24h')).toContain('response 24h: unknown');
  });

  test('100% is shown only without any downtime', () => {
    expect([formatPercent(1), formatPercent(0.99999), formatPercent(0.5), formatPercent(0)]).toEqual([
      '100%',
      '99.99%',
      '50%',
      '0%',
    ]);
    expect([undefined, 1, 0.999, 0.99, 0.5].map(uptimeLevel)).toEqual([
      'none',
      'good',
      'good',
      'fair',
      'bad',
    ]);
  });
});
