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

/** Make's API v2 as its documentation has it: Authorization of its own, blueprints as text, errors with suberrors. */

export const TEAM = '4321';

const fail = (status: number, message: string, code: string, more: object = {}): Said => ({
  status,
  body: { detail: message, message, code, ...more },
});
const invalid = (message: string) =>
  fail(400, 'Bad Request', 'SC400', {
    suberrors: [{ message: `Validation failed for '${message}'.`, name: 'ValidationError' }],
  });

const stores = new WeakMap<PlatformSite, { structures: object[]; stores: object[] }>();

let count = 0;

const answer: Answer = ({ method, path, query, headers, body }, site) => {
  const key = /^Token (.+)$/.exec(headers.authorization ?? '')?.[1];
  if (key === undefined || key === BAD_KEYS.wrong) return fail(401, 'Access denied.', 'IM401');
  if (key === BAD_KEYS.poor) return fail(403, 'Permission denied', 'SC403');
  if (key === BAD_KEYS.spent) {
    const said = fail(429, 'Requests limit for organization exceeded, please try again later.', 'SC429');
    return { ...said, headers: { 'retry-after': '17' } };
  }
  if (key !== KEY) return fail(401, 'Access denied.', 'IM401');
  const team = query.get('teamId') ?? body.teamId;
  const at = `${method} ${path}`;
  const start = /^POST \/api\/v2\/scenarios\/(\d+)\/start$/.exec(at)?.[1];
  const one = /^(GET|PATCH|DELETE) \/api\/v2\/scenarios\/(\d+)$/.exec(at);
  if (start === undefined && !one && String(team) !== TEAM) return fail(404, 'Not found', 'SC404');
  const kept = stores.get(site) ?? { structures: [], stores: [] };
  stores.set(site, kept);
  const [limit, offset] = [Number(query.get('pg[limit]') ?? 50), Number(query.get('pg[offset]') ?? 0)];
  if (start !== undefined) {
    const scenario = site.made.find(({ id }) => id === Number(start));
    if (!scenario) return fail(404, 'Scenario not found', 'IM005');
    if (scenario.isActive === true) return fail(400, 'The scenario is already active.', 'IM306');
    Object.assign(scenario, { isActive: true });
    return { status: 200, body: { scenario: { id: scenario.id, isActive: true, islinked: true } } };
  }
  if (one) {
    const at = site.made.findIndex(({ id }) => id === Number(one[2]));
    const scenario = site.made[at];
    if (!scenario) return fail(404, 'Scenario not found', 'IM005');
    if (one[1] === 'DELETE') {
      site.made.splice(at, 1);
      return { status: 200, body: { scenario: scenario.id } };
    }
    if (one[1] === 'PATCH') {
      if (typeof body.name !== 'string' || body.name.length > 120) return invalid('name');
      Object.assign(scenario, { name: body.name });
    }
    return { status: 200, body: { scenario } };
  }
  switch (at) {
    case 'DELETE /api/v2/data-stores': {
      if (query.get('confirmed') !== 'true') return fail(403, 'Confirmation is required', 'IM403');
      const ids = body.ids as number[];
      kept.stores = kept.stores.filter((store) => !ids.includes((store as { id: number }).id));
      return { status: 200, body: { dataStores: ids } };
    }
    case 'GET /api/v2/scenarios':
      return {
        status: 200,
        body: {
          scenarios: pageOf(site.made, offset, limit),
          pg: { limit, offset, sortBy: 'id', sortDir: 'asc' },
        },
      };
    case 'POST /api/v2/scenarios': {
      if (typeof body.teamId !== 'number') return invalid('teamId');
      const [blueprint, scheduling] = [jsonText(body.blueprint), jsonText(body.scheduling)];
      if (!blueprint || typeof blueprint.name !== 'string' || !Array.isArray(blueprint.flow))
        return invalid('blueprint');
      if (blueprint.name.length > 120) return invalid('name');
      if (scheduling?.type !== 'indefinitely' || Number(scheduling.interval) < 60)
        return invalid('scheduling');
      if (query.get('confirmed') !== 'true') return fail(403, 'Confirmation is required', 'IM403');
      const used = JSON.stringify(blueprint).match(/"datastore":([^,}]+)/g) ?? [];
      const known = kept.stores.map((store) => `"datastore":${(store as { id: number }).id}`);
      if (used.some((one) => !known.includes(one))) return invalid('datastore');
      const scenario = {
        id: 900 + count++,
        name: blueprint.name,
        teamId: body.teamId,
        isActive: false,
        isinvalid: false,
        scheduling,
        blueprint,
      };
      site.made.push(scenario);
      return { status: 200, body: { scenario } };
    }
    case 'GET /api/v2/data-stores':
      return { status: 200, body: { dataStores: kept.stores, pg: {} } };
    case 'GET /api/v2/data-structures':
      return { status: 200, body: { dataStructures: kept.structures, pg: {} } };
    case 'POST /api/v2/data-structures': {
      if (!Array.isArray(body.spec) || typeof body.name !== 'string') return invalid('spec');
      const dataStructure = {
        id: 70 + kept.structures.length,
        name: body.name,
        teamId: TEAM,
        spec: body.spec,
      };
      kept.structures.push(dataStructure);
      return { status: 200, body: { dataStructure } };
    }
    case 'POST /api/v2/data-stores': {
      if (typeof body.datastructureId !== 'number' || !Number.isInteger(body.maxSizeMB))
        return invalid('maxSizeMB');
      const dataStore = { id: 55 + count++, name: body.name, teamId: TEAM, maxSize: '1048576' };
      kept.stores.push(dataStore);
      return { status: 200, body: { dataStore } };
    }
    default:
      return fail(404, 'Not found', 'SC404');
  }
};

export const startMake = () => startPlatform(answer);

/** Data stores that were made. */
export function storesOf(site: PlatformSite): readonly object[] {
  return stores.get(site)?.stores ?? [];
}
