import { nameOf } from '../marks.ts';
import { INTERVAL_MINUTES, type Plan } from '../plan.ts';
import { type Compiled, type Json, type JsonObject, MAGPIE_KEY, type Task } from '../platform.ts';
import { extraction } from './make-extract.ts';
import { plainAddress, withoutBraces } from './read-answer.ts';

/** Stands for the data store, whose number is known once it is made. */
export const DATA_STORE = '<datastore>';

/** Seconds for one page: the most that Make's HTTP module takes. */
const PAGE_TIMEOUT_S = 300;
/** Characters of a page that are sent. */
const MAX_SENT_CHARACTERS = 100_000;

/**
 * A task as a scenario of Make: pages, fetch, extraction, the state of the last run out of a data store, and where
 * it is sent. Formulas are in double braces; no text of the task may become one.
 */
export function compileScenario(task: Task): Compiled {
  const { plan, team, fingerprint } = task;
  const { modules, notes, ready } = flow(task);
  const named = storeName(fingerprint);
  return {
    document: {
      teamId: Number(team),
      blueprint: {
        name: withoutBraces(nameOf(task)),
        flow: modules.map((module, index) => ({
          ...module,
          metadata: { designer: { x: index * 300, y: 0 } },
        })),
        metadata: { instant: false, version: 1, scenario: SCENARIO, designer: { orphans: [] } },
      },
      scheduling: { type: 'indefinitely', interval: INTERVAL_MINUTES * 60 },
      ...(remembers(plan) && {
        dataStore: { name: named, maxSizeMB: 1 },
        dataStructure: { name: named, spec: SPEC },
      }),
    },
    notes,
    ready,
  };
}

export function storeName(fingerprint: string): string {
  return `magpie-${fingerprint}`;
}

/** Make switches a scenario off after some failed runs: a page that is down for an hour must not do that. */
const passesBy: JsonObject = {
  id: 99,
  module: 'builtin:Ignore',
  version: 1,
  parameters: {},
  mapper: {},
  metadata: { designer: { x: 300, y: 300 } },
};
const SPEC = [{ name: 'text', type: 'text', label: 'What was there last' }];
const SCENARIO = {
  roundtrips: 1,
  maxErrors: 3,
  // The last state is stored when the whole run is done: if a notification fails, the next run finds the change again.
  autoCommit: false,
  autoCommitTriggerLast: true,
  sequential: true,
  confidential: false,
  dataloss: false,
  dlq: false,
  freshVariables: false,
};

/** Whether a run has to know what the one before it found. */
function remembers({ when }: Plan): boolean {
  return when.kind !== 'always';
}

function flow(task: Task): { modules: JsonObject[]; notes: string[]; ready: boolean } {
  const { plan } = task;
  const several = plan.pages.length > 1;
  const page = several ? '{{1.value}}' : plainAddress(plan.pages[0] ?? '');
  const taken = extraction(plan, 2, 3);
  const state = 3 + taken.modules.length;
  const modules: JsonObject[] = [
    ...(several ? [feeder(plan.pages)] : []),
    {
      id: 2,
      ...request('get', page, []),
      parameters: { handleErrors: true, useNewZLibDeCompress: true },
      onerror: [passesBy],
    },
    ...taken.modules,
    {
      id: state,
      module: 'util:SetVariables',
      version: 1,
      parameters: {},
      mapper: {
        scope: 'roundtrip',
        variables: [
          { name: 'found', value: `{{substring(${taken.found}; 0; ${MAX_SENT_CHARACTERS})}}` },
          { name: 'state', value: stateOf(plan, taken.found, taken.number) },
        ],
      },
    },
  ];
  // Make limits the length of a record's key, and an address may be longer.
  const key = several ? '{{md5(1.value)}}' : `{{md5("${page}")}}`;
  if (remembers(plan)) {
    modules.push(
      { id: state + 1, module: 'datastore:GetRecord', version: 1, ...inStore({ key, returnWrapped: false }) },
      {
        id: state + 2,
        module: 'datastore:AddRecord',
        version: 1,
        ...inStore({ key, overwrite: true, data: { text: `{{${state}.state}}` } }),
      },
    );
  }
  const { module, notes, ready } = sender(task, state, page);
  if (module) modules.push({ id: state + 3, ...module, ...filter(plan, state) });
  return { modules, notes: [...notes, ...firstPriceOnly(plan)], ready };
}

function firstPriceOnly({ extract, when }: Plan): string[] {
  const counts = extract.kind === 'prices' || when.kind === 'below' || when.kind === 'above';
  return counts ? ['Make reads the first number of that kind on a page; a selector narrows it'] : [];
}

function feeder(pages: readonly string[]): JsonObject {
  const all = pages.map((url) => `"${plainAddress(url)}"`).join('; ');
  return {
    id: 1,
    module: 'builtin:BasicFeeder',
    version: 1,
    parameters: {},
    mapper: { array: `{{add(emptyarray; ${all})}}` },
  };
}

