import type { DayUptime, HistoryWindow, MonitorHistory, TargetIncident } from './history-types.ts';

const [MAX_TARGETS, MAX_INCIDENTS] = [20, 10];

export function describeHistory(history: MonitorHistory, detailed: boolean) {
  const { windows, days, targets, incidents } = history;
  const most = (count: number) => (detailed ? Infinity : count);
  const own = targets.slice(0, most(MAX_TARGETS)).map((target) => ({
    name: target.name,
    windows: target.windows.map(describeWindow),
    days: detailed ? target.days.map(describeDay) : undefined,
  }));
  return {
    windows: windows.map(describeWindow),
    days: detailed ? days.map(describeDay) : undefined,
    // A summary, and a monitor with a single target, have no `targets`.
    targets: detailed || targets.length > 1 ? own : undefined,
    incidents: incidents.slice(0, most(MAX_INCIDENTS)).map(describeIncident),
  };
}

function describeWindow({ name, uptime, known, looks, p50, p95, p99 }: HistoryWindow) {
  return {
    window: name,
    uptime: uptime === undefined ? undefined : rounded(uptime),
    known: rounded(known),
    looks,
    p50_ms: p50,
    p95_ms: p95,
    p99_ms: p99,
  };
}

function describeDay({ start, uptime, known }: DayUptime) {
  const day = new Date(start).toISOString().slice(0, 10);
  return { day, uptime: uptime === undefined ? undefined : rounded(uptime), known: rounded(known) };
}

function describeIncident({ target, from, to, why }: TargetIncident) {
  return {
    target,
    from: new Date(from).toISOString(),
    to: to === undefined ? undefined : new Date(to).toISOString(),
    seconds: Math.round(((to ?? Date.now()) - from) / 1000),
    why,
  };
}

/** Rounds a share to five decimals. A share below 1 stays below 1, so that any downtime is visible. */
function rounded(share: number): number {
  return share < 1 ? Math.min(0.99999, Math.round(share * 1e5) / 1e5) : 1;
}
