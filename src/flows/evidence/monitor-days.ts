import type { Context } from '../../operation.ts';

/** Monitors whose days are drawn in one answer. */
const MOST = 20;
/** Days that are drawn, today the last of them. */
const DAYS = 90;
const DAY_MS = 86_400_000;

/** Days of a monitor, for a picture of them. */
export interface MonitorDays {
  /** The first day, as a date; the others follow, to today. */
  readonly from: string;
  /** Of each the share of the watched time that it was up, in four places; null where it was not watched. */
  readonly shares: readonly (number | null)[];
}

/** What the view of monitors draws besides the answer: the days of the first of them, by their ids. */
export async function monitorDays(
  ids: readonly string[],
  { caller, services }: Pick<Context, 'caller' | 'services'>,
): Promise<{ readonly days: Readonly<Record<string, MonitorDays>> }> {
  const room = await services.monitor();
  const days: Record<string, MonitorDays> = {};
  for (const id of ids.slice(0, MOST)) {
    const history = await room.readHistory(caller.id, id);
    if (!history) continue;
    const known = new Map(history.days.map(({ start, uptime }) => [Math.floor(start / DAY_MS), uptime]));
    const first = Math.floor(Date.now() / DAY_MS) - DAYS + 1;
    days[id] = {
      from: new Date(first * DAY_MS).toISOString().slice(0, 10),
      shares: Array.from({ length: DAYS }, (_, at) => {
        const uptime = known.get(first + at);
        return uptime === undefined ? null : rounded(uptime);
      }),
    };
  }
  return { days };
}

/** Only what was up all the time is 1. */
function rounded(share: number): number {
  return share < 1 ? Math.min(0.9999, Math.round(share * 1e4) / 1e4) : 1;
}
