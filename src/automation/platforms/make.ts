import { z } from 'zod';
import { AppError } from '../../errors.ts';
import {
  type Compiled,
  type JsonObject,
  MAGPIE_KEY,
  type Made,
  markOf,
  type Platform,
  type Session,
  type Task,
} from '../platform.ts';
import { compileScenario, DATA_STORE, storeName } from './make-blueprint.ts';
import { firstText, mapTexts, readAnswer, someId } from './read-answer.ts';

const TITLE = 'Make';
/** Scenarios on a page of the list, and pages that are looked at. */
const PAGE = 100;
const PAGES = 50;

const scenario = z.object({
  id: someId,
  name: z.string().nullish(),
  isActive: z.boolean().nullish(),
});
const one = z.object({ scenario });
const many = z.object({ scenarios: z.array(scenario) });
const numbered = z.object({ id: z.int() });
const stores = z.object({ dataStores: z.array(numbered.extend({ name: z.string() })) });
const structures = z.object({ dataStructures: z.array(numbered.extend({ name: z.string() })) });

/** Make's API v2 (https://developers.make.com/api-documentation); the team is its number. */
export function make(webUrl: string): Platform {
  const made = (team: string, { id, isActive }: z.output<typeof scenario>): Made => ({
    id,
    url: `${webUrl}/${team}/scenarios/${encodeURIComponent(id)}/edit`,
    active: isActive === true,
  });

  return {
    name: 'make',
    title: TITLE,
    api: '/api/v2',
    rights:
      'an API token of Make with scenarios:read, scenarios:write, datastores:read, datastores:write, udts:read and udts:write',
    authorize: (key) => ({ authorization: `Token ${key}` }),
    reason: wordsOf,
    checkTeam(team) {
      if (/^\d{1,15}$/.test(team)) return;
      throw new AppError(
        'bad_request',
        'autoplatformteamid is not usable: Make takes the number of a team, as it stands in its address',
      );
    },
    compile: compileScenario,
    async find({ fingerprint, team }, session) {
      const mark = markOf(fingerprint);
      for (let page = 0; page < PAGES; page++) {
        const answer = await session.get('/scenarios', {
          teamId: team,
          'pg[limit]': String(PAGE),
          'pg[offset]': String(page * PAGE),
        });
        const { scenarios } = readAnswer(answer, many, TITLE);
        const found = scenarios.find(({ name }) => name?.endsWith(mark));
        if (found) return made(team, found);
        if (scenarios.length < PAGE) return undefined;
      }
      return undefined;
    },
    async create(task: Task, { document, ready }: Compiled, session) {
      const { blueprint, scheduling, teamId, dataStore } = document;
      const store = dataStore === undefined ? undefined : await keepStore(task, document, session);
      const text = JSON.stringify(mapTexts(blueprint as JsonObject, (value) => withKey(value, session)));
      const body = {
        teamId: teamId ?? null,
        blueprint: text.replaceAll(JSON.stringify(DATA_STORE), String(store)),
        scheduling: JSON.stringify(scheduling),
      };
      // An app that the organization has not used yet has to be confirmed.
      const created = readAnswer(
        await session.post('/scenarios', body, { confirmed: 'true' }),
        one,
        TITLE,
      ).scenario;
      if (!ready) return made(task.team, created);
      const started = await session.post(`/scenarios/${encodeURIComponent(created.id)}/start`);
      return made(task.team, readAnswer(started, one, TITLE).scenario);
    },
  };
}

/** `{message, detail, suberrors: [{message}]}`, most of which may be missing. */
function wordsOf(body: unknown): string | undefined {
  const { success, data } = z.object({ suberrors: z.array(z.unknown()) }).safeParse(body);
  const below = success ? data.suberrors.slice(0, 5).map((error) => firstText(error, 'message')) : [];
  const words = [firstText(body, 'message', 'detail'), ...below].filter((text) => text !== undefined);
  return words.length === 0 ? undefined : words.join('; ');
}

function withKey(text: string, { magpieKey = '' }: Session): string {
  return text.replaceAll(MAGPIE_KEY, magpieKey);
}

/** The data store of an automation, by its name; made with its structure where a call before did not come to it. */
async function keepStore(task: Task, document: JsonObject, session: Session): Promise<number> {
  const named = storeName(task.fingerprint);
  const query = { teamId: task.team, 'pg[limit]': '1000' };
  const { dataStores } = readAnswer(await session.get('/data-stores', query), stores, TITLE);
  const there = dataStores.find(({ name }) => name === named);
  if (there) return there.id;
  const teamId = Number(task.team);
  const { dataStructures } = readAnswer(await session.get('/data-structures', query), structures, TITLE);
  let structure = dataStructures.find(({ name }) => name === named)?.id;
  if (structure === undefined) {
    const asked = { ...(document.dataStructure as JsonObject), teamId, strict: true };
    const answer = await session.post('/data-structures', asked);
    structure = readAnswer(answer, z.object({ dataStructure: numbered }), TITLE).dataStructure.id;
  }
  const asked = { ...(document.dataStore as JsonObject), teamId, datastructureId: structure };
  return readAnswer(await session.post('/data-stores', asked), z.object({ dataStore: numbered }), TITLE)
    .dataStore.id;
}
