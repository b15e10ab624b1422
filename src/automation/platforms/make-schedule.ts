import { AppError } from '../../errors.ts';
import type { Plan } from '../plans/plan.ts';
import { DEFAULT_INTERVAL_MINUTES, formatClockTime, USUAL_RUNS } from '../plans/schedule.ts';
import type { JsonObject } from '../platform.ts';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const LAST_MINUTE = 1439;

/** Converts a schedule to Make's form. Throws AppError `bad_request` for a day of the month. */
export function compileMakeSchedule({ runs = USUAL_RUNS }: Plan): JsonObject {
  const { every = DEFAULT_INTERVAL_MINUTES, from, to, at, days, date } = runs;
  if (date !== undefined) {
    throw new AppError(
      'bad_request',
      'a day of the month is not available on Make: name platform n8n or apify',
    );
  }
  const week = (days ?? EVERY_DAY).map((day) => day % 7);
  const interval = (at ? DEFAULT_INTERVAL_MINUTES : every) * 60;
  const spans = at
    ? at.map((one) => [formatClockTime(one), formatClockTime(Math.min(one + 1, LAST_MINUTE))])
    : from !== undefined && to !== undefined
      ? [[formatClockTime(from * 60), formatClockTime(Math.min(to * 60, LAST_MINUTE))]]
      : undefined;
  const restrict = spans?.map((time) => ({ days: week, time })) ?? (days ? [{ days: week }] : undefined);
  return { type: 'indefinitely', interval, ...(restrict && { restrict }) };
}
