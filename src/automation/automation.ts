import { AppError } from '../errors.ts';
import type { GuardedFetch } from '../lib/fetch.ts';
import { parseUrl, type UrlGuard } from '../lib/url-guard.ts';
import type { Logger } from '../log.ts';
import { withoutFragment } from './addresses.ts';
import { createByTurns } from './by-turns.ts';
import { type Credentials, lacking, type Wanted, wantedOf } from './credentials.ts';
import { fingerprintOf, oneLine } from './fingerprint.ts';
import { type Draft, draft, inWords, type Plan } from './plan.ts';
import type { Compiled, Made, Platform, PlatformName, Task } from './platform.ts';
import { type Reading, readTask } from './read-task.ts';
import { createSession } from './session.ts';

/** Writes a plan for a task, as `draft` has it; what it gives is checked. */
export type Planner = (task: string, signal: AbortSignal) => Promise<unknown>;

/** A page that a search found for a task. */
export interface ChosenPage {
  readonly title: string;
  readonly url: string;
}

export interface Order {
  /** The user's words. */
  readonly task: string;
  /** Both may be left out of a dry run. */
  readonly key?: string | undefined;
  readonly team?: string | undefined;
  /** The configured one when left out. */
  readonly platform?: PlatformName | undefined;
  /** A Magpie key of the user's, for tasks that write into the knowledge base. */
  readonly magpieKey?: string | undefined;
  /** Nothing is asked of the platform. */
  readonly dryRun: boolean;
  /** The user, for whom the task is told apart where it writes into their knowledge base. */
  readonly owner: string;
}

export interface OrderContext {
  readonly signal: AbortSignal;
  /** Finds the page that a task without an address is about. */
  findPage(subject: string): Promise<ChosenPage>;
  progress(message: string): void;
}

/** What became of an order: `made` is undefined for a dry run, `plan` for an automation that was there. */
export interface Delivery {
  readonly platform: PlatformName;
  readonly title: string;
  readonly made?: Made;
  readonly existing: boolean;
  /** It was half made by a call that broke off, and this one has switched it on. */
  readonly finished?: boolean;
  readonly plan?: Plan;
  readonly compiled?: Compiled;
  readonly chosen?: ChosenPage;
  /** The plan in words, and what the user should know; none for an automation that was there. */
  readonly words: readonly string[];
  readonly notes: readonly string[];
}

export interface Automation {
  /** Makes the automation of a task, or gives the one that is there. Throws AppError. */
  order(order: Order, context: OrderContext): Promise<Delivery>;
  /**
   * Credentials that the configuration has, for the one local user of the terminal and of stdio. They are the
   * configured platform's: none for another.
   */
  local(platform: PlatformName | undefined): Credentials;
  /** What a platform, the configured one when left out, calls itself and its credentials. */
  wants(platform: PlatformName | undefined): Wanted;
  /** Whether a task writes into the knowledge base, which takes a Magpie key. */
  savesHome(task: string): boolean;
}

/** A platform, and where it is; undefined where the operator has to say. */
export interface Placed {
  readonly platform: Platform;
  readonly baseUrl: string | undefined;
}

export interface AutomationOptions {
  /** A fetch for one order: a platform that wants one key left alone for a while means no other user's. */
  openFetch(): GuardedFetch;
  readonly guard: UrlGuard;
  readonly platforms: Readonly<Record<PlatformName, Placed>>;
  readonly platform: PlatformName;
  /** Where texts for the knowledge base are posted; undefined where no platform could reach it. */
  readonly knowledgeUrl?: string | undefined;
  readonly planner?: Planner | undefined;
  readonly local?: Credentials;
  readonly log: Logger;
}

/** What a key has to be to go out in a header. */
const HEADER_VALUE = /^[\x21-\x7e]+$/;
/** Milliseconds for looking the names of a plan up. */
const LOOKUP = 3000;

