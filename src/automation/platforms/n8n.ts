import { z } from 'zod';
import { badRequestError } from '../../errors.ts';
import { omitUndefined } from '../../lib/omit-undefined.ts';
import {
  hasTaskFingerprint,
  isUnfinishedAutomation,
  markUnfinished,
  removeUnfinishedMark,
} from '../plans/automation-name.ts';
import type {
  AutomationPlatform,
  ExistingAutomation,
  JsonRecord,
  PlatformSession,
  PlatformTask,
} from '../platform.ts';
import { ignoreAppError, keepOldest } from './keep-oldest.ts';
import {
  compileN8nWorkflow,
  credentialName,
  KEY_CREDENTIAL_PLACEHOLDER,
  PERSONAL_TEAM,
} from './n8n-workflow.ts';
import { idSchema, joinNamedTexts, mapTexts, readAnswer } from './read-answer.ts';

const TITLE = 'n8n';
const MAX_LISTED = 5000;

const workflow = z.object({
  id: idSchema,
  name: z.string(),
  active: z.boolean(),
  isArchived: z.boolean().nullish(),
  createdAt: z.string().nullish(),
});
const credential = z.object({ id: idSchema });
const parts = z.object({
  name: z.string(),
  nodes: z.array(z.json()),
  connections: z.record(z.string(), z.json()),
  settings: z.object({ timezone: z.string().nullish() }).nullish(),
});

/** Uses n8n's public API (see the OpenAPI file in its npm package). A team is a project id or `personal`. */
export function createN8nPlatform(webUrl: string): AutomationPlatform {
  const found = ({ id, active, name }: z.output<typeof workflow>): ExistingAutomation => ({
    id,
    url: `${webUrl}/workflow/${encodeURIComponent(id)}`,
    active,
    half: isUnfinishedAutomation(name),
    name,
  });

  async function listMarked(fingerprint: string, session: PlatformSession): Promise<ExistingAutomation[]> {
    const { team } = session;
    const query = { excludePinnedData: 'true', projectId: team !== PERSONAL_TEAM ? team : undefined };
    const marked: z.output<typeof workflow>[] = [];
    for await (const one of listAll(workflow, '/workflows', 100, session, query)) {
      if (hasTaskFingerprint(one.name, fingerprint) && one.isArchived !== true) marked.push(one);
    }
    const age = ({ createdAt, id }: z.output<typeof workflow>) => `${createdAt ?? ''} ${id}`;
    return marked.sort((a, b) => (age(a) < age(b) ? -1 : 1)).map(found);
  }

  async function finishAutomation({ id, url, active, name }: ExistingAutomation, session: PlatformSession) {
    const path = `/workflows/${encodeURIComponent(id)}`;
    if (!active) readAnswer(await session.post(`${path}/activate`), workflow, TITLE);
    await ignoreAppError(rename(path, session));
    return { id, url, active: true, half: false, name: removeUnfinishedMark(name) };
  }

  async function forget(key: KeyCredential | undefined, session: PlatformSession): Promise<void> {
    if (key?.own) await ignoreAppError(session.remove(`/credentials/${encodeURIComponent(key.id)}`));
  }

  async function postWorkflow(
    asked: JsonRecord,
    { fingerprint, key }: { readonly fingerprint: string; readonly key: KeyCredential | undefined },
    session: PlatformSession,
  ): Promise<ExistingAutomation> {
    try {
      return found(readAnswer(await session.post('/workflows', asked), workflow, TITLE));
    } catch (error) {
      // The workflow may exist despite the error. The stored Magpie key is deleted only if no workflow exists.
      const existing = await listMarked(fingerprint, session).catch(() => undefined);
      if (existing?.length === 0) await forget(key, session);
      throw error;
    }
  }

  return {
    name: 'n8n',
    title: TITLE,
    api: '/api/v1',
    rights: 'an API key of n8n that may list, read, create, update, activate and delete workflows',
    authorize: (key) => ({ 'x-n8n-api-key': key }),
    reason: (body) => joinNamedTexts(body, 'message', 'description'),
    team: 'the id of a project of n8n, or the word personal',
    isTeam: (text) => /^[\w.-]{1,100}$/.test(text),
    placeholderTeam: PERSONAL_TEAM,
    compile: compileN8nWorkflow,
    findAutomation: async ({ fingerprint }, session) => (await listMarked(fingerprint, session))[0],
    async createAutomation(task, { document, ready }, session) {
      const { fingerprint, plan } = task;
      const key = plan.send.kind === 'knowledge' ? await storeKeyCredential(task, session) : undefined;
      const whole = key
        ? mapTexts(document, (text) => (text === KEY_CREDENTIAL_PLACEHOLDER ? key.id : text))
        : document;
      const name = String(document.name);
      const asked: JsonRecord = { ...whole, name: ready ? markUnfinished(name) : name };
      const created = { ...(await postWorkflow(asked, { fingerprint, key }, session)), half: ready };
      const [oldest = created] = await listMarked(fingerprint, session);
      const finish = (kept: ExistingAutomation) => finishAutomation(kept, session);
      return keepOldest(created, oldest, finish, async () => {
        await session.remove(`/workflows/${encodeURIComponent(created.id)}`);
        await forget(key, session);
      });
    },
    finishAutomation,
  };
}

