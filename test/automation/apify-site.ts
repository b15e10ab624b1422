import {
  type Answer,
  BAD_KEYS,
  jsonText,
  KEY,
  type PlatformSite,
  pageOf,
  type Said,
  startPlatform,
} from './platform-sites.ts';

/** Apify's API v2 as its documentation has it: data in `data`, errors as `{error: {type, message}}`, unique names. */

export const ACCOUNT = { id: 'YiKoxjkaS9gjGTqhF', username: 'janedoe' };
const CRAWLER = 'aYG0l9s7dbB7j3gbS';

const fail = (status: number, type: string, message: string): Said => ({
  status,
  body: { error: { type, message } },
});
const invalid = (message: string) => fail(400, 'invalid-input', message);

/** What stands beside the tasks in an account. */
const beside = new WeakMap<
  PlatformSite,
  { schedules: Record<string, unknown>[]; webhooks: Record<string, unknown>[] }
>();

export function besideTasks(site: PlatformSite) {
  const kept = beside.get(site) ?? { schedules: [], webhooks: [] };
  beside.set(site, kept);
  return kept;
}

let count = 0;

const answer: Answer = ({ method, path, query, headers, body }, site) => {
  const key = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  if (key === BAD_KEYS.poor)
    return fail(403, 'insufficient-permissions', 'Insufficient permissions for the operation.');
  if (key === BAD_KEYS.spent) {
    const said = fail(
      429,
      'rate-limit-exceeded',
      'You have exceeded the rate limit of 60 requests per second',
    );
    return { ...said, headers: { 'retry-after': '17' } };
  }
  if (key !== KEY)
    return fail(401, 'user-or-token-not-found', 'User was not found or authentication token is not valid');
  if (method === 'POST' && headers['content-type'] !== 'application/json')
    return invalid('Content-Type must be application/json');
  const { schedules, webhooks } = besideTasks(site);
  const task = /^GET \/v2\/actor-tasks\/janedoe~(.+)$/.exec(`${method} ${path}`)?.[1];
  if (task !== undefined) {
    const found = site.made.find(({ name }) => name === task);
    return found
      ? { status: 200, body: { data: found } }
      : fail(404, 'record-not-found', 'Actor task was not found');
  }
  const changed = /^PUT \/v2\/schedules\/(.+)$/.exec(`${method} ${path}`)?.[1];
  if (changed !== undefined) {
    const found = schedules.find(({ id }) => id === changed);
    if (!found) return fail(404, 'record-not-found', 'Schedule was not found');
    return { status: 200, body: { data: Object.assign(found, body) } };
  }
  switch (`${method} ${path}`) {
    case 'GET /v2/users/me':
      return { status: 200, body: { data: { ...ACCOUNT, email: 'jane@doe.example', plan: {} } } };
    case 'GET /v2/acts/apify~website-content-crawler':
      return {
        status: 200,
        body: { data: { id: CRAWLER, name: 'website-content-crawler', username: 'apify' } },
      };
    case 'POST /v2/actor-tasks': {
      if (body.actId !== CRAWLER) return invalid('actId is not the id of an Actor');
      if (!/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(String(body.name))) return invalid('name is not usable');
      if (site.made.some(({ name }) => name === body.name))
        return fail(409, 'actor-task-name-not-unique', 'Name is taken');
      const made = { ...body, id: `task${count++}`, userId: ACCOUNT.id };
      site.made.push(made);
      return { status: 201, body: { data: made } };
    }
    case 'GET /v2/schedules': {
      const [limit, offset] = [Number(query.get('limit') ?? 1000), Number(query.get('offset') ?? 0)];
      const items = pageOf(schedules, offset, limit);
      return {
        status: 200,
        body: { data: { total: schedules.length, offset, limit, count: items.length, desc: true, items } },
      };
    }
    case 'POST /v2/schedules': {
      const [action] = body.actions as { type: string; actorTaskId: string }[];
      if (action?.type !== 'RUN_ACTOR_TASK' || !site.made.some(({ id }) => id === action.actorTaskId))
        return invalid('actions');
      if (!/^(?:\S+ ){4}\S+$/.test(String(body.cronExpression))) return invalid('cronExpression');
      if (schedules.some(({ name }) => name === body.name))
        return fail(409, 'schedule-name-not-unique', 'Name is taken');
      const made = { ...body, id: `schedule${schedules.length}` };
      schedules.push(made);
      return { status: 201, body: { data: made } };
    }
    case 'POST /v2/webhooks': {
      const { actorTaskId } = body.condition as { actorTaskId: string };
      if (!site.made.some(({ id }) => id === actorTaskId)) return invalid('condition');
      if (!jsonText(String(body.payloadTemplate).replace(/\{\{\w[\w.]*\}\}/g, '1')))
        return invalid('payloadTemplate');
      const known = webhooks.find(({ idempotencyKey }) => idempotencyKey === body.idempotencyKey);
      const made = known ?? { ...body, id: `webhook${webhooks.length}` };
      if (!known) webhooks.push(made);
      return { status: 201, body: { data: made } };
    }
    default:
      return fail(404, 'page-not-found', 'We have bad news: there is no API endpoint at this URL.');
  }
};

export const startApify = () => startPlatform(answer);
