import { badRequestError } from '../../errors.ts';
import { attempt } from '../../lib/attempt.ts';
import { withoutFragment } from '../reading/addresses.ts';
import type { SendCondition, SimpleCondition } from '../reading/condition.ts';
import type { TaskReading } from '../reading/read-task.ts';
import type { TurningKind, TurningPart } from '../reading/turning-parts.ts';
import { MAX_PLAN_PAGES, type PlanDraft } from './plan.ts';
import { RUN_INTERVAL_MINUTES, type RunSchedule, roundInterval, USUAL_TIME } from './schedule.ts';

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

type PartialFields<T> = { readonly [Name in keyof T]?: T[Name] | undefined };
type Condition =
  | keyof typeof PLAIN
  | keyof typeof MOVES
  | 'new_items'
  | 'appears'
  | 'disappears'
  | 'below'
  | 'above';
type Amount = PartialFields<{ value: number; percent: boolean; currency: string; of: string }>;

/** Parts of a task by name. A part that is given is used instead of what the sentence says of it. */
export type TaskFields = PartialFields<{
  pages: readonly string[];
  /** `at`: times such as `09:00`. */
  schedule: PartialFields<{ everyMinutes: number; dayOfMonth: number; timeZone: string }> &
    PartialFields<{ at: readonly string[]; days: readonly (typeof DAYS)[number][] }>;
  when: { readonly is: Condition } & PartialFields<{ words: string[]; without: string[] }> & Amount;
  extract: PartialFields<{ what: 'text' | 'links' | 'headings' | 'title' | 'items' | 'price' | 'prices' }> &
    PartialFields<{ selector: string; product: string }>;
  notify: PartialFields<{ email: string; webhook: string; knowledgeBase: boolean }>;
}>;

/** Puts the fields in the place of what a draft has. Throws `bad_request` for fields that lack a part. */
export function applyFields<Draft extends PlanDraft>(draft: Draft, fields: TaskFields): Draft {
  const when = fields.when ? conditionOf(fields.when) : draft.when;
  const priced = fields.when?.currency !== undefined && fields.when.of === undefined;
  const extract = fields.extract ? extractionOf(fields.extract) : draft.extract;
  const usual = extract.kind === 'text' && !fields.extract;
  return {
    ...draft,
    ...(fields.pages && { pages: [...new Set(fields.pages.map(withoutFragment))], subject: '' }),
    ...(fields.schedule && { runs: runsOf(fields.schedule, draft.runs) }),
    ...(fields.notify && { send: deliveryOf(fields.notify, draft.send) }),
    when,
    extract:
      usual && priced ? { kind: 'prices' } : usual && when.kind === 'new' ? { kind: 'items' } : extract,
  };
}

const ANSWERING: Readonly<Record<TurningKind, readonly (keyof TaskFields)[]>> = {
  stop: ['when'],
  condition: ['when'],
  digest: ['schedule', 'extract'],
  other: ['extract', 'when'],
  mail: ['notify'],
  pages: ['pages'],
};

/** Refuses a task of which an important part is unclear and not given as a field. */
export function refuseUnclearTask(turning: TaskReading['turning'], fields: TaskFields, platform: string) {
  const unclear = turning.find(({ kind }) => ANSWERING[kind].every((name) => fields[name] === undefined));
  if (unclear) throw badRequestError(`${unclearWords(unclear, platform)}; nothing was created`);
}

function unclearWords({ words, kind }: TurningPart, platform: string): string {
  const said = `q says ${JSON.stringify(words)}`;
  switch (kind) {
    case 'stop':
      return `${said}, which ends something: automationrpa only creates automations, and one is switched off on ${platform}. If it is a condition, give it in when`;
    case 'digest':
      return `${said}: an automation sends what it takes from the pages and writes no summary. Give what to take in extract, and how often in schedule`;
    case 'mail':
      return 'q asks for mail and names no address to write to: say it, as in "email ada@example.com when ...", or give notify';
    case 'pages':
      return `q names ${words} pages: one automation takes at most ${MAX_PLAN_PAGES}; make several, or give pages`;
    case 'other':
      return `${said}: an automation reads the text of pages, and no file sizes, pictures, loading times or outages (startMonitoring watches those). Give what to take in extract, or the condition in when`;
    default:
      return `${said}, which could turn the task round and is not understood: give the condition in when, or say the task without it`;
  }
}

/** Returns the given times, or else those of the sentence. Days without a time run at 9. */
function runsOf(schedule: NonNullable<TaskFields['schedule']>, said: RunSchedule = {}): RunSchedule {
  const { everyMinutes, at, days, dayOfMonth, timeZone = said.zone } = schedule;
  checkSchedule(schedule);
  const minutes = at?.map((time) => Number(time.split(':')[0]) * 60 + Number(time.split(':')[1]));
  const times = minutes ? { at: minutes } : everyMinutes && { every: everyMinutes };
  const isDay = days !== undefined || dayOfMonth !== undefined;
  return {
    ...(times || (isDay ? { at: said.at ?? [USUAL_TIME] } : said)),
    ...(days && { days: days.map((day) => DAYS.indexOf(day) + 1).sort() }),
    ...(dayOfMonth !== undefined && { date: dayOfMonth }),
    ...(timeZone !== undefined && { zone: timeZone }),
  };
}

