import { z } from 'zod';
import { AppError, badRequestError, ignoreNotFound, notFoundError } from '../../errors.ts';
import { formatAutomationName } from '../plans/automation-name.ts';
import type { AutomationPlan } from '../plans/plan.ts';
import { cronOf, formatClockTime, USUAL_RUNS } from '../plans/schedule.ts';
import type {
  AutomationCreation,
  AutomationPlatform,
  CompiledTask,
  ExistingAutomation,
  JsonRecord,
  PlatformSession,
  PlatformTask,
} from '../platform.ts';
import { listSimpleConditions } from '../reading/condition.ts';
import { getWebhookShape, messageAround } from '../webhook-shape.ts';
import {
  escapeAddressBraces,
  escapeTemplateBraces,
  joinNamedTexts,
  mapTexts,
  readAnswer,
} from './read-answer.ts';

const TITLE = 'Apify';
const PAGE_SIZE = 1000;
const MAX_PAGES = 10;

const thing = z.object({ id: z.string().min(1).max(200) });
const data = z.object({ data: thing });
const account = z.object({ data: thing.extend({ username: z.string() }) });
const schedule = thing.extend({
  name: z.string(),
  isEnabled: z.boolean(),
  actions: z.array(z.object({ actorTaskId: z.string().nullish() })).nullish(),
});
const schedules = z.object({ data: z.object({ items: z.array(schedule), total: z.number() }) });

/** Uses Apify's API v2 (https://docs.apify.com/api/v2). A team is named by its id or user name. */
export function createApifyPlatform(apiUrl: string, webUrl: string): AutomationPlatform {
  const made = (id: string, active: boolean, name: string): ExistingAutomation => ({
    id,
    url: `${webUrl}/actors/tasks/${encodeURIComponent(id)}`,
    active,
    name,
    // Always false, because the schedule is created last: a task with a schedule is complete.
    half: false,
  });

  return {
    name: 'apify',
    title: TITLE,
    api: '/v2',
    rights: 'an API token of Apify that may run Actors and change tasks, schedules and webhooks',
    authorize: (key) => ({ authorization: `Bearer ${key}` }),
    reason: (body) => joinNamedTexts((body as { error?: unknown } | null)?.error, 'message'),
    team: 'the id or user name of an account or organization of Apify',
    isTeam: (text) => /^[\w.-]{1,100}$/.test(text),
    placeholderTeam: 'me',
    compile: (task) => compileApifyTask(task, apiUrl),
    async findAutomation({ fingerprint }, session) {
      const user = await userOf(session);
      const task = await taskOf(user, fingerprint, session);
      if (task === undefined) return undefined;
      const own = await scheduleOf(fingerprint, session);
      // A task without a schedule was left by an interrupted call. `createAutomation` then adds the schedule.
      return own && starts(own, task) ? made(task, own.isEnabled, own.name) : undefined;
    },
    async createAutomation({ fingerprint }, compiled, session): Promise<AutomationCreation> {
      const user = await userOf(session);
      const {
        task,
        schedule: timing = {},
        webhook,
      } = compiled.document as Record<string, JsonRecord | undefined>;
      const known = () => taskOf(user, fingerprint, session);
      const id = (await known()) ?? (await orElse(createTask(task ?? {}, session), known));
      const filled = (part: JsonRecord) =>
        mapTexts(part, (text) => (text === TASK_ID_PLACEHOLDER ? id : text));
      // The key contains the task's id, because Apify rejects a key that a deleted web hook has used.
      if (webhook) {
        const asked = { ...filled(webhook), idempotencyKey: `${webhook.idempotencyKey}-${id}` };
        readAnswer(await session.post('/webhooks', asked), data, TITLE);
      }
      let existing = false;
      await orElse(session.post('/schedules', filled(timing)), async () => {
        const other = await scheduleOf(fingerprint, session);
        if (other === undefined) return undefined;
        existing = starts(other, id);
        if (!existing) await session.put(`/schedules/${encodeURIComponent(other.id)}`, filled(timing));
        return other;
      });
      return { made: made(id, true, String(timing.name)), existing, notes: [] };
    },
    finishAutomation: async (found) => found,
  };
}

