import { z } from 'zod';
import { AppError, ignoreNotFound } from '../../errors.ts';
import type {
  CreationResult,
  ExistingAutomation,
  JsonObject,
  Platform,
  PlatformSession,
} from '../platform.ts';
import { CRAWLER_ACTOR, compileTask, TASK_ID_PLACEHOLDER } from './apify-task.ts';
import { joinNamedTexts, mapTexts, readAnswer } from './read-answer.ts';

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

/** Uses Apify's API v2 (https://docs.apify.com/api/v2). A team is an id or user name. */
export function createApifyPlatform(apiUrl: string, webUrl: string): Platform {
  // The schedule is created last, so a task with a schedule is complete.
  const made = (id: string, active: boolean, name: string): ExistingAutomation => ({
    id,
    url: `${webUrl}/actors/tasks/${encodeURIComponent(id)}`,
    active,
    name,
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
    compile: (task) => compileTask(task, apiUrl),
    async findAutomation({ fingerprint }, session) {
      const user = await userOf(session);
      const task = await taskOf(user, fingerprint, session);
      if (task === undefined) return undefined;
      const own = await scheduleOf(fingerprint, session);
      // A task without a schedule is from an interrupted call, which this call completes.
      return own && starts(own, task) ? made(task, own.isEnabled, own.name) : undefined;
    },
    async createAutomation({ fingerprint }, compiled, session): Promise<CreationResult> {
      const user = await userOf(session);
      const {
        task,
        schedule: timing = {},
        webhook,
      } = compiled.document as Record<string, JsonObject | undefined>;
      const known = () => taskOf(user, fingerprint, session);
      const id = (await known()) ?? (await orElse(createTask(task ?? {}, session), known));
      const filled = (part: JsonObject) =>
        mapTexts(part, (text) => (text === TASK_ID_PLACEHOLDER ? id : text));
      // Apify rejects the key of a deleted web hook, so the key contains the task's id.
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

/** Returns the result of `work`. If the platform refuses because another process was first, returns the other's result. */
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
  throw new AppError(
    'not_found',
    "autoplatformteamid is not the id or user name of this key's account: an organization of Apify has its own API tokens",
  );
}

async function taskOf(
  user: string,
  fingerprint: string,
  session: PlatformSession,
): Promise<string | undefined> {
  const path = `/actor-tasks/${encodeURIComponent(user)}~magpie-${fingerprint}`;
  const found = session.get(path).then((answer) => readAnswer(answer, data, TITLE).data.id);
  return found.catch(ignoreNotFound);
}

async function createTask(task: JsonObject, session: PlatformSession): Promise<string> {
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