/** Renames a workflow. n8n replaces a workflow as a whole, so the request repeats the other members. */
async function rename(path: string, session: PlatformSession): Promise<void> {
  const {
    name,
    nodes,
    connections,
    settings: had,
  } = readAnswer(await session.get(path, { excludePinnedData: 'true' }), parts, TITLE);
  const zone = had?.timezone;
  const settings = { executionOrder: 'v1', ...(zone && { timezone: zone }) };
  await session.put(path, { name: removeUnfinishedMark(name), nodes, connections, settings });
}

type KeyCredential = Awaited<ReturnType<typeof storeKeyCredential>>;

const TYPE = 'httpHeaderAuth';

/** Stores the key in n8n, which encrypts it. Overwrites the credential that an interrupted call left. */
async function storeKeyCredential(task: PlatformTask, session: PlatformSession) {
  const { team, magpieKey } = session;
  if (magpieKey === undefined) throw badRequestError('magpiekey is required');
  const data: JsonRecord = { name: 'Authorization', value: `Bearer ${magpieKey}` };
  const known = await ignoreAppError(idOf(credentialName(task), session));
  if (known !== undefined) {
    const path = `/credentials/${encodeURIComponent(known)}`;
    const changed = await ignoreAppError(session.patch(path, { type: TYPE, data }));
    if (changed !== undefined) return { id: known, own: false };
  }
  const answer = await session.post(
    '/credentials',
    omitUndefined({
      name: credentialName(task),
      type: TYPE,
      data,
      projectId: team !== PERSONAL_TEAM ? team : undefined,
    }),
  );
  return { id: readAnswer(answer, credential, TITLE).id, own: true };
}

/** Finds a credential's id. Throws AppError if this n8n or this user cannot list credentials. */
async function idOf(name: string, session: PlatformSession): Promise<string | undefined> {
  const named = credential.extend({ name: z.string(), type: z.string() });
  for await (const one of listAll(named, '/credentials', 250, session)) {
    if (one.name === name && one.type === TYPE) return one.id;
  }
  return undefined;
}

async function* listAll<T>(
  schema: z.ZodType<T>,
  path: string,
  pageSize: number,
  session: PlatformSession,
  wanted: Readonly<Record<string, string | undefined>> = {},
) {
  const listing = z.object({ data: z.array(schema), nextCursor: z.string().nullish() });
  let cursor: string | undefined;
  for (let page = 0; page < MAX_LISTED / pageSize; page++) {
    const query = omitUndefined({ limit: String(pageSize), ...wanted, cursor });
    const { data, nextCursor } = readAnswer(await session.get(path, query), listing, TITLE);
    yield* data;
    if (!nextCursor) return;
    cursor = nextCursor;
  }
}
