import { z } from 'zod';

const minuteOfDay = z.int().min(0).max(1440);

/** Days are 1 (Monday) to 7 (Sunday). Without `zone`, the platform's time zone applies. */
export const runsSchema = z.object({
  /** Minutes between two runs. `from` and `to` are full hours between which the task runs. */
  every: z.int().min(1).max(43_200).optional(),
  from: z.int().min(0).max(24).optional(),
  to: z.int().min(0).max(24).optional(),
  /** Times in minutes since midnight, instead of an interval. */
  at: z.array(minuteOfDay).max(24).optional(),
  days: z.array(z.int().min(1).max(7)).optional(),
  date: z.int().min(1).max(31).optional(),
  zone: z.string().max(60).optional(),
});
export type RunSchedule = z.output<typeof runsSchema>;

export const RUN_INTERVAL_MINUTES = 15;
/** Time of a day without a time, in minutes since midnight. */
export const USUAL_TIME = 540;
export const USUAL_RUNS: RunSchedule = { every: RUN_INTERVAL_MINUTES };

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const HOUR = 60;
const DAY = 1440;
const EVEN = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60, 120, 180, 240, 360, 480, 720];

/** Rounds an interval down: 7 minutes to 6, which divides an hour, and 5 hours to 4, which divides a day. */
export function roundInterval(minutes: number): number {
  if (minutes >= DAY) return Math.floor(minutes / DAY) * DAY;
  return EVEN.findLast((one) => one <= minutes) ?? 1;
}

/** Describes a schedule: `every 15 minutes` or `at 09:00 on Monday, Friday (Europe/Berlin)`. */
export function runsInWords({ every, from, to, at, days, date, zone }: RunSchedule): string {
  const when = at
    ? `at ${at.map(formatClockTime).join(' and ')}`
    : `every ${intervalInWords(every ?? RUN_INTERVAL_MINUTES)}`;
  const hours = from === undefined || to === undefined ? '' : ` from ${from} to ${to} o'clock`;
  const on = days
    ? ` on ${days.map((day) => DAYS[day - 1]).join(', ')}`
    : at && date === undefined
      ? ' every day'
      : '';
  const of = date === undefined ? '' : ` on day ${date} of each month`;
  const where = zone === undefined ? (at || hours ? " (the platform's time zone)" : '') : ` (${zone})`;
  return `${when}${hours}${on}${of}${where}`;
}

function intervalInWords(minutes: number): string {
  const [count, unit] =
    minutes % DAY === 0
      ? [minutes / DAY, 'day']
      : minutes % HOUR === 0 && minutes > HOUR
        ? [minutes / HOUR, 'hour']
        : [minutes, 'minute'];
  return count === 1 ? unit : `${count} ${unit}s`;
}

export function formatClockTime(minutes: number): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(Math.floor(minutes / HOUR) % 24)}:${two(minutes % HOUR)}`;
}

export function cronOf(schedule: RunSchedule): string[] {
  const { every = RUN_INTERVAL_MINUTES, from, to, at, days, date } = schedule;
  const week = days ? days.map((day) => day % 7).join(',') : '*';
  const month = date === undefined ? '*' : String(date);
  if (at) return at.map((one) => `${one % HOUR} ${Math.floor(one / HOUR) % 24} ${month} * ${week}`);
  const hours = from === undefined || to === undefined ? '*' : `${from}-${to}`;
  if (every < HOUR) {
    // Cron still runs during the last hour of a range, so the range ends one hour earlier.
    const within = hours === '*' ? hours : `${from}-${Math.max(from ?? 0, (to ?? 1) - 1)}`;
    return [`*/${every} ${within} ${month} * ${week}`];
  }
  if (every < DAY) {
    const step = every / HOUR;
    return [`0 ${step === 1 ? hours : `${hours}/${step}`} ${month} * ${week}`];
  }
  return [`0 9 ${every === DAY ? month : `*/${every / DAY}`} * ${week}`];
}
