import { z } from 'zod';
import { AppError } from '../../errors.ts';
import {
  hasTaskFingerprint,
  isUnfinishedAutomation,
  markUnfinished,
  removeUnfinishedMark,
} from '../plans/automation-name.ts';
import {
  type AutomationPlatform,
  type CompiledTask,
  type ExistingAutomation,
  type JsonRecord,
  MAGPIE_KEY_PLACEHOLDER,
  type PlatformSession,
  type PlatformTask,
} from '../platform.ts';
import { ignoreAppError, keepOldest } from './keep-oldest.ts';
import { compileMakeScenario, DATA_STORE_PLACEHOLDER, getDataStoreName } from './make-blueprint.ts';
import { idSchema, joinNamedTexts, mapTexts, readAnswer } from './read-answer.ts';

const TITLE = 'Make';
const PAGE_SIZE = 100;
const MAX_PAGES = 50;

const scenario = z.object({ id: idSchema, name: z.string().nullish(), isActive: z.boolean().nullish() });
const one = z.object({ scenario });
const many = z.object({ scenarios: z.array(scenario) });

/** Uses Make's API v2 (https://developers.make.com/api-documentation). The team is a number. */
export function createMakePlatform(webUrl: string): AutomationPlatform {
  const addressOf = (team: string, id: string) =>
    `${webUrl}/${team}/scenarios/${encodeURIComponent(id)}/edit`;

  async function listMarked(fingerprint: string, session: PlatformSession): Promise<ExistingAutomation[]> {
    const { team } = session;
    const marked: z.output<typeof scenario>[] = [];
    for (let page = 0; page < MAX_PAGES; page++) {
      const answer = await session.get('/scenarios', {
        teamId: team,
        'pg[limit]': String(PAGE_SIZE),
        'pg[offset]': String(page * PAGE_SIZE),
      });
      const { scenarios } = readAnswer(answer, many, TITLE);
      marked.push(...scenarios.filter(({ name }) => hasTaskFingerprint(name ?? '', fingerprint)));
      if (scenarios.length < PAGE_SIZE) break;
    }
    return marked
      .sort((a, b) => Number(a.id) - Number(b.id))
      .map(({ id, name, isActive }) => ({
        id,
        url: addressOf(team, id),
        active: isActive === true,
        half: isUnfinishedAutomation(name ?? ''),
        name: name ?? '',
      }));
  }

  async function finishAutomation({ id, url, active, name }: ExistingAutomation, session: PlatformSession) {
    const path = `/scenarios/${encodeURIComponent(id)}`;
    if (!active) await start(path, session);
    await ignoreAppError(session.patch(path, { name: removeUnfinishedMark(name) }));
    return { id, url, active: true, half: false, name: removeUnfinishedMark(name) };
  }

  return {
    name: 'make',
    title: TITLE,
    api: '/api/v2',
    rights:
      'an API token of Make with scenarios:read, scenarios:write, datastores:read, datastores:write, udts:read and udts:write',
    authorize: (key) => ({ authorization: `Token ${key}` }),
    reason: wordsOf,
    team: 'the number of a team of Make, as in its address',
    isTeam: (text) => /^\d{1,15}$/.test(text),
    placeholderTeam: '0',
    compile: compileMakeScenario,
    findAutomation: async ({ fingerprint }, session) => (await listMarked(fingerprint, session))[0],
    async createAutomation(task: PlatformTask, { document, ready }: CompiledTask, session) {
      const { blueprint, scheduling, teamId, dataStore } = document;
      const store = dataStore === undefined ? undefined : await ensureDataStore(task, document, session);
      const flow = mapTexts(blueprint as JsonRecord, (value) =>
        value.replaceAll(MAGPIE_KEY_PLACEHOLDER, session.magpieKey ?? ''),
      );
      const name = ready ? markUnfinished(String(flow.name)) : String(flow.name);
      const text = JSON.stringify({ ...flow, name });
      const body = {
        teamId: teamId ?? null,
        blueprint: text.replaceAll(JSON.stringify(DATA_STORE_PLACEHOLDER), String(store?.id)),
        scheduling: JSON.stringify(scheduling),
      };
      // `confirmed` permits apps that the organization has not used before.
      const answer = await session.post('/scenarios', body, { confirmed: 'true' });
      const { id } = readAnswer(answer, one, TITLE).scenario;
      const created: ExistingAutomation = {
        id,
        url: addressOf(task.team, id),
        active: false,
        half: ready,
        name,
      };
      const [oldest = created] = await listMarked(task.fingerprint, session);
      const finish = (kept: ExistingAutomation) => finishAutomation(kept, session);
      return keepOldest(created, oldest, finish, async () => {
        await session.remove(`/scenarios/${encodeURIComponent(id)}`);
        const query = { teamId: session.team, confirmed: 'true' };
        if (store?.own) await ignoreAppError(session.remove('/data-stores', { ids: [store.id] }, query));
      });
    },
    finishAutomation,
  };
}

async function start(path: string, session: PlatformSession): Promise<void> {
  try {
    readAnswer(await session.post(`${path}/start`), one, TITLE);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'bad_request') throw error;
    if (readAnswer(await session.get(path), one, TITLE).scenario.isActive !== true) throw error;
  }
}

/** Reads `{message, detail, suberrors: [{message}]}`. All members may be missing. */
function wordsOf(body: unknown): string | undefined {
  const { success, data } = z.object({ suberrors: z.array(z.unknown()) }).safeParse(body);
  const below = success ? data.suberrors.slice(0, 5).map((error) => joinNamedTexts(error, 'message')) : [];
  const words = [joinNamedTexts(body, 'message', 'detail'), ...below].filter((text) => text !== undefined);
  return words.length === 0 ? undefined : words.join('; ');
}

const numbered = z.object({ id: z.int() });
const stores = z.object({ dataStores: z.array(numbered.extend({ name: z.string() })) });
const structures = z.object({ dataStructures: z.array(numbered.extend({ name: z.string() })) });
const madeStore = z.object({ dataStore: numbered });
const madeStructure = z.object({ dataStructure: numbered });

async function ensureDataStore(task: PlatformTask, document: JsonRecord, session: PlatformSession) {
  const named = getDataStoreName(task.fingerprint);
  const query = { teamId: task.team, 'pg[limit]': '1000' };
  const { dataStores } = readAnswer(await session.get('/data-stores', query), stores, TITLE);
  const there = dataStores.find(({ name }) => name === named);
  if (there) return { id: there.id, own: false };
  const teamId = Number(task.team);
  const { dataStructures } = readAnswer(await session.get('/data-structures', query), structures, TITLE);
  let structure = dataStructures.find(({ name }) => name === named)?.id;
  if (structure === undefined) {
    const asked = { ...(document.dataStructure as JsonRecord), teamId, strict: true };
    structure = readAnswer(await session.post('/data-structures', asked), madeStructure, TITLE).dataStructure
      .id;
  }
  const asked = { ...(document.dataStore as JsonRecord), teamId, datastructureId: structure };
  const { dataStore } = readAnswer(await session.post('/data-stores', asked), madeStore, TITLE);
  return { id: dataStore.id, own: true };
}
