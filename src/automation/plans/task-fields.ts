import { badRequestError } from '../../errors.ts';
import { attempt } from '../../lib/attempt.ts';
import { withoutFragment } from '../reading/addresses.ts';
import type { SendCondition, SimpleCondition } from '../reading/condition.ts';
import type { TaskReading } from '../reading/read-task.ts';
import type { TurningKind, TurningPart } from '../reading/turning-parts.ts';
import type { PlanDraft } from './plan.ts';
import { type RunSchedule, roundInterval } from './schedule.ts';

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
    ...(fields.pages && { pages: fields.pages.map(withoutFragment), subject: '' }),
    ...(fields.schedule && { runs: runsOf(fields.schedule) }),
    ...(fields.notify && { send: deliveryOf(fields.notify) }),
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
};

/** Refuses a task of which an important part is unclear and not given as a field. */
export function refuseUnclearTask(
  turning: TaskReading['turning'],
  fields: TaskFields,
  platform: string,
): void {
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
    case 'other':
      return `${said}: an automation reads the text of pages, and no file sizes, pictures, loading times or outages (startMonitoring watches those). Give what to take in extract, or the condition in when`;
    default:
      return `${said}, which could turn the task round and is not understood: give the condition in when, or say the task without it`;
  }
}

function runsOf({
  everyMinutes,
  at,
  days,
  dayOfMonth,
  timeZone,
}: NonNullable<TaskFields['schedule']>): RunSchedule {
  if (everyMinutes !== undefined && at) {
    throw badRequestError('schedule takes everyMinutes or at, not both');
  }
  if (days && dayOfMonth !== undefined) throw badRequestError('schedule takes days or dayOfMonth, not both');
  if (timeZone !== undefined && !attempt(() => new Intl.DateTimeFormat('en', { timeZone }))) {
    throw badRequestError(
      `schedule.timeZone is ${JSON.stringify(timeZone)}: it takes a name of the time zone database such as Europe/Berlin`,
    );
  }
  const minutes = at?.map((time) => Number(time.split(':')[0]) * 60 + Number(time.split(':')[1]));
  return {
    ...(minutes ? { at: minutes } : { every: roundInterval(everyMinutes ?? 15) }),
    ...(days && { days: days.map((day) => DAYS.indexOf(day) + 1).sort() }),
    ...(dayOfMonth !== undefined && { date: dayOfMonth }),
    ...(timeZone !== undefined && { zone: timeZone }),
  };
}

const PLAIN = { every_run: 'always', change: 'change', in_stock: 'stock', out_of_stock: 'nostock' } as const;
const MOVES = { falls: 'drop', rises: 'rise', moves: 'move' } as const;

function conditionOf(when: NonNullable<TaskFields['when']>): SendCondition {
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

function deliveryOf({ email, webhook, knowledgeBase }: NonNullable<TaskFields['notify']>): PlanDraft['send'] {
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
  return places[0] ?? { kind: 'platform' };
}