/** The room: reads a task, has the platform's driver write it down, and creates it with the user's credentials. */
export function createAutomation(options: AutomationOptions): Automation {
  const byTurns = createByTurns();

  async function order(order: Order, context: OrderContext): Promise<Delivery> {
    const { platform, baseUrl } = options.platforms[order.platform ?? options.platform];
    const { name, title } = platform;
    const { key, dryRun, owner } = order;
    const team = order.team ?? (dryRun ? platform.anyTeam : undefined);
    if (team === undefined || (key === undefined && !dryRun))
      throw lacking(wantedOf(platform), { ...order, team });
    if (!platform.isTeam(team)) {
      throw new AppError('bad_request', `autoplatformteamid is not usable: it takes ${platform.team}`);
    }
    if (key !== undefined && !HEADER_VALUE.test(key)) {
      throw new AppError(
        'bad_request',
        `autoplatformapikey is not usable: it takes ${platform.rights}, in one line of Latin letters, digits and signs without blanks`,
      );
    }
    if (baseUrl === undefined && !dryRun) {
      throw new AppError(
        'unavailable',
        `where ${title} is has to be set by the operator: MAGPIE_AUTOMATION_URL=${name}=https://...`,
      );
    }
    const words = oneLine(order.task);
    const reading = readTask(words);
    const knowledge = reading.send.kind === 'knowledge';
    const fingerprint = fingerprintOf(knowledge ? owner : '', team, words);
    const common = { platform: name, title };
    const write = async () => {
      const { plan, chosen, unread } = await planOf(words, reading, context);
      const { knowledgeUrl } = options;
      const sendsHome = plan.send.kind === 'knowledge';
      if (sendsHome) checkKnowledge(order);
      const task: Task = {
        plan,
        fingerprint,
        team,
        knowledgeUrl: knowledgeUrl !== undefined && sendsHome ? knowledgeUrl : undefined,
      };
      const compiled = platform.compile(task);
      return {
        task,
        written: {
          plan,
          compiled,
          words: inWords(plan),
          notes: [...reading.notes, ...unread, ...compiled.notes],
          chosen,
        },
      };
    };
    if (dryRun || baseUrl === undefined || key === undefined) {
      const { written } = await write();
      const placed = order.team === undefined ? [`no team was given: ${team} stands for it`] : [];
      return { ...common, existing: false, ...written, notes: [...written.notes, ...placed] };
    }
    const { magpieKey } = order;
    const fetch = options.openFetch();
    const { signal, progress } = context;
    const session = createSession({ fetch, platform, baseUrl, key, team, magpieKey, signal });
    // The same task twice at once: the second finds what the first has made.
    return byTurns(`${name} ${fingerprint}`, signal, async () => {
      progress(`asking ${title} whether it is there already`);
      const known = await platform.find({ fingerprint, team }, session);
      if (known) {
        const there = { ...common, existing: true, words: [], notes: [] };
        if (!known.half) return { ...there, made: known };
        progress(`it is half made: switching it on`);
        return { ...there, made: await platform.finish(known, session), finished: true };
      }
      const { task, written } = await write();
      progress(`creating it on ${title}`);
      const { made, existing, notes } = await platform.create(task, written.compiled, session);
      return { ...common, ...written, existing, made, notes: [...written.notes, ...notes] };
    }).finally(() => fetch.close());
  }

  function checkKnowledge({ magpieKey, dryRun }: Order): void {
    if (options.knowledgeUrl === undefined) {
      throw new AppError(
        'bad_request',
        'no platform can reach this knowledge base: the operator sets MAGPIE_PUBLIC_URL to the address of a public server; or name a web hook or an e-mail address',
      );
    }
    if (magpieKey !== undefined || dryRun) return;
    throw new AppError(
      'bad_request',
      'magpiekey is required where a task writes into the knowledge base: a key of yours with the scope write (magpie key create --scope write), which the platform then keeps; over HTTP better as the header X-Magpiekey, at a terminal as - and typed',
    );
  }

  async function planOf(
    task: string,
    reading: Reading,
    { signal, findPage, progress }: OrderContext,
  ): Promise<{ plan: Plan; chosen?: ChosenPage; unread: readonly string[] }> {
    const { subject } = reading;
    const byChat = await byModel(task, reading, signal);
    const { pages, extract, when, send } = byChat ?? reading;
    const unread = byChat ? [] : reading.unread;
    if (send.kind === 'webhook') await checkAddress(send.url, signal);
    for (const page of pages) await checkAddress(page, signal);
    if (pages.length > 0) return { plan: { task, pages, extract, when, send }, unread };
    if (subject === '') {
      throw new AppError(
        'bad_request',
        'q names no page and nothing to search for: say which page to fetch, as an address or in words',
      );
    }
    progress('searching for the page');
    const chosen = await findPage(subject);
    await checkAddress(chosen.url, signal);
    return { plan: { task, pages: [withoutFragment(chosen.url)], extract, when, send }, chosen, unread };
  }

  /** The model's plan, where there is one that keeps to the schema and to the addresses of the task. */
  async function byModel(task: string, reading: Reading, signal: AbortSignal): Promise<Draft | undefined> {
    if (!options.planner) return undefined;
    try {
      const plan = draft.parse(await options.planner(task, signal));
      if (keepsTo(plan, reading)) return { ...plan, pages: plan.pages.map(withoutFragment) };
      options.log.warn('the plan of the chat model names other addresses than the task: the rules wrote one');
    } catch (err) {
      signal.throwIfAborted();
      const { name } = err instanceof Error ? err : { name: 'unknown' };
      options.log.warn({ reason: name }, 'the chat model wrote no usable plan: the rules wrote one');
    }
    return undefined;
  }

  /** Refuses what leads into a private network: the platform may well stand in one. */
  async function checkAddress(address: string, signal: AbortSignal): Promise<void> {
    const url = parseUrl(address);
    const verdict = options.guard.judge(url);
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(LOOKUP)]);
    if (await options.guard.leadsInside(url, verdict, deadline)) {
      throw new AppError(
        'forbidden',
        `${url.host} is not a public address: an automation fetches and calls public ones only; the operator can allow it with MAGPIE_ALLOW_HOSTS`,
      );
    }
    signal.throwIfAborted();
  }

  function savesHome(task: string): boolean {
    if (options.knowledgeUrl === undefined) return false;
    try {
      return readTask(task).send.kind === 'knowledge';
    } catch {
      // The order says what is wrong with it.
      return false;
    }
  }

  return {
    order,
    savesHome,
    wants: (platform = options.platform) => wantedOf(options.platforms[platform].platform),
    local: (platform = options.platform) => (platform === options.platform ? (options.local ?? {}) : {}),
  };
}

/** Whether a plan names no address that the rules have not found in the task, and all pages that they have. */
function keepsTo({ pages, send }: Draft, reading: Reading): boolean {
  const target = reading.send.kind === 'webhook' ? [reading.send.url] : [];
  const known = new Set([...reading.pages, ...target]);
  const own = pages.map(withoutFragment);
  if (own.some((page) => !known.has(page)) || (reading.pages.length > 0 && own.length === 0)) return false;
  if (send.kind === 'webhook') return known.has(withoutFragment(send.url));
  if (send.kind === 'email') return reading.send.kind === 'email' && reading.send.to === send.to;
  // Where the words name a place to send to, a plan that forgets it would be silent for ever.
  return send.kind === reading.send.kind || reading.send.kind === 'platform';
}