function starts({ actions }: z.output<typeof schedule>, task: string): boolean {
  return !actions || actions.some(({ actorTaskId }) => actorTaskId === task);
}

async function orElse<T>(work: Promise<T>, findOther: () => Promise<T | undefined>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const other = error instanceof AppError && error.code === 'bad_request' ? await findOther() : undefined;
    if (other === undefined) throw error;
    return other;
  }
}

async function userOf(session: PlatformSession): Promise<string> {
  const { id, username } = readAnswer(await session.get('/users/me'), account, TITLE).data;
  if (session.team === id || session.team.toLowerCase() === username.toLowerCase()) return username;
  throw notFoundError(
    "autoplatformteamid is not the id or user name of this key's account: an organization of Apify has its own API tokens",
  );
}

async function taskOf(user: string, fingerprint: string, session: PlatformSession) {
  const path = `/actor-tasks/${encodeURIComponent(user)}~magpie-${fingerprint}`;
  const found = session.get(path).then((answer) => readAnswer(answer, data, TITLE).data.id);
  return found.catch(ignoreNotFound);
}

async function createTask(task: JsonRecord, session: PlatformSession): Promise<string> {
  const actor = readAnswer(await session.get(`/acts/${CRAWLER_ACTOR.replace('/', '~')}`), data, TITLE).data
    .id;
  return readAnswer(await session.post('/actor-tasks', { ...task, actId: actor }), data, TITLE).data.id;
}

async function scheduleOf(fingerprint: string, session: PlatformSession) {
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { limit: String(PAGE_SIZE), offset: String(page * PAGE_SIZE), desc: '1' };
    const { items } = readAnswer(await session.get('/schedules', query), schedules, TITLE).data;
    const found = items.find(({ name }) => name === `magpie-${fingerprint}`);
    if (found || items.length < PAGE_SIZE) return found;
  }
  return undefined;
}

const CRAWLER_ACTOR = 'apify/website-content-crawler';
const MAILER = 'apify/send-mail';
const TASK_ID_PLACEHOLDER = '<task>';

/** The time limit is shorter than the default interval of 15 minutes, so that runs do not overlap. */
const RUN_OPTIONS = { build: 'latest', timeoutSecs: 600, memoryMbytes: 4096 };
const RUNS_URL = 'https://console.apify.com/actors/runs/';

/** Compiles input, schedule and web hook. Throws AppError `bad_request` if Apify cannot run the plan. */
export function compileApifyTask(task: PlatformTask, apiUrl: string): CompiledTask {
  const { plan, fingerprint } = task;
  const name = `magpie-${fingerprint}`;
  const title = formatAutomationName(task);
  const webhook = hook(plan, fingerprint, apiUrl);
  return {
    document: {
      task: { actId: CRAWLER_ACTOR, name, title, options: RUN_OPTIONS, input: crawl(plan) },
      schedule: {
        name,
        title,
        isEnabled: true,
        isExclusive: true,
        cronExpression: cronFor(plan),
        timezone: plan.runs?.zone ?? 'UTC',
        actions: [{ type: 'RUN_ACTOR_TASK', actorTaskId: TASK_ID_PLACEHOLDER }],
      },
      ...(webhook && { webhook }),
    },
    notes: notesOn(plan),
    ready: true,
  };
}

/** Returns a plan's cron expression. Throws AppError `bad_request` if the times need two expressions. */
function cronFor({ runs = USUAL_RUNS }: AutomationPlan): string {
  const [first = '', ...others] = cronOf(runs);
  if (others.length === 0) return first;
  const [minute] = first.split(' ');
  const hours = [first, ...others].map((cron) => cron.split(' '));
  if (hours.some(([one]) => one !== minute)) {
    throw badRequestError(
      `Apify starts a task at the same minute of each hour, not at ${runs.at?.map(formatClockTime).join(' and ')}: name platform n8n or make, or other times`,
    );
  }
  return first.replace(/^\d+ \d+/, `${minute} ${hours.map(([, hour]) => hour).join(',')}`);
}

