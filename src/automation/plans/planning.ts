import { forbiddenError } from '../../errors.ts';
import { parseUrl, type UrlGuard } from '../../lib/network/url-guard.ts';
import type { Logger } from '../../log.ts';
import { withoutFragment } from '../reading/addresses.ts';
import type { TaskReading } from '../reading/read-task.ts';
import type { ChosenPage, OrderContext } from '../types.ts';
import { type AutomationPlan, draftSchema, type PlanDraft } from './plan.ts';
import { applyFields, type TaskFields } from './task-fields.ts';

export type TaskPlanner = (task: string, signal: AbortSignal) => Promise<unknown>;

export interface PlanningOptions {
  readonly guard: UrlGuard;
  readonly planner?: TaskPlanner | undefined;
  readonly log: Logger;
}

export interface PlannedTask {
  readonly plan: AutomationPlan;
  readonly chosen?: ChosenPage;
  readonly unread: readonly string[];
}

export type PlanTask = (
  task: string,
  reading: TaskReading,
  fields: TaskFields,
  context: OrderContext,
) => Promise<PlannedTask>;

const LOOKUP_TIMEOUT_MS = 3000;

export function createPlanning({ guard, planner, log }: PlanningOptions): PlanTask {
  /** Refuses private addresses, because a platform may run within a private network. */
  async function checkAddress(address: string, signal: AbortSignal): Promise<void> {
    const url = parseUrl(address);
    const verdict = guard.judge(url);
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(LOOKUP_TIMEOUT_MS)]);
    if (await guard.resolvesToPrivate(url, verdict, deadline)) {
      throw forbiddenError(
        `${url.host} is not a public address: an automation fetches and calls public ones only; the operator can allow it with MAGPIE_ALLOW_HOSTS`,
      );
    }
    signal.throwIfAborted();
  }

  async function draftByModel(task: string, reading: TaskReading, signal: AbortSignal) {
    if (!planner) return undefined;
    try {
      const plan = draftSchema.parse(await planner(task, signal));
      if (keepsTo(plan, reading)) return { ...plan, pages: plan.pages.map(withoutFragment) };
      log.warn('the plan of the chat model names other addresses than the task: the rules wrote one');
    } catch (err) {
      signal.throwIfAborted();
      const { name } = err instanceof Error ? err : { name: 'unknown' };
      log.warn({ reason: name }, 'the chat model wrote no usable plan: the rules wrote one');
    }
    return undefined;
  }

  return async (task, reading, fields, { signal, findPage, progress }) => {
    const written = await draftByModel(task, reading, signal);
    const drafted = written && applyFields(written, fields);
    const { pages, extract, when, send } = drafted ?? reading;
    // The schedule read by the built-in rules is more reliable than a schedule written by a model.
    const runs = reading.runs ?? drafted?.runs;
    const rest = { extract, when, send, ...(runs && { runs }) };
    const unread = drafted ? [] : reading.unread;
    if (send.kind === 'webhook') await checkAddress(send.url, signal);
    for (const page of pages) await checkAddress(page, signal);
    if (pages.length > 0) return { plan: { task, pages, ...rest }, unread };
    progress('searching for the page');
    const chosen = await findPage(reading.subject);
    await checkAddress(chosen.url, signal);
    return { plan: { task, pages: [withoutFragment(chosen.url)], ...rest }, chosen, unread };
  };
}

function keepsTo({ pages, send }: PlanDraft, reading: TaskReading): boolean {
  const target = reading.send.kind === 'webhook' ? [reading.send.url] : [];
  const known = new Set([...reading.pages, ...target]);
  const own = pages.map(withoutFragment);
  if (own.some((page) => !known.has(page)) || (reading.pages.length > 0 && own.length === 0)) return false;
  if (send.kind === 'webhook') return known.has(withoutFragment(send.url));
  if (send.kind === 'email') return reading.send.kind === 'email' && reading.send.to === send.to;
  return send.kind === reading.send.kind || reading.send.kind === 'platform';
}
