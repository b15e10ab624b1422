import type { OperationContext } from '../../operation.ts';

const MOST = 20;
const DAYS = 90;
const DAY_MS = 86_400_000;

export interface DailyUptime {
  /** Date of the first number in `shares`, in ISO 8601. The last number is for today. */
  readonly from: string;
  /** For each day, the share (0 to 1) of monitored time in which the target was up. Null without probes. */
  readonly shares: readonly (number | null)[];
}

export async function readDailyUptimes(
  ids: readonly string[],
  { caller, services }: Pick<OperationContext, 'caller' | 'services'>,
): Promise<{ readonly days: Readonly<Record<string, DailyUptime>> }> {
  const room = await services.monitor();
  const days: Record<string, DailyUptime> = {};
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

/** Rounds a share. A share below 1 never becomes 1, so that no downtime disappears. */
function rounded(share: number): number {
  return share < 1 ? Math.min(0.9999, Math.round(share * 1e4) / 1e4) : 1;
}