function request(method: 'get' | 'post', url: string, headers: readonly JsonObject[]): JsonObject {
  return {
    module: 'http:ActionSendData',
    version: 3,
    mapper: {
      url,
      method,
      headers,
      qs: [],
      bodyType: '',
      parseResponse: false,
      timeout: String(PAGE_TIMEOUT_S),
      serializeUrl: false,
      shareCookies: false,
      ca: '',
      rejectUnauthorized: true,
      followRedirect: true,
      followAllRedirects: false,
      useQuerystring: false,
      gzip: true,
      useMtls: false,
      authUser: '',
      authPass: '',
    },
  };
}

/** The state that a run stores: a hash of the text that was found, the number, or whether the word was there. */
function stateOf({ when }: Plan, found: string, number: string): string {
  switch (when.kind) {
    case 'word':
    case 'gone': {
      const [there, not] = when.kind === 'word' ? ['yes', 'no'] : ['no', 'yes'];
      const word = inFormula(when.word.toLowerCase());
      return `{{if(contains(lower(${found}); "${word}"); "${there}"; "${not}")}}`;
    }
    case 'below':
    case 'above':
      return number;
    default:
      // A hash: a data store has one megabyte.
      return `{{md5(${found})}}`;
  }
}

/** A text between the quotation marks of a formula. */
function inFormula(text: string): string {
  return text.replace(/["\\{}]/g, ' ');
}

function inStore(mapper: JsonObject): JsonObject {
  return { parameters: { datastore: DATA_STORE }, mapper };
}

/** Lets a run send when its condition becomes true. */
function filter({ when }: Plan, state: number): JsonObject {
  const [now, before] = [`{{${state}.state}}`, `{{${state + 1}.text}}`];
  const conditions = (): Json => {
    switch (when.kind) {
      case 'change':
        return [
          [
            { a: before, o: 'exist' },
            { a: before, b: now, o: 'text:notequal' },
          ],
        ];
      case 'word':
      case 'gone':
        return [
          [
            { a: now, b: 'yes', o: 'text:equal' },
            { a: before, b: 'yes', o: 'text:notequal' },
          ],
        ];
      default: {
        const value = String('value' in when ? when.value : '');
        const [so, not] =
          when.kind === 'below'
            ? ['number:less', 'number:greaterorequal']
            : ['number:greater', 'number:lessorequal'];
        const is = { a: now, b: value, o: so };
        const known = { a: now, b: '', o: 'text:notequal' };
        // The first number that is found is sent too.
        return [
          [known, is, { a: before, o: 'notexist' }],
          [known, is, { a: before, b: '', o: 'text:equal' }],
          [known, is, { a: before, b: value, o: not }],
        ];
      }
    }
  };
  return when.kind === 'always' ? {} : { filter: { name: 'something to send', conditions: conditions() } };
}

/** Stands where the formula of what was found goes. */
const FOUND = '<found>';

/** What was found without what would end a text of JSON: Make has no function that escapes it. */
function plainFound(state: number): string {
  return `{{replace(${state}.found; "/[\\x22\\x5c\\x00-\\x1f]+/g"; " ")}}`;
}

function sender(
  { plan, knowledgeUrl = '' }: Task,
  state: number,
  page: string,
): { module?: JsonObject; notes: string[]; ready: boolean } {
  const { send } = plan;
  const task = withoutBraces(plan.task);
  const post = (url: string, headers: readonly JsonObject[], body: JsonObject): JsonObject => {
    const { mapper, ...rest } = request('post', url, headers);
    // A formula is separate from the JSON around it: its quotation marks stay as they are.
    const data = JSON.stringify(body).replaceAll(FOUND, plainFound(state));
    const json = { bodyType: 'raw', contentType: 'application/json', data };
    return {
      ...rest,
      parameters: { handleErrors: true, useNewZLibDeCompress: true },
      mapper: { ...(mapper as JsonObject), ...json },
    };
  };
  switch (send.kind) {
    case 'webhook':
      return {
        module: post(plainAddress(send.url), [], { task, page, at: '{{now}}', found: FOUND }),
        notes: [],
        ready: true,
      };
    case 'knowledge':
      return {
        module: post(plainAddress(knowledgeUrl), [{ name: 'Authorization', value: `Bearer ${MAGPIE_KEY}` }], {
          q: `${task} ${page} ${FOUND}`,
          source: page,
        }),
        notes: ['your Magpie key is in the scenario, where members of the team can read it'],
        ready: true,
      };
    case 'email':
      return {
        module: {
          module: 'email:ActionSendEmail',
          version: 7,
          parameters: {},
          mapper: { to: [send.to], subject: task, contentType: 'text', text: `${page}\n{{${state}.found}}` },
        },
        notes: [
          'choose an e-mail connection in its last module, then switch it on: Make sends no mail without one',
        ],
        ready: false,
      };
    default:
      return { notes: ['what it finds is in the history of the scenario'], ready: true };
  }
}
