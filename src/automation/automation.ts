import { AppError, badRequestError, unavailableError } from '../errors.ts';
import { createKeyedLock } from '../lib/concurrency/keyed-lock.ts';
import { credentialHeader } from '../lib/network/credential-header.ts';
import type { GuardedFetch } from '../lib/network/fetch.ts';
import { fingerprintOf, oneLine } from './plans/fingerprint.ts';
import { describePlan } from './plans/plan.ts';
import { createPlanning, type PlanningOptions } from './plans/planning.ts';
import { runsInWords, USUAL_RUNS } from './plans/schedule.ts';
import { applyFields, refuseUnclearTask } from './plans/task-fields.ts';
import type { AutomationPlatform, PlatformName, PlatformSession, PlatformTask } from './platform.ts';
import { createPlatformSession } from './platform-session.ts';
import { readTaskInPool } from './reading/task-pool.ts';
import type {
  AutomationOrder,
  AutomationOrderResult,
  AutomationService,
  CredentialDescription,
  OrderContext,
  PlatformCredentials,
} from './types.ts';

export interface ConfiguredPlatform {
  readonly platform: AutomationPlatform;
  readonly baseUrl: string | undefined;
}

export interface AutomationOptions extends PlanningOptions {
  /** Creates a fetch function for one request, so that a rate limit on one key does not delay other keys. */
  openFetch(): GuardedFetch;
  readonly platforms: Readonly<Record<PlatformName, ConfiguredPlatform>>;
  readonly platform: PlatformName;
  /** URL to which automations send texts for the knowledge base. Undefined if no platform can reach it. */
  readonly knowledgeUrl?: string | undefined;
  readonly local?: PlatformCredentials;
}

const HEADER_VALUE = /^[\x21-\x7e]+$/;

export function createAutomationService(options: AutomationOptions): AutomationService {
  const { knowledgeUrl } = options;
  const lock = createKeyedLock();
  const planTask = createPlanning(options);

  async function compileTask(accepted: Awaited<ReturnType<typeof acceptOrder>>, context: OrderContext) {
    const { order, platform, words, reading, fingerprint, team } = accepted;
    const { plan, chosen, unread } = await planTask(words, reading, order.fields ?? {}, context);
    const writesHome = plan.send.kind === 'knowledge';
    if (writesHome) checkKnowledge(order, knowledgeUrl);
    const task: PlatformTask = {
      plan,
      fingerprint,
      team,
      knowledgeUrl: writesHome ? knowledgeUrl : undefined,
    };
    const compiled = platform.compile(task);
    const notes = [...reading.notes, ...unread, ...compiled.notes];
    return { task, compiled, shown: { plan, compiled, words: describePlan(plan), notes, chosen } };
  }

  async function deliver(
    accepted: Awaited<ReturnType<typeof acceptOrder>>,
    session: PlatformSession,
    context: OrderContext,
  ): Promise<AutomationOrderResult> {
    const { platform, fingerprint, team, reading } = accepted;
    const { name, title } = platform;
    const runs = runsInWords(reading.runs ?? USUAL_RUNS);
    const { progress } = context;
    progress(`asking ${title} whether it exists already`);
    const found = await platform.findAutomation({ fingerprint, team }, session);
    if (found) {
      const existing = { platform: name, title, runs, existing: true, words: [], notes: [] };
      if (!found.half) return { ...existing, made: found };
      progress('it is unfinished: switching it on');
      return { ...existing, made: await platform.finishAutomation(found, session), finished: true };
    }
    const { task, compiled, shown } = await compileTask(accepted, context);
    progress(`creating it on ${title}`);
    const { made, existing, notes } = await platform.createAutomation(task, compiled, session);
    return { platform: name, title, runs, ...shown, existing, made, notes: [...shown.notes, ...notes] };
  }

  return {
    async placeOrder(order, context) {
      const accepted = await acceptOrder(order, options, context.signal);
      const { platform, access, team, fingerprint } = accepted;
      if (!access) {
        const { shown } = await compileTask(accepted, context);
        const notes =
          order.team === undefined
            ? [...shown.notes, `no team was given: it would be created in “${team}”`]
            : shown.notes;
        const runs = runsInWords(accepted.reading.runs ?? USUAL_RUNS);
        return { platform: platform.name, title: platform.title, runs, existing: false, ...shown, notes };
      }
      const fetch = options.openFetch();
      const { signal } = context;
      const { magpieKey } = order;
      const session = createPlatformSession({ ...access, fetch, platform, team, magpieKey, signal });
      try {
        // Equal requests run one after the other, so that the second one finds the automation of the first.
        const key = `${platform.name} ${fingerprint}`;
        return await lock.run(key, () => deliver(accepted, session, context), signal);
      } finally {
        await fetch.close();
      }
    },
    async readPlan(order, context) {
      const { words, reading } = await readOrder(order, "Magpie's page of monitors", context.signal);
      const { plan, chosen, unread } = await planTask(words, reading, order.fields ?? {}, context);
      return {
        plan,
        words: describePlan(plan),
        notes: [...reading.notes, ...unread],
        ...(chosen && { chosen }),
      };
    },
    wantedCredentials: (platform = options.platform) =>
      describeCredentials(options.platforms[platform].platform),
    localCredentials: (platform = options.platform) =>
      platform === options.platform ? (options.local ?? {}) : {},
    async needsMagpieKey(task, owner, signal, notify) {
      if (knowledgeUrl === undefined) return false;
      if (notify) return notify.knowledgeBase === true;
      try {
        const { send } = await readTaskInPool(oneLine(task), owner, signal);
        return send.kind === 'knowledge';
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
        return false;
      }
    },
  };
}

