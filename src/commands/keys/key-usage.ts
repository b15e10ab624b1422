import { z } from 'zod';
import type { AccessControl, DailyCallCount } from '../../access/types.ts';
import { notFoundError } from '../../errors.ts';
import { documentedCommand } from '../documented-command.ts';
import { keyToJson } from './key-facts.ts';

const DAY = 86_400_000;
const REFUSED = ['unauthenticated', 'forbidden', 'rate_limited'];
const BAR_CHARS = 40;
const MAX_NAMED = 5;
const MAX_CALLS = 100;
/** Prefix of the id under which calls from a user's upload page are counted, for example `page:ada`. */
const PAGE = 'page:';
const TOKEN_USER = /.@https?:\/\/./;

type Day = ReturnType<typeof byDay>[number];

export const keyUsage = documentedCommand('key usage', {
  words: ['id'],
  flags: {
    id: z.string().min(1),
    days: z.int().min(1).max(3650).default(30),
  },
  effect: () => 'read',
  async run({ id, days: back }, ctx) {
    const access = await ctx.services.identity.access();
    const { usage } = access;
    const { credential, heading, facts } = await subjectOf(id, access);
    const counts = await usage.listDays(credential, back);
    const days = byDay(counts);
    const operations = byOperation(counts);
    if (ctx.json) {
      const newest = await usage.listNewestCalls(credential, MAX_CALLS);
      const calls = newest.map(({ at, operation, outcome, ms, address }) => {
        return { time: new Date(at).toISOString(), operation, outcome, ms, address };
      });
      const named = Object.fromEntries(operations);
      return ctx.print(JSON.stringify({ ...facts, days, operations: named, calls }));
    }
    await ctx.print(heading);
    if (days.length === 0) {
      return ctx.print(`It was not used in the last ${back} days.`);
    }
    await ctx.print(`${summary(total(days))} since ${days[0]?.day}.\n`);
    const most = Math.max(...days.map(({ calls }) => calls));
    for (const day of days) await ctx.print(bar(day, most));
    const named = operations.slice(0, MAX_NAMED).map(([operation, calls]) => `${operation} ${calls}`);
    if (named.length > 0) await ctx.print(`\nCalled most: ${named.join(', ')}.`);
  },
});

async function subjectOf(id: string, { keys, usage }: Pick<AccessControl, 'keys' | 'usage'>) {
  const page = id.startsWith(PAGE);
  if (page || TOKEN_USER.test(id)) {
    const user = page ? id.slice(PAGE.length) : id;
    if ((await usage.listNewestCalls(id, 1)).length === 0) {
      throw notFoundError(`no use of ${JSON.stringify(id.slice(0, 200))} is on record`);
    }
    const heading = page ? `Upload page of ${user}.` : `Access tokens of ${user}.`;
    return { credential: id, heading, facts: { id, user } };
  }
  const { record, state } = await keys.getKey(id);
  const name = record.name && ` (${record.name})`;
  const heading = `Key ${record.id}${name} of ${record.user}, ${state}.`;
  return { credential: record.id, heading, facts: { ...keyToJson(record), state } };
}

function byDay(counts: readonly DailyCallCount[]) {
  const [first, last] = [counts[0]?.day, counts.at(-1)?.day];
  if (first === undefined || last === undefined) return [];
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const rows = counts.filter(({ day }) => day === first + index);
    const sum = (wanted: (outcome: string) => boolean) =>
      rows.reduce((calls, row) => calls + (wanted(row.outcome) ? row.calls : 0), 0);
    return {
      day: new Date((first + index) * DAY).toISOString().slice(0, 10),
      calls: sum(() => true),
      refused: sum((outcome) => REFUSED.includes(outcome)),
      failed: sum((outcome) => outcome !== 'ok' && !REFUSED.includes(outcome)),
    };
  });
}

function byOperation(counts: readonly DailyCallCount[]): [string, number][] {
  const sums = new Map<string, number>();
  for (const { operation, calls } of counts) {
    if (operation !== '') sums.set(operation, (sums.get(operation) ?? 0) + calls);
  }
  return [...sums].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
}

function total(days: readonly Day[]): Omit<Day, 'day'> {
  const sum = (of: (day: Day) => number) => days.reduce((all, day) => all + of(day), 0);
  return {
    calls: sum((day) => day.calls),
    refused: sum((day) => day.refused),
    failed: sum((day) => day.failed),
  };
}

function bar(day: Day, most: number): string {
  const length = day.calls === 0 ? 0 : Math.max(1, Math.round((day.calls / most) * BAR_CHARS));
  return `${day.day}  ${'#'.repeat(length).padEnd(BAR_CHARS)}  ${summary(day)}`;
}

function summary({ calls, refused, failed }: Omit<Day, 'day'>): string {
  const parts = [`${calls} ${calls === 1 ? 'call' : 'calls'}`];
  if (refused > 0) parts.push(`${refused} refused`);
  if (failed > 0) parts.push(`${failed} failed`);
  return parts.join(', ');
}