const APART = [
  ['everyMinutes', 'at'],
  ['everyMinutes', 'dayOfMonth'],
  ['days', 'dayOfMonth'],
] as const;

function checkSchedule(schedule: NonNullable<TaskFields['schedule']>): void {
  const { everyMinutes = RUN_INTERVAL_MINUTES, timeZone = 'UTC' } = schedule;
  const both = APART.find((names) => names.every((name) => schedule[name] !== undefined));
  if (both) throw badRequestError(`schedule takes ${both.join(' or ')}, not both`);
  if (roundInterval(everyMinutes) !== everyMinutes) {
    throw badRequestError(
      `schedule.everyMinutes is ${everyMinutes}, which does not divide an hour or a day: it takes ${roundInterval(everyMinutes)}`,
    );
  }
  if (/^[A-Z]/i.test(timeZone) && attempt(() => new Intl.DateTimeFormat('en', { timeZone }))) return;
  throw badRequestError(
    `schedule.timeZone is ${JSON.stringify(timeZone)}: it takes a name of the time zone database such as Europe/Berlin`,
  );
}

const PLAIN = { every_run: 'always', change: 'change', in_stock: 'stock', out_of_stock: 'nostock' } as const;
const MOVES = { falls: 'drop', rises: 'rise', moves: 'move' } as const;

const AMOUNT = ['value', 'currency', 'of'];
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  new_items: ['words', 'without'],
  ...{ appears: ['words'], disappears: ['words'], below: AMOUNT, above: AMOUNT },
  ...Object.fromEntries(Object.keys(MOVES).map((name) => [name, [...AMOUNT, 'percent']])),
};

function checkCondition(when: NonNullable<TaskFields['when']>): void {
  const taken = TAKEN[when.is] ?? [];
  const [other] =
    Object.entries(when).find(
      ([name, given]) => name !== 'is' && given !== undefined && !taken.includes(name),
    ) ?? [];
  if (other === undefined) return;
  const takes = taken.length > 0 ? `takes ${taken.join(', ')}` : 'takes nothing beside it';
  throw badRequestError(`when.${other} has no meaning where when.is is ${when.is}: it ${takes}`);
}

function conditionOf(when: NonNullable<TaskFields['when']>): SendCondition {
  checkCondition(when);
  const { is, words: named, without, value, percent, currency, of } = when;
  const amount = {
    ...(currency !== undefined && { currency: currency.length === 3 ? currency.toUpperCase() : currency }),
    ...(of !== undefined && { of }),
  };
  switch (is) {
    case 'new_items':
      return { kind: 'new', ...(named && { about: named }), ...(without && { without }) };
    case 'appears':
    case 'disappears': {
      if (!named) throw badRequestError(`when.words is required where when.is is ${is}: a list of words`);
      const parts = named.map(
        (word): SimpleCondition => ({ kind: is === 'appears' ? 'word' : 'gone', word }),
      );
      const [only, ...more] = parts;
      if (only && more.length === 0) return only;
      return { kind: is === 'appears' ? 'any' : 'all', of: parts };
    }
    case 'below':
    case 'above':
      if (value === undefined)
        throw badRequestError(`when.value is required where when.is is ${is}: a number`);
      return { kind: is, value, ...amount };
    case 'falls':
    case 'rises':
    case 'moves':
      return { kind: MOVES[is], value: value ?? 0, ...amount, ...(percent && { percent }) };
    default:
      return { kind: PLAIN[is] };
  }
}

function extractionOf({ what, selector, product }: NonNullable<TaskFields['extract']>): PlanDraft['extract'] {
  if (selector !== undefined && what !== undefined) {
    throw badRequestError('extract takes what or selector, not both');
  }
  if (selector !== undefined) return { kind: 'selector', selector };
  if (what === 'price' || what === 'prices' || (what === undefined && product !== undefined)) {
    return {
      kind: 'prices',
      ...(what === 'prices' && { all: true }),
      ...(product !== undefined && { of: product }),
    };
  }
  return { kind: what ?? 'text' };
}

function deliveryOf(
  { email, webhook, knowledgeBase }: NonNullable<TaskFields['notify']>,
  said: PlanDraft['send'],
): PlanDraft['send'] {
  const places: PlanDraft['send'][] = [
    ...(email === undefined ? [] : [{ kind: 'email', to: email } as const]),
    ...(webhook === undefined ? [] : [{ kind: 'webhook', url: webhook } as const]),
    ...(knowledgeBase ? [{ kind: 'knowledge' } as const] : []),
  ];
  if (places.length > 1) {
    throw badRequestError(
      'notify takes one place, email, webhook or knowledgeBase: create another automation for the next',
    );
  }
  const stays = knowledgeBase === false && said.kind !== 'knowledge';
  return places[0] ?? (stays ? said : { kind: 'platform' });
}
