import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { type Compiled, type Made, markOf, type Platform, type Session, type Task } from '../platform.ts';
import { compileWorkflow, credentialName, KEY_CREDENTIAL, PERSONAL } from './n8n-workflow.ts';
import { firstText, mapTexts, readAnswer, someId } from './read-answer.ts';

const TITLE = 'n8n';
/** Workflows on a page of the list, and pages that are looked at. */
const PAGE = 100;
const PAGES = 50;

const workflow = z.object({
  id: someId,
  name: z.string(),
  active: z.boolean(),
  isArchived: z.boolean().nullish(),
});
const listing = z.object({ data: z.array(workflow), nextCursor: z.string().nullish() });
const credential = z.object({ id: someId });

/**
 * n8n through its public API, as the OpenAPI file in its npm package has it. The team is the id of a project, or
 * `personal`. `webUrl` is where its users see it.
 */
export function n8n(webUrl: string): Platform {
  const made = ({ id, active }: z.output<typeof workflow>): Made => ({
    id,
    url: `${webUrl}/workflow/${encodeURIComponent(id)}`,
    active,
  });

  async function activate(id: string, session: Session): Promise<Made> {
    const answer = await session.post(`/workflows/${encodeURIComponent(id)}/activate`);
    return made(readAnswer(answer, workflow, TITLE));
  }

  return {
    name: 'n8n',
    title: TITLE,
    api: '/api/v1',
    rights: 'an API key of n8n that may list, create and activate workflows',
    authorize: (key) => ({ 'x-n8n-api-key': key }),
    reason: (body) => firstText(body, 'message', 'description'),
    checkTeam(team) {
      if (/^[\w.-]{1,100}$/.test(team)) return;
      throw new AppError(
        'bad_request',
        'autoplatformteamid is not usable: n8n takes the id of a project, or the word personal',
      );
    },
    compile: compileWorkflow,
    async find({ fingerprint, team }, session) {
      const mark = markOf(fingerprint);
      let cursor: string | undefined;
      for (let page = 0; page < PAGES; page++) {
        const answer = await session.get('/workflows', {
          limit: String(PAGE),
          excludePinnedData: 'true',
          ...(team !== PERSONAL && { projectId: team }),
          ...(cursor !== undefined && { cursor }),
        });
        const { data, nextCursor } = readAnswer(answer, listing, TITLE);
        const found = data.find(({ name, isArchived }) => name.endsWith(mark) && isArchived !== true);
        if (found) return made(found);
        if (!nextCursor) return undefined;
        cursor = nextCursor;
      }
      return undefined;
    },
    async create(task: Task, { document, ready }: Compiled, session) {
      let whole = document;
      if (task.plan.send.kind === 'knowledge') {
        const id = await keepKey(task, session);
        whole = mapTexts(document, (text) => (text === KEY_CREDENTIAL ? id : text));
      }
      const created = readAnswer(await session.post('/workflows', whole), workflow, TITLE);
      return ready ? activate(created.id, session) : made(created);
    },
  };
}

/** The key that the workflow writes into the knowledge base with, among n8n's credentials, which it encrypts. */
async function keepKey(task: Task, { team, magpieKey, post }: Session): Promise<string> {
  if (magpieKey === undefined) throw new AppError('bad_request', 'magpiekey is required');
  const answer = await post('/credentials', {
    name: credentialName(task),
    type: 'httpHeaderAuth',
    data: { name: 'Authorization', value: `Bearer ${magpieKey}` },
    ...(team !== PERSONAL && { projectId: team }),
  });
  return readAnswer(answer, credential, TITLE).id;
}
