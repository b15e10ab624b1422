import { z } from 'zod';
import { type CommandContext, defineCommand } from '../command.ts';
import { AppError } from '../errors.ts';
import { keyFacts } from './key-facts.ts';

type Access = Awaited<ReturnType<CommandContext['services']['access']>>;
type Usage = Access['usage'];
type Counts = ReturnType<Usage['days']>;

const DAY = 86_400_000;
/** Outcomes of calls that were turned away. */
const REFUSED = ['unauthenticated', 'forbidden', 'rate_limited'];
/** Characters of the longest bar. */
const BAR = 40;
/** Operations that are named, and single calls that scripts get. */
const NAMED = 5;
const CALLS = 100;
/** How the room of access records those who have no key: at the upload page, and with an issuer's token. */
const PAGE = 'page:';
const TOKEN_USER = /.@https?:\/\/./;

/** One day of a key, as scripts get it. */
interface Day {
  readonly day: string;
  readonly calls: number;
  readonly refused: number;
  readonly failed: number;
}

/** `magpie key usage`: what was done with a key, never what was asked or answered. */
export const keyUsage = defineCommand({
  name: 'key usage',
  summary: 'Shows how much a key was used, day by day.',
  description:
    'Shows the calls of a key for each day (in UTC), how many of them were refused or failed, and which operations ' +
    'were called. With --json also its newest 100 calls with time, operation, outcome, duration and address. A ' +
    'running server writes its calls down within a second. Users of access tokens are asked for as <sub>@<issuer>, ' +
    'and what a user does at the upload page as page:<user>.',
  words: ['id'],
  input: z.object({
    id: z.string().min(1).describe('Id of the key, or the key itself; <sub>@<issuer>; page:<user>.'),
    days: z.int().min(1).max(3650).default(30).describe('Days to look back: 30 when left out.'),
  }),
  examples: [
    ['magpie key usage k7x2m9qab', 'the last 30 days'],
    ['magpie key usage k7x2m9qab --days 7 --json', 'a week, for a script'],
    ['magpie key usage ada@https://login.example', "a user of the authorization server's"],
  ],
  effect: () => 'access',
  async run({ id, days: back }, ctx) {
    const { keys, usage } = await ctx.services.access();
    const { credential, heading, facts } = subjectOf(id, keys, usage);
    const counts = usage.days(credential, back);
    const days = byDay(counts);
    const operations = byOperation(counts);
    if (ctx.json) {
      const calls = usage.newest(credential, CALLS).map(({ at, operation, outcome, ms, address }) => {
        return { time: new Date(at).toISOString(), operation, outcome, ms, address };
      });
      const named = Object.fromEntries(operations);
      await ctx.print(JSON.stringify({ ...facts, days, operations: named, calls }));
      return 'done';
    }
    await ctx.print(heading);
    if (days.length === 0) {
      await ctx.print(`It was not used in the last ${back} days.`);
      return 'done';
    }
    await ctx.print(`${told(total(days))} since ${days[0]?.day}.\n`);
    const most = Math.max(...days.map(({ calls }) => calls));
    for (const day of days) await ctx.print(bar(day, most));
    const named = operations.slice(0, NAMED).map(([operation, calls]) => `${operation} ${calls}`);
    if (named.length > 0) await ctx.print(`\nCalled most: ${named.join(', ')}.`);
    return 'done';
  },
});

/** What calls are recorded under, and how it is told: a key, or who comes without one and was here before. */
function subjectOf(id: string, keys: Access['keys'], usage: Usage) {
  const page = id.startsWith(PAGE);
  if (page || TOKEN_USER.test(id)) {
    const user = page ? id.slice(PAGE.length) : id;
    if (usage.newest(id, 1).length === 0) {
      throw new AppError('not_found', `no use of ${JSON.stringify(id.slice(0, 200))} is on record`);
    }
    const heading = page ? `Upload page of ${user}.` : `Access tokens of ${user}.`;
    return { credential: id, heading, facts: { id, user } };
  }
  const { record, state } = keys.get(id);
  const name = record.name && ` (${record.name})`;
  const heading = `Key ${record.id}${name} of ${record.user}, ${state}.`;
  return { credential: record.id, heading, facts: { ...keyFacts(record), state } };
}

/** From the first day with a call to the last, those between without any included. */
function byDay(counts: Counts): Day[] {
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

/** Calls by operation, the most called first. */
function byOperation(counts: Counts): [string, number][] {
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
  const length = day.calls === 0 ? 0 : Math.max(1, Math.round((day.calls / most) * BAR));
  return `${day.day}  ${'#'.repeat(length).padEnd(BAR)}  ${told(day)}`;
}

function told({ calls, refused, failed }: Omit<Day, 'day'>): string {
  const parts = [`${calls} ${calls === 1 ? 'call' : 'calls'}`];
  if (refused > 0) parts.push(`${refused} refused`);
  if (failed > 0) parts.push(`${failed} failed`);
  return parts.join(', ');
}
