import { z } from 'zod';
import { defined } from '../../lib/defined.ts';
import { finished, hasMark, isUnfinished, unfinished } from '../plans/marks.ts';
import type { Compiled, Created, Found, JsonObject, Platform, Session, Task } from '../platform.ts';
import { ifPossible } from './if-possible.ts';
import { type KeptKey, keepKey } from './n8n-credential.ts';
import { compileWorkflow, KEY_CREDENTIAL, PERSONAL } from './n8n-workflow.ts';
import { firstText, leftBehind, mapTexts, readAnswer, someId } from './read-answer.ts';

const TITLE = 'n8n';
const PAGE_SIZE = 100;
const MAX_PAGES = 50;

const workflow = z.object({
  id: someId,
  name: z.string(),
  active: z.boolean(),
  isArchived: z.boolean().nullish(),
  createdAt: z.string().nullish(),
});
const listing = z.object({ data: z.array(workflow), nextCursor: z.string().nullish() });
const parts = z.object({
  name: z.string(),
  nodes: z.array(z.json()),
  connections: z.record(z.string(), z.json()),
  settings: z.object({ timezone: z.string().nullish() }).nullish(),
});

/** n8n's public API, by the OpenAPI file in its npm package. The team is a project id or `personal`. */
export function n8n(webUrl: string): Platform {
  const found = ({ id, active, name }: z.output<typeof workflow>): Found => ({
    id,
    url: `${webUrl}/workflow/${encodeURIComponent(id)}`,
    active,
    half: isUnfinished(name),
    name,
  });

  async function listMarked(fingerprint: string, session: Session): Promise<Found[]> {
    const { team } = session;
    const marked: z.output<typeof workflow>[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const answer = await session.get(
        '/workflows',
        defined({
          limit: String(PAGE_SIZE),
          excludePinnedData: 'true',
          projectId: team !== PERSONAL ? team : undefined,
          cursor,
        }),
      );
      const { data, nextCursor } = readAnswer(answer, listing, TITLE);
      marked.push(
        ...data.filter(({ name, isArchived }) => hasMark(name, fingerprint) && isArchived !== true),
      );
      if (!nextCursor) break;
      cursor = nextCursor;
    }
    const age = ({ createdAt, id }: z.output<typeof workflow>) => `${createdAt ?? ''} ${id}`;
    return marked.sort((a, b) => (age(a) < age(b) ? -1 : 1)).map(found);
  }

  async function finishAutomation({ id, url, active, name }: Found, session: Session): Promise<Found> {
    const path = `/workflows/${encodeURIComponent(id)}`;
    if (!active) readAnswer(await session.post(`${path}/activate`), workflow, TITLE);
    // The workflow runs even if renaming fails; the next call renames it.
    await ifPossible(rename(path, session));
    return { id, url, active: true, half: false, name: finished(name) };
  }

  async function forget(key: KeptKey | undefined, session: Session): Promise<void> {
    if (key?.own) await ifPossible(session.remove(`/credentials/${encodeURIComponent(key.id)}`));
  }

  async function postWorkflow(
    asked: JsonObject,
    { fingerprint, key }: { readonly fingerprint: string; readonly key: KeptKey | undefined },
    session: Session,
  ): Promise<Found> {
    try {
      return found(readAnswer(await session.post('/workflows', asked), workflow, TITLE));
    } catch (error) {
      // After a timeout, the workflow may exist and use this key.
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
    reason: (body) => firstText(body, 'message', 'description'),
    team: 'the id of a project of n8n, or the word personal',
    isTeam: (text) => /^[\w.-]{1,100}$/.test(text),
    anyTeam: PERSONAL,
    compile: compileWorkflow,
    findAutomation: async ({ fingerprint }, session) => (await listMarked(fingerprint, session))[0],
    async createAutomation(task: Task, { document, ready }: Compiled, session): Promise<Created> {
      const { fingerprint, plan } = task;
      const key = plan.send.kind === 'knowledge' ? await keepKey(task, session) : undefined;
      const whole = key ? mapTexts(document, (text) => (text === KEY_CREDENTIAL ? key.id : text)) : document;
      const name = String(document.name);
      const asked: JsonObject = { ...whole, name: ready ? unfinished(name) : name };
      const created = await postWorkflow(asked, { fingerprint, key }, session);
      const [oldest = created] = await listMarked(fingerprint, session);
      if (oldest.id === created.id) {
        return {
          made: ready ? await finishAutomation(created, session) : created,
          existing: false,
          notes: [],
        };
      }
      const gone = session.remove(`/workflows/${encodeURIComponent(created.id)}`).then(() => true);
      const removed = await ifPossible(gone);
      if (removed) await forget(key, session);
      return {
        made: oldest.half ? await finishAutomation(oldest, session) : oldest,
        existing: true,
        notes: removed ? [] : [leftBehind(created)],
      };
    },
    finishAutomation,
  };
}

/** n8n only replaces whole workflows, and refuses some of the members that it returned. */
async function rename(path: string, session: Session): Promise<void> {
  const {
    name,
    nodes,
    connections,
    settings: had,
  } = readAnswer(await session.get(path, { excludePinnedData: 'true' }), parts, TITLE);
  const zone = had?.timezone;
  const settings = { executionOrder: 'v1', ...(zone && { timezone: zone }) };
  await session.put(path, { name: finished(name), nodes, connections, settings });
}
