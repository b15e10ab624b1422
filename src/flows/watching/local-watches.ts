import { createHash } from 'node:crypto';
import type { AutomationOrder, OrderContext, Plan } from '../../automation/types.ts';
import { badRequestError, ignoreNotFound } from '../../errors.ts';
import { omitUndefined } from '../../lib/omit-undefined.ts';
import type { PageWatch } from '../../lib/watching/page-watch.ts';
import type { OperationContext } from '../../operation.ts';

export interface LocalWatches {
  readonly ids: readonly string[];
  readonly existing: boolean;
  /** The plan in words, and what was not understood. */
  readonly lines: readonly string[];
}

const DEFAULT_MINUTES = 15;

/** Makes monitors of Magpie's own from a task. Throws AppError `bad_request` for what only a platform does. */
export async function createLocalWatches(
  order: AutomationOrder,
  context: OrderContext,
  { services, caller, signal }: OperationContext,
): Promise<LocalWatches> {
  const { plan, words, notes } = await (await services.automation()).readPlan(order, context);
  const page: PageWatch = { extract: extractOf(plan), when: whenOf(plan) };
  const options = { intervalMs: intervalOf(plan) * 60_000, webhook: receiverOf(plan), probing: { page } };
  // The same task names the same monitors, and another task on the same page has monitors of its own.
  const name = createHash('sha256')
    .update(JSON.stringify([order.task, order.fields]))
    .digest('hex')
    .slice(0, 8);
  const ids = plan.pages.map((url) => `page:${url.split('#', 1)[0]}#${name}`);
  const room = await services.monitor();
  const known = await Promise.all(ids.map((id) => room.getMonitor(caller.id, id).catch(ignoreNotFound)));
  const lines = [
    ...words.slice(0, -1),
    `runs: every ${intervalOf(plan)} minutes`,
    ...notes.map((note) => `note: ${note}`),
  ];
  if (!order.dryRun) for (const id of ids) await room.startMonitor(caller.id, id, options, signal);
  return { ids, existing: known.every((one) => one !== undefined), lines };
}

function extractOf({ extract }: Plan): PageWatch['extract'] {
  if (extract.kind === 'selector') return { selector: extract.selector };
  if (extract.kind === 'prices') return { what: extract.all ? 'prices' : 'price', product: extract.of };
  return { what: extract.kind };
}

function intervalOf({ runs = {} }: Plan): number {
  const { every = DEFAULT_MINUTES, zone: _, ...clock } = runs;
  if (Object.keys(clock).every((name) => name === 'every')) return every;
  throw badRequestError(
    "a watch of Magpie's own runs at intervals: give schedule.everyMinutes, or another platform",
  );
}

function receiverOf({ send }: Plan): string | undefined {
  if (send.kind === 'knowledge')
    throw badRequestError("a watch of Magpie's own sends to email or webhook: give notify");
  return send.kind === 'email' ? `mailto:${send.to}` : send.kind === 'webhook' ? send.url : undefined;
}

const NAMES: Readonly<Record<string, string>> = {
  ...{
    change: 'change',
    stock: 'in_stock',
    nostock: 'out_of_stock',
    new: 'new_items',
    word: 'appears',
    gone: 'disappears',
  },
  ...{ below: 'below', above: 'above', drop: 'falls', rise: 'rises', move: 'moves' },
};

function whenOf({ when }: Plan): PageWatch['when'] {
  const parts = when.kind === 'any' || when.kind === 'all' ? when.of : [when];
  const words = parts.flatMap((one) => ('word' in one ? [one.word] : []));
  const kind = parts[0]?.kind ?? '';
  const is = NAMES[kind];
  const isList = words.length === parts.length && parts.every((one) => one.kind === kind);
  const isExact = 'inclusive' in when && when.inclusive;
  if (!is || isExact || (parts.length > 1 && (!isList || (when.kind === 'all') !== (kind === 'gone')))) {
    throw badRequestError("a watch of Magpie's own has one condition: give when, or another platform");
  }
  if (words.length > 0) return { is, words };
  const { about, every, value, percent, currency, of, without } = when as Extract<
    Plan['when'],
    { kind: 'new' }
  > &
    PageWatch['when'];
  if (every) throw badRequestError('when.words takes words of which a new item has one: give when');
  return omitUndefined({ is, value, percent, currency, of, without, words: about });
}
