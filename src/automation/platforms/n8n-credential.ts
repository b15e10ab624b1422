import { z } from 'zod';
import { badRequestError } from '../../errors.ts';
import { omitUndefined } from '../../lib/omit-undefined.ts';
import type { JsonRecord, PlatformSession, PlatformTask } from '../platform.ts';
import { ignoreAppError } from './ignore-app-error.ts';
import { credentialName, PERSONAL_TEAM } from './n8n-workflow.ts';
import { idSchema, readAnswer } from './read-answer.ts';

export interface KeyCredential {
  readonly id: string;
  readonly own: boolean;
}

const TITLE = 'n8n';
const TYPE = 'httpHeaderAuth';
const PAGE_SIZE = 250;
const MAX_PAGES = 20;

const credential = z.object({ id: idSchema });
const listing = z.object({
  data: z.array(credential.extend({ name: z.string(), type: z.string() })),
  nextCursor: z.string().nullish(),
});

/** Stores the key in n8n, which encrypts it. Overwrites the credential that an interrupted call left. */
export async function storeKeyCredential(
  task: PlatformTask,
  session: PlatformSession,
): Promise<KeyCredential> {
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
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = omitUndefined({ limit: String(PAGE_SIZE), cursor });
    const { data, nextCursor } = readAnswer(await session.get('/credentials', query), listing, TITLE);
    const found = data.find((one) => one.name === name && one.type === TYPE);
    if (found) return found.id;
    if (!nextCursor) return undefined;
    cursor = nextCursor;
  }
  return undefined;
}
