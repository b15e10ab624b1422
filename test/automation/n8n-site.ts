import {
  type Answer,
  BAD_KEYS,
  KEY,
  type PlatformSite,
  pageOf,
  type Said,
  startPlatform,
} from './platform-sites.ts';

/** n8n's public API as the OpenAPI file in its npm package has it (1.1.1, n8n 2.41). */

export const PROJECT = 'VmwOO9HeTEj20kxM';

const fail = (status: number, message: string): Said => ({ status, body: { message } });

/** Members of a workflow and of a node that the OpenAPI file has; all others are refused (`additionalProperties: false`). */
const WORKFLOW = [
  'name',
  'description',
  'nodes',
  'connections',
  'settings',
  'nodeGroups',
  'staticData',
  'pinData',
  'projectId',
  'parentFolderId',
  'shared',
];
const NODE = [
  ...['id', 'name', 'webhookId', 'disabled', 'notesInFlow', 'notes', 'type', 'typeVersion', 'executeOnce'],
  ...[
    'alwaysOutputData',
    'retryOnFail',
    'maxTries',
    'waitBetweenTries',
    'continueOnFail',
    'onError',
    'position',
    'parameters',
    'credentials',
  ],
];
const SETTINGS = ['executionOrder', 'timezone', 'executionTimeout', 'saveManualExecutions', 'callerPolicy'];
const strangers = (value: object, known: readonly string[]) =>
  Object.keys(value).filter((name) => !known.includes(name));

type Node = { name: string; type: string; parameters: object };

function faultIn(body: Record<string, unknown>): string | undefined {
  const more = 'must NOT have additional properties';
  for (const name of ['name', 'nodes', 'connections', 'settings']) {
    if (!(name in body)) return `request/body must have required property '${name}'`;
  }
  if (strangers(body, WORKFLOW).length > 0) return `request/body ${more}`;
  if (strangers(body.settings as object, SETTINGS).length > 0) return `request/body/settings ${more}`;
  const nodes = body.nodes as Node[];
  const at = nodes.findIndex((node) => strangers(node, NODE).length > 0);
  if (at >= 0) return `request/body/nodes/${at} ${more}`;
  const names = nodes.map(({ name }) => name);
  const ends = Object.entries(body.connections as Record<string, { main: { node: string }[][] }>).flatMap(
    ([from, { main }]) => [from, ...main.flat().map(({ node }) => node)],
  );
  return ends.every((name) => names.includes(name)) ? undefined : 'a connection leads to no node';
}

interface Credential {
  readonly id: string;
  readonly name: unknown;
  readonly type: unknown;
  data: unknown;
}
const credentials = new WeakMap<PlatformSite, Credential[]>();

/** Credentials that are there. */
export function credentialsOf(site: PlatformSite): Credential[] {
  const kept = credentials.get(site) ?? [];
  credentials.set(site, kept);
  return kept;
}

let clock = 0;
/** The key of a user who is not an owner and may not list credentials. */
export const MEMBER_KEY = 'key-of-a-member';

const answer: Answer = ({ method, path, query, headers, body }, site) => {
  const key = headers['x-n8n-api-key'];
  if (key === undefined) return fail(401, "'X-N8N-API-KEY' header required");
  if (key === BAD_KEYS.poor) return fail(403, 'Forbidden');
  if (key === BAD_KEYS.spent) return { ...fail(429, 'Too many requests'), headers: { 'retry-after': '17' } };
  if (key !== KEY && key !== MEMBER_KEY) return fail(401, 'unauthorized');
  const project = query.get('projectId') ?? body.projectId;
  if (project !== null && project !== undefined && project !== PROJECT)
    return fail(404, 'Could not find project with that id');
  const at = `${method} ${path}`;
  const active = /^POST \/api\/v1\/workflows\/(\w+)\/activate$/.exec(at)?.[1];
  if (active !== undefined) {
    const workflow = site.made.find(({ id }) => id === active);
    if (!workflow) return fail(404, 'Not Found');
    const triggers = (workflow.nodes as Node[]).filter(({ type }) => /trigger/i.test(type));
    if (triggers.length === 0)
      return fail(400, 'Workflow cannot be activated because it has no trigger node.');
    Object.assign(workflow, { active: true });
    return { status: 200, body: workflow };
  }
  const one = /^(GET|PUT|DELETE) \/api\/v1\/workflows\/(\w+)$/.exec(at);
  if (one) {
    const index = site.made.findIndex(({ id }) => id === one[2]);
    const workflow = site.made[index];
    if (!workflow) return fail(404, 'Not Found');
    if (one[1] === 'DELETE') site.made.splice(index, 1);
    if (one[1] === 'PUT') {
      const fault = faultIn(body);
      if (fault !== undefined) return fail(400, fault);
      Object.assign(workflow, body);
    }
    return { status: 200, body: workflow };
  }
  const kept = credentialsOf(site);
  const credential = /^(PATCH|DELETE) \/api\/v1\/credentials\/(\w+)$/.exec(at);
  if (credential) {
    const index = kept.findIndex(({ id }) => id === credential[2]);
    const found = kept[index];
    if (!found) return fail(404, 'Credential not found');
    if (credential[1] === 'DELETE') kept.splice(index, 1);
    else found.data = body.data;
    return { status: 200, body: { id: found.id, name: found.name, type: found.type } };
  }
  switch (at) {
    case 'GET /api/v1/credentials': {
      if (key === MEMBER_KEY) return fail(403, 'Forbidden');
      const data = kept.map(({ id, name, type }) => ({ id, name, type, shared: [] }));
      return { status: 200, body: { data, nextCursor: null } };
    }
    case 'GET /api/v1/workflows': {
      const [limit, from] = [Number(query.get('limit') ?? 100), Number(query.get('cursor') ?? 0)];
      if (limit > 250) return fail(400, 'request/query/limit must be <= 250');
      const next = from + limit < site.made.length ? String(from + limit) : null;
      return { status: 200, body: { data: pageOf(site.made, from, limit), nextCursor: next } };
    }
    case 'POST /api/v1/workflows': {
      const fault = faultIn(body);
      if (fault !== undefined) return fail(400, fault);
      const workflow = {
        ...body,
        // Ids of n8n do not show the age.
        id: `wf${'zyxwvutsrq'[site.made.length] ?? 'a'}${clock}`,
        createdAt: new Date(1_700_000_000_000 + clock++ * 1000).toISOString(),
        active: false,
        isArchived: false,
        triggerCount: 0,
      };
      site.made.push(workflow);
      return { status: 200, body: workflow };
    }
    case 'POST /api/v1/credentials': {
      if (body.type !== 'httpHeaderAuth' || typeof body.data !== 'object')
        return fail(400, 'request/body/type is not known');
      const made = { id: `cred${35 + clock++}`, name: body.name, type: body.type };
      kept.push({ ...made, data: body.data });
      return { status: 200, body: made };
    }
    default:
      return fail(404, 'not found');
  }
};

export const startN8n = () => startPlatform(answer);