async function acceptOrder(order: AutomationOrder, options: AutomationOptions, signal: AbortSignal) {
  const { platform, baseUrl } = options.platforms[order.platform ?? options.platform];
  const { key, dryRun } = order;
  const team = order.team ?? (dryRun ? platform.placeholderTeam : undefined);
  if (team === undefined || (key === undefined && !dryRun)) {
    throw createMissingCredentialsError(describeCredentials(platform), { ...order, team });
  }
  if (!platform.isTeam(team)) {
    throw badRequestError(`autoplatformteamid is not usable: it takes ${platform.team}`);
  }
  if (key !== undefined && !HEADER_VALUE.test(key)) {
    throw badRequestError(
      `autoplatformapikey is not usable: it takes ${platform.rights}, as one line of ASCII letters, digits and signs without spaces`,
    );
  }
  if (baseUrl === undefined && !dryRun) {
    throw unavailableError(
      `the address of ${platform.title} is not configured: the operator sets MAGPIE_AUTOMATION_URL=${platform.name}=https://...`,
    );
  }
  const { words, fields, reading } = await readOrder(order, platform.title, signal);
  return {
    order,
    team,
    platform,
    words,
    reading,
    access: dryRun || baseUrl === undefined || key === undefined ? undefined : { baseUrl, key },
    fingerprint: fingerprintOf(reading.send.kind === 'knowledge' ? order.owner : '', team, words, fields),
  };
}

async function readOrder({ task, fields = {}, owner }: AutomationOrder, title: string, signal: AbortSignal) {
  const words = oneLine(task);
  const reading = applyFields(await readTaskInPool(words, owner, signal), fields);
  refuseUnclearTask(reading.turning, fields, title);
  if (reading.pages.length === 0 && reading.subject === '') {
    throw badRequestError(
      'q names neither a page nor anything to search for: say which page to fetch, as an address or in words, or give pages',
    );
  }
  return { words, fields, reading };
}

function checkKnowledge({ magpieKey, dryRun }: AutomationOrder, knowledgeUrl: string | undefined): void {
  if (knowledgeUrl === undefined) {
    throw badRequestError(
      'no platform can reach this knowledge base: the operator sets MAGPIE_PUBLIC_URL to the address of a public server; or name a web hook or an e-mail address',
    );
  }
  if (magpieKey !== undefined || dryRun) return;
  throw badRequestError(
    'magpiekey is required where a task writes into the knowledge base: a key of yours with the scope write (magpie key create --scope write), which the platform then keeps; over HTTP preferably as the header X-Magpiekey, at a terminal as - and typed',
  );
}

function describeCredentials({ title, rights, team }: AutomationPlatform): CredentialDescription {
  return { title, key: rights, team };
}

function createMissingCredentialsError(
  { title, key, team }: CredentialDescription,
  order: PlatformCredentials,
) {
  const missing = [
    ...(order.key === undefined ? [['autoplatformapikey', key] as const] : []),
    ...(order.team === undefined ? [['autoplatformteamid', team] as const] : []),
  ];
  const names = missing.map(([name]) => name);
  const headers = names.map(credentialHeader);
  return badRequestError(
    `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} required on ${title}: ` +
      `${missing.map(([, what]) => what).join(', and ')}. Over HTTP send ${headers.join(' and ')} as headers, or ` +
      'as query parameters, which proxies may log; an MCP client that can open pages asks its user on one; the ' +
      'command line asks at a terminal, or reads standard input for a flag that is -; the command line and stdio also read ' +
      'MAGPIE_AUTOMATION_KEY and MAGPIE_AUTOMATION_TEAM. ' +
      'dryRun=true shows the document without them',
  );
}
