import type { Monitored, MonitorGroup, MonitorStatus } from '../types.ts';

/** A group has the worst status of its monitors. */
const WORST_FIRST: readonly MonitorStatus[] = ['down', 'alerting', 'degraded', 'active', 'stopped'];

export function summarizeGroups(monitors: readonly Pick<Monitored, 'probing' | 'status'>[]): MonitorGroup[] {
  const named = monitors.flatMap((monitor) =>
    monitor.probing.group === undefined ? [] : [[monitor.probing.group, monitor.status] as const],
  );
  const members = Map.groupBy(named, ([name]) => name);
  return [...members]
    .map(([name, all]): MonitorGroup => {
      const count = (wanted: MonitorStatus) => all.filter(([, status]) => status === wanted).length;
      return {
        name,
        status: WORST_FIRST.find((status) => count(status) > 0) ?? 'stopped',
        monitors: all.length,
        down: count('down'),
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