function crawl({ pages, extract }: AutomationPlan): JsonRecord {
  const keep = {
    links: 'a[href]',
    headings: 'h1, h2, h3',
    title: 'title',
    items: 'a[href]',
    text: '',
    prices: '',
  };
  const kept = extract.kind === 'selector' ? extract.selector : keep[extract.kind];
  return {
    startUrls: pages.map((url) => ({ url })),
    crawlerType: 'playwright:adaptive',
    maxCrawlDepth: 0,
    maxCrawlPages: pages.length,
    maxResults: pages.length,
    useSitemaps: false,
    respectRobotsTxtFile: true,
    proxyConfiguration: { useApifyProxy: true },
    saveMarkdown: true,
    ...(kept === ''
      ? { htmlTransformer: 'readableText' }
      : { htmlTransformer: 'none', keepElementsCssSelector: kept }),
  };
}

/** Returns the web hook of a plan that sends data. Throws `bad_request` if Apify cannot run the plan. */
function hook({ send, task, when }: AutomationPlan, fingerprint: string, apiUrl: string) {
  if (send.kind !== 'platform' && when.kind !== 'always') {
    throw badRequestError(
      'Apify compares nothing, so it cannot notify only when something changes, appears or goes below or above a number: name platform n8n or make; or say "every time", and let the receiver compare',
    );
  }
  const facts = { task: escapeTemplateBraces(task), run: '{{resource.id}}', at: '{{createdAt}}' };
  const items = `${apiUrl}/v2/datasets/{{resource.defaultDatasetId}}/items`;
  const common = {
    eventTypes: ['ACTOR.RUN.SUCCEEDED'],
    condition: { actorTaskId: TASK_ID_PLACEHOLDER },
    idempotencyKey: `magpie-${fingerprint}`,
    shouldInterpolateStrings: true,
  };
  switch (send.kind) {
    case 'webhook': {
      const shape = getWebhookShape(send.url);
      const message = `${facts.task}\n${RUNS_URL}{{resource.id}}`;
      const payloadTemplate =
        shape === 'facts' || shape === 'text'
          ? JSON.stringify({ ...facts, items })
          : JSON.stringify(messageAround(shape, message));
      return { ...common, requestUrl: escapeAddressBraces(send.url), payloadTemplate };
    }
    case 'email': {
      const mail = { to: send.to, subject: facts.task, text: `${facts.task}\n${RUNS_URL}{{resource.id}}` };
      // The web hook calls Apify's own API, so Apify adds the token to the request.
      const requestUrl = `${apiUrl}/v2/acts/${MAILER.replace('/', '~')}/runs`;
      return { ...common, requestUrl, payloadTemplate: JSON.stringify(mail) };
    }
    case 'knowledge':
      throw badRequestError(
        "Apify's web hooks carry no text of a page, so it cannot write into the knowledge base: name platform n8n or make, or send to a web hook",
      );
    default:
      return undefined;
  }
}

function notesOn({ when, extract, send }: AutomationPlan): string[] {
  const compares = listSimpleConditions(when).some(({ kind }) => kind !== 'always');
  return [
    ...(!compares
      ? []
      : [
          'Apify compares nothing: each run keeps what it finds, and sends no notification; n8n and Make can',
        ]),
    ...(extract.kind === 'prices' ? ['it takes the whole text of a page, prices among it'] : []),
    send.kind === 'platform' || send.kind === 'email'
      ? 'what it finds is in the dataset of each run'
      : 'what is sent names the run and the address of its dataset, which takes your Apify token to read',
  ];
}
