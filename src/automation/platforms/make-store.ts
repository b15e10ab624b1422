import { z } from 'zod';
import type { JsonObject, PlatformSession, Task } from '../platform.ts';
import { storeName } from './make-blueprint.ts';
import { readAnswer } from './read-answer.ts';

const TITLE = 'Make';
const numbered = z.object({ id: z.int() });
const stores = z.object({ dataStores: z.array(numbered.extend({ name: z.string() })) });
const structures = z.object({ dataStructures: z.array(numbered.extend({ name: z.string() })) });
const madeStore = z.object({ dataStore: numbered });
const madeStructure = z.object({ dataStructure: numbered });

export async function ensureDataStore(task: Task, document: JsonObject, session: PlatformSession) {
  const named = storeName(task.fingerprint);
  const query = { teamId: task.team, 'pg[limit]': '1000' };
  const { dataStores } = readAnswer(await session.get('/data-stores', query), stores, TITLE);
  const there = dataStores.find(({ name }) => name === named);
  if (there) return { id: there.id, own: false };
  const teamId = Number(task.team);
  const { dataStructures } = readAnswer(await session.get('/data-structures', query), structures, TITLE);
  let structure = dataStructures.find(({ name }) => name === named)?.id;
  if (structure === undefined) {
    const asked = { ...(document.dataStructure as JsonObject), teamId, strict: true };
    structure = readAnswer(await session.post('/data-structures', asked), madeStructure, TITLE).dataStructure
      .id;
  }
  const asked = { ...(document.dataStore as JsonObject), teamId, datastructureId: structure };
  const { dataStore } = readAnswer(await session.post('/data-stores', asked), madeStore, TITLE);
  return { id: dataStore.id, own: true };
}

export async function removeStore(id: number, session: PlatformSession): Promise<void> {
  await session.remove('/data-stores', { ids: [id] }, { teamId: session.team, confirmed: 'true' });
}
