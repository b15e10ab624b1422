import { setImmediate as letOthersRun } from 'node:timers/promises';
import { KEPT_DAYS, type PeriodSums, type UptimeStore } from './history-store.ts';
import type { DayUptime, HistoryWindow, HourLatency, MonitorHistory, WindowName } from './history-types.ts';
import { computePercentile, mergeLatencies } from './latency.ts';

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
const SHOWN_HOURS = 24;
/** Periods of a history. Each period ends with the current hour or day. */
const WINDOWS: readonly { readonly name: WindowName; readonly hours?: number; readonly days?: number }[] = [
  { name: '24h', hours: 24 },
  { name: '7d', hours: 168 },
  { name: '30d', days: 30 },
  { name: '90d', days: KEPT_DAYS },
];
const MAX_INCIDENTS = 100;
const TARGETS_AT_ONCE = 20;

export async function readHistory(
  store: UptimeStore,
  key: number,
  targets: readonly string[],
  now: number,
): Promise<MonitorHistory> {
  const total = new Map<string, HistorySum>();
  const own: MonitorHistory['targets'][number][] = [];
  for (const [at, name] of targets.entries()) {
    if (at % TARGETS_AT_ONCE === TARGETS_AT_ONCE - 1) await letOthersRun();
    const sums = await sumsOf(store, key, name, now);
    for (const [key, sum] of sums) total.set(key, together([total.get(key) ?? NOTHING, sum]));
    own.push({ name, ...viewOf(sums, now, 1) });
  }
  const stored = await store.listIncidents(key, MAX_INCIDENTS);
  const incidents = stored.map(({ target, from, to, why }) => ({ target, from, to, why }));
  return { ...viewOf(total, now, targets.length), hours: hoursOf(total), targets: own, incidents };
}

type HistorySum = Omit<PeriodSums, 'target' | 'at'>;
const NOTHING: HistorySum = { looks: 0, upMs: 0, downMs: 0, times: new Map() };

function together(all: readonly HistorySum[]): HistorySum {
  const sum = (of: (one: HistorySum) => number) => all.reduce((before, one) => before + of(one), 0);
  return {
    looks: sum(({ looks }) => looks),
    upMs: sum(({ upMs }) => upMs),
    downMs: sum(({ downMs }) => downMs),
    times: mergeLatencies(all.map(({ times }) => times)),
  };
}

/** Returns uptime sums by key: a period's name, the number of a day, or `h` and the number of an hour. */
async function sumsOf(store: UptimeStore, key: number, target: string, now: number) {
  const [hour, today] = [Math.floor(now / HOUR_MS), Math.floor(now / DAY_MS)];
  const longest = Math.max(...WINDOWS.map(({ hours = 0 }) => hours));
  const [hours, days] = await Promise.all([
    store.listHours(key, hour - longest + 1, target),
    store.listDays(key, today - KEPT_DAYS + 1, target),
  ]);
  const whole = days.map((day) => withTimes(day, hours));
  const sums = WINDOWS.map(({ name, hours: most, days: mostDays = 0 }): [string, HistorySum] => [
    name,
    most === undefined
      ? together(whole.filter(({ at }) => at > today - mostDays))
      : together(hours.filter(({ at }) => at > hour - most)),
  ]);
  const recent = hours.filter(({ at }) => at > hour - SHOWN_HOURS);
  return new Map([
    ...sums,
    ...whole.map((day): [string, HistorySum] => [String(day.at), day]),
    ...recent.map((one): [string, HistorySum] => [`h${one.at}`, one]),
  ]);
}

function withTimes(day: PeriodSums, hours: readonly PeriodSums[]): PeriodSums {
  if (day.times.size > 0) return day;
  const own = hours.filter(({ at }) => Math.floor((at * HOUR_MS) / DAY_MS) === day.at);
  return { ...day, times: mergeLatencies(own.map(({ times }) => times)) };
}

function viewOf(sums: ReadonlyMap<string, HistorySum>, now: number, targets: number) {
  const windows = WINDOWS.map(({ name, hours, days = 0 }): HistoryWindow => {
    const unit = hours === undefined ? DAY_MS : HOUR_MS;
    const start = (Math.floor(now / unit) - (hours ?? days) + 1) * unit;
    const sum = sums.get(name) ?? NOTHING;
    const { times, looks } = sum;
    return {
      name,
      ...sharesOf(sum, targets * (now - start)),
      looks,
      p50: computePercentile(times, 0.5),
      p95: computePercentile(times, 0.95),
      p99: computePercentile(times, 0.99),
    };
  });
  const days = [...sums]
    .filter(([key]) => /^\d+$/.test(key))
    .map(([key, sum]): DayUptime => {
      const start = Number(key) * DAY_MS;
      return { start, ...sharesOf(sum, targets * Math.min(DAY_MS, Math.max(1, now - start))) };
    })
    .sort((a, b) => a.start - b.start);
  return { windows, days };
}

function hoursOf(sums: ReadonlyMap<string, HistorySum>): HourLatency[] {
  return [...sums]
    .flatMap(([key, { times }]): HourLatency[] => {
      const p50 = key.startsWith('h') ? computePercentile(times, 0.5) : undefined;
      return p50 === undefined ? [] : [{ start: Number(key.slice(1)) * HOUR_MS, p50 }];
    })
    .sort((a, b) => a.start - b.start);
}

/** Returns `known`, the share of the period with probes, and `uptime`, the share of `known` that was up. */
function sharesOf({ upMs, downMs }: HistorySum, spanMs: number) {
  const seen = upMs + downMs;
  return { uptime: seen > 0 ? upMs / seen : undefined, known: spanMs > 0 ? Math.min(1, seen / spanMs) : 0 };
}
