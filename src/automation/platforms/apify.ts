import { z } from 'zod';
import { AppError } from '../../errors.ts';
import type { JsonObject, Made, Platform, Session } from '../platform.ts';
import { ACTOR, compileTask, TASK_ID } from './apify-task.ts';
import { firstText, mapTexts, readAnswer } from './read-answer.ts';

const TITLE = 'Apify';
/** Schedules on a page of the list, and pages that are looked at. */
const PAGE = 1000;
const PAGES = 10;

const thing = z.object({ id: z.string().min(1).max(200) });
const data = z.object({ data: thing });
const account = z.object({ data: thing.extend({ username: z.string() }) });
const schedule = thing.extend({ name: z.string(), isEnabled: z.boolean() });
const schedules = z.object({ data: z.object({ items: z.array(schedule), total: z.number() }) });

/**
 * Apify's API v2 (https://docs.apify.com/api/v2): a task of its website content crawler, a schedule for it, and a
 * web hook where something is sent. The team is the id or user name of the account or organization of the token.
 * Names are unique in an account there, so the same task is found by its name.
 */
export function apify(apiUrl: string, webUrl: string): Platform {
  const made = (id: string, active: boolean): Made => ({
    id,
    url: `${webUrl}/actors/tasks/${encodeURIComponent(id)}`,
    active,
  });

  return {
    name: 'apify',
    title: TITLE,
    api: '/v2',
    rights: 'an API token of Apify that may run Actors and change tasks, schedules and webhooks',
    authorize: (key) => ({ authorization: `Bearer ${key}` }),
    reason: (body) => firstText((body as { error?: unknown } | null)?.error, 'message'),
    checkTeam(team) {
      if (/^[\w.-]{1,100}$/.test(team)) return;
      throw new AppError(
        'bad_request',
        'autoplatformteamid is not usable: Apify takes the id or user name of an account',
      );
    },
    compile: (task) => compileTask(task, apiUrl),
    async find({ fingerprint }, session) {
      const user = await userOf(session);
      const task = await taskOf(user, fingerprint, session);
      if (task === undefined) return undefined;
      const own = await scheduleOf(fingerprint, session);
      // A task without a schedule is what a call that broke off has left: it is gone on with.
      return own === undefined ? undefined : made(task, own.isEnabled);
    },
    async create({ fingerprint }, compiled, session) {
      const user = await userOf(session);
      const { task, schedule: timing, webhook } = compiled.document as Record<string, JsonObject | undefined>;
      const id = (await taskOf(user, fingerprint, session)) ?? (await createTask(task ?? {}, session));
      const filled = (part: JsonObject) => mapTexts(part, (text) => (text === TASK_ID ? id : text));
      // The web hook first: its idempotency key lets it be sent again, and the schedule is what makes it whole.
      if (webhook) readAnswer(await session.post('/webhooks', filled(webhook)), data, TITLE);
      readAnswer(await session.post('/schedules', filled(timing ?? {})), data, TITLE);
      return made(id, true);
    },
  };
}

/** The user name of the token's account. AppError `not_found` where the team is another one. */
async function userOf(session: Session): Promise<string> {
  const { id, username } = readAnswer(await session.get('/users/me'), account, TITLE).data;
  if (session.team === id || session.team.toLowerCase() === username.toLowerCase()) return username;
  throw new AppError(
    'not_found',
    "autoplatformteamid is not the id or user name of this key's account: an organization of Apify has API tokens of its own",
  );
}

async function taskOf(user: string, fingerprint: string, session: Session): Promise<string | undefined> {
  try {
    const path = `/actor-tasks/${encodeURIComponent(user)}~magpie-${fingerprint}`;
    return readAnswer(await session.get(path), data, TITLE).data.id;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}

async function createTask(task: JsonObject, session: Session): Promise<string> {
  const actor = readAnswer(await session.get(`/acts/${ACTOR.replace('/', '~')}`), data, TITLE).data.id;
  return readAnswer(await session.post('/actor-tasks', { ...task, actId: actor }), data, TITLE).data.id;
}

async function scheduleOf(fingerprint: string, session: Session) {
  for (let page = 0; page < PAGES; page++) {
    const query = { limit: String(PAGE), offset: String(page * PAGE), desc: '1' };
    const { items } = readAnswer(await session.get('/schedules', query), schedules, TITLE).data;
    const found = items.find(({ name }) => name === `magpie-${fingerprint}`);
    if (found || items.length < PAGE) return found;
  }
  return undefined;
}
