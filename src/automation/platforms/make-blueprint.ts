import { badRequestError } from '../../errors.ts';
import { takeCharacters } from '../../lib/text/text.ts';
import { formatAutomationName } from '../plans/automation-name.ts';
import type { AutomationPlan } from '../plans/plan.ts';
import { formatClockTime, RUN_INTERVAL_MINUTES, USUAL_RUNS } from '../plans/schedule.ts';
import {
  type CompiledTask,
  type JsonRecord,
  type JsonValue,
  MAGPIE_KEY_PLACEHOLDER,
  type PlatformTask,
} from '../platform.ts';
import { listSimpleConditions, type SimpleCondition } from '../reading/condition.ts';
import { getWebhookShape, MAX_MESSAGE_CHARACTERS, messageAround } from '../webhook-shape.ts';
import ignoreError from './make-ignore.json' with { type: 'json' };
import { escapeAddressBraces, escapeTemplateBraces } from './read-answer.ts';

export const DATA_STORE_PLACEHOLDER = '<datastore>';

const PAGE_TIMEOUT_S = 300;
const MAX_TASK_CHARACTERS = 300;
const MAX_SENT_CHARACTERS = 100_000;

export function compileMakeScenario(task: PlatformTask): CompiledTask {
  const { plan, team, fingerprint } = task;
  checkConditions(plan);
  const { modules, notes, ready } = flow(task);
  const named = getDataStoreName(fingerprint);
  return {
    document: {
      teamId: Number(team),
      blueprint: {
        name: escapeTemplateBraces(formatAutomationName(task)),
        flow: modules.map((module, index) => ({
          ...module,
          metadata: { designer: { x: index * 300, y: 0 } },
        })),
        metadata: { instant: false, version: 1, scenario: SCENARIO, designer: { orphans: [] } },
      },
      scheduling: compileMakeSchedule(plan),
      ...(remembers(plan) && {
        dataStore: { name: named, maxSizeMB: 1 },
        dataStructure: { name: named, spec: SPEC },
      }),
    },
    notes,
    ready,
  };
}

const JUDGED = ['always', 'change', 'new', 'word', 'gone', 'below', 'above', 'stock', 'nostock'];

function checkConditions({ when, extract }: AutomationPlan): void {
  const singles = listSimpleConditions(when);
  const worded = singles.every(({ kind }) => kind === 'word' || kind === 'gone');
  const isOther = (one: SimpleCondition) =>
    !JUDGED.includes(one.kind) ||
    ('of' in one && one.of !== undefined) ||
    (one.kind === 'new' && (one.about || one.without));
  if (
    !singles.some(isOther) &&
    (singles.length === 1 || worded) &&
    !(extract.kind === 'prices' && (extract.of || extract.all))
  )
    return;
  throw badRequestError(
    'Make compares one word, number or state of a page, or several words: by how much something changes, two pages, a product or number among several, and other combinations need platform n8n',
  );
}

export const getDataStoreName = (fingerprint: string): string => `magpie-${fingerprint}`;

const SPEC = [{ name: 'text', type: 'text', label: 'What was there last' }];
const SCENARIO = {
  roundtrips: 1,
  maxErrors: 3,
  // Stores the page's state last. After a failed notification, the next run then finds the change again.
  autoCommit: false,
  autoCommitTriggerLast: true,
  sequential: true,
  confidential: false,
  dataloss: false,
  dlq: false,
  freshVariables: false,
};

const remembers = ({ when }: AutomationPlan): boolean => when.kind !== 'always';

function flow(task: PlatformTask): { modules: JsonRecord[]; notes: string[]; ready: boolean } {
  const { plan } = task;
  const several = plan.pages.length > 1;
  const page = several ? '{{1.value}}' : escapeAddressBraces(plan.pages[0] ?? '');
  const taken = buildMakeModules(plan, 2, 3);
  const state = 3 + taken.modules.length;
  const modules: JsonRecord[] = [
    ...(several ? [feeder(plan.pages)] : []),
    {
      id: 2,
      ...request('get', page, []),
      parameters: { handleErrors: true, useNewZLibDeCompress: true },
      // Skips a page that fails, because Make switches off a scenario after some failed runs.
      onerror: [ignoreError],
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
  // The key is a hash of the page's address, because Make limits the length of keys.
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
  return { modules, notes: [...notes, ...limitsOfMake(plan)], ready };
}

function limitsOfMake({ extract, when, runs }: AutomationPlan): string[] {
  const counts = extract.kind === 'prices' || when.kind === 'below' || when.kind === 'above';
  const stock = when.kind === 'stock' || when.kind === 'nostock';
  return [
    ...(counts
      ? [
          'Make reads the price for machines, else the first number of that kind on a page; a selector narrows it',
        ]
      : []),
    ...('currency' in when && when.currency !== undefined
      ? [`Make compares the number only, whatever its currency is`]
      : []),
    ...(when.kind === 'new' ? ['Make sends the whole list when it changes; n8n sends only what is new'] : []),
    ...(stock ? ['Make knows it only from what the page says for machines (schema.org)'] : []),
    ...(runs?.zone === undefined
      ? []
      : [`Make keeps the times of its organization's zone: it has to be ${runs.zone}`]),
  ];
}

function feeder(pages: readonly string[]): JsonRecord {
  const all = pages.map((url) => `"${escapeAddressBraces(url)}"`).join('; ');
  return {
    id: 1,
    module: 'builtin:BasicFeeder',
    version: 1,
    parameters: {},
    mapper: { array: `{{add(emptyarray; ${all})}}` },
  };
}

function request(method: 'get' | 'post', url: string, headers: readonly JsonRecord[]): JsonRecord {
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

function stateOf({ when }: AutomationPlan, found: string, number: string): string {
  switch (when.kind) {
    case 'word':
    case 'gone':
    case 'any':
    case 'all':
      return `{{${wordFormula(when, found, '"yes"', '"no"')}}}`;
    case 'stock':
    case 'nostock': {
      const [there, not] = when.kind === 'stock' ? ['yes', 'no'] : ['no', 'yes'];
      return `{{if(contains(lower(${PAGE_DATA}); "schema.org/instock"); "${there}"; if(contains(lower(${PAGE_DATA}); "schema.org/outofstock"); "${not}"; ""))}}`;
    }
    case 'below':
    case 'above':
      return number;
    default:
      // Only a hash is stored, because Make's data store holds at most one megabyte.
      return `{{md5(${found})}}`;
  }
}

const PAGE_DATA = '2.data';

/** Nests `if` formulas, so that a condition with several words needs no `and` or `or` operator of Make. */
function wordFormula(when: AutomationPlan['when'], found: string, so: string, not: string): string {
  if (when.kind === 'any')
    return when.of.reduceRight<string>((rest, one) => wordFormula(one, found, so, rest), not);
  if (when.kind === 'all')
    return when.of.reduceRight<string>((rest, one) => wordFormula(one, found, rest, not), so);
  const word = 'word' in when ? when.word.toLowerCase().replace(/["\\{}]/g, ' ') : '';
  const [there, gone] = when.kind === 'gone' ? [not, so] : [so, not];
  return `if(contains(lower(${found}); "${word}"); ${there}; ${gone})`;
}

function inStore(mapper: JsonRecord): JsonRecord {
  return { parameters: { datastore: DATA_STORE_PLACEHOLDER }, mapper };
}

function filter({ when }: AutomationPlan, state: number): JsonRecord {
  const [now, before] = [`{{${state}.state}}`, `{{${state + 1}.text}}`];
  const conditions = (): JsonValue => {
    switch (when.kind) {
      case 'change':
      case 'new':
        return [
          [
            { a: before, o: 'exist' },
            { a: before, b: now, o: 'text:notequal' },
          ],
        ];
      case 'word':
      case 'gone':
      case 'any':
      case 'all':
      case 'stock':
      case 'nostock':
        return [
          [
            { a: now, b: 'yes', o: 'text:equal' },
            { a: before, b: 'yes', o: 'text:notequal' },
          ],
        ];
      default: {
        const value = String('value' in when ? when.value : '');
        const inclusive = 'inclusive' in when && when.inclusive === true;
        const [so, not] =
          when.kind === 'below'
            ? inclusive
              ? ['number:lessorequal', 'number:greater']
              : ['number:less', 'number:greaterorequal']
            : inclusive
              ? ['number:greaterorequal', 'number:less']
              : ['number:greater', 'number:lessorequal'];
        const is = { a: now, b: value, o: so };
        const known = { a: now, b: '', o: 'text:notequal' };
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

const FOUND = '<found>';

/** The formula replaces quotes, backslashes and control characters, which Make cannot escape in JSON. */
function plainFound(state: number, length = MAX_SENT_CHARACTERS): string {
  const found = length === MAX_SENT_CHARACTERS ? `${state}.found` : `substring(${state}.found; 0; ${length})`;
  return `{{replace(${found}; "/[\\x22\\x5c\\x00-\\x1f]+/g"; " ")}}`;
}

type Post = (url: string, headers: readonly JsonRecord[], body: JsonRecord, length?: number) => JsonRecord;

function hook(url: string, task: string, page: string, post: Post): JsonRecord {
  const shape = getWebhookShape(url);
  if (shape === 'facts' || shape === 'text') {
    return post(escapeAddressBraces(url), [], { task, page, at: '{{now}}', found: FOUND });
  }
  const text = `${takeCharacters(task, MAX_TASK_CHARACTERS)}\n${page}\n${FOUND}`;
  const length = MAX_MESSAGE_CHARACTERS[shape] - MAX_TASK_CHARACTERS - 400;
  return post(escapeAddressBraces(url), [], messageAround(shape, text), length);
}

function sender({ plan, knowledgeUrl = '' }: PlatformTask, state: number, page: string) {
  const { send } = plan;
  const task = escapeTemplateBraces(plan.task);
  const post = (
    url: string,
    headers: readonly JsonRecord[],
    body: JsonRecord,
    length?: number,
  ): JsonRecord => {
    const { mapper, ...rest } = request('post', url, headers);
    // The formula is inserted after JSON encoding, which would escape its quotation marks.
    const data = JSON.stringify(body).replaceAll(FOUND, plainFound(state, length));
    const json = { bodyType: 'raw', contentType: 'application/json', data };
    return {
      ...rest,
      parameters: { handleErrors: true, useNewZLibDeCompress: true },
      mapper: { ...(mapper as JsonRecord), ...json },
    };
  };
  switch (send.kind) {
    case 'webhook':
      return { module: hook(send.url, task, page, post), notes: [], ready: true };
    case 'knowledge':
      return {
        module: post(
          escapeAddressBraces(knowledgeUrl),
          [{ name: 'Authorization', value: `Bearer ${MAGPIE_KEY_PLACEHOLDER}` }],
          { q: `${task} ${page} ${FOUND}`, source: page },
        ),
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

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const LAST_MINUTE = 1439;

/** Converts a schedule to Make's form. Throws AppError `bad_request` if it names a day of the month. */
function compileMakeSchedule({ runs = USUAL_RUNS }: AutomationPlan): JsonRecord {
  const { every = RUN_INTERVAL_MINUTES, from, to, at, days, date } = runs;
  if (date !== undefined) {
    throw badRequestError('a day of the month is not available on Make: name platform n8n or apify');
  }
  const week = (days ?? EVERY_DAY).map((day) => day % 7);
  const interval = (at ? RUN_INTERVAL_MINUTES : every) * 60;
  const spans = at
    ? at.map((one) => [formatClockTime(one), formatClockTime(Math.min(one + 1, LAST_MINUTE))])
    : from !== undefined && to !== undefined
      ? [[formatClockTime(from * 60), formatClockTime(Math.min(to * 60, LAST_MINUTE))]]
      : undefined;
  const restrict = spans?.map((time) => ({ days: week, time })) ?? (days ? [{ days: week }] : undefined);
  return { type: 'indefinitely', interval, ...(restrict && { restrict }) };
}

const CURRENCY = `(?:[$€£¥￥₹₽₩₺₴₫฿₪₱₦₡₲₸円元块원]|zł|Kč|kr|Ft|TL|lei|руб|грн|${Intl.supportedValuesOf('currency').join('|')})`;
const DIGITS = "(\\d{1,3}(?:[.,’' ]\\d{3})+|\\d{1,12})(?:[.,](\\d{1,2}))?(?!\\d)";
/** Matches `$12.50` (groups 1 and 2: `12` and `50`) or `12.50 zł` (groups 3 and 4). */
const PRICE = `${CURRENCY}\\s?${DIGITS}|${DIGITS}\\s?${CURRENCY}`;
const PLAIN = DIGITS;
/** Matches a price in JSON-LD, Open Graph or microdata. Other prices on a page are less reliable. */
const STRUCTURED =
  '(?:"(?:low[Pp]rice|price)"\\s{0,3}:\\s{0,3}"?|(?:product|og):price:amount["\']\\s{1,3}content\\s?=\\s?["\']|itemprop\\s?=\\s?["\']price["\'][^<>]{0,200}?content\\s?=\\s?["\'])(\\d{1,12})(?:[.](\\d{1,2}))?';
/** Selectors that a regular expression can replace: a tag, a class, an id, or a tag with class or id. */
const SIMPLE = /^([a-z][a-z0-9]{0,15})?(?:([.#])([a-z_][\w-]{0,60}))?$/i;

/**
 * Builds modules that extract data from module `page`. Throws AppError `bad_request` for an unsupported selector.
 * `found` is the formula of the extracted data, without braces.
 */
function buildMakeModules(plan: AutomationPlan, page: number, first: number) {
  const { extract, when } = plan;
  const counts = listSimpleConditions(when).some((one) => 'value' in one);
  if (extract.kind !== 'text' && extract.kind !== 'prices') {
    const pattern = patternOf(extract);
    return {
      modules: [
        parser(first, pattern, `{{${page}.data}}`, true),
        {
          id: first + 1,
          module: 'util:TextAggregator',
          version: 1,
          parameters: { rowSeparator: '\n', feeder: page },
          mapper: { value: `{{replace(${first}.\`$1\`; "/<[^<>]*>/g"; "")}}` },
        },
        ...(counts ? [parser(first + 2, PLAIN, `{{${first + 1}.text}}`, false)] : []),
      ],
      found: `${first + 1}.text`,
      number: counts ? numberOf(first + 2) : '',
    };
  }
  const text = {
    id: first,
    module: 'regexp:HTMLToText',
    version: 1,
    parameters: {},
    mapper: { html: `{{${page}.data}}`, newline: 'lf', uppercaseHeadings: false },
  };
  const prices = extract.kind === 'prices';
  if (!prices && !counts) return { modules: [text], found: `${first}.text`, number: '' };
  const matcher = parser(first + 1, prices ? PRICE : PLAIN, `{{${first}.text}}`, false);
  if (!prices) return { modules: [text, matcher], found: `${first}.text`, number: numberOf(first + 1) };
  const own = parser(first + 2, STRUCTURED, `{{${page}.data}}`, false);
  const [structured, plain] = [numberOf(first + 2), numberOf(first + 1)].map((one) => one.slice(2, -2));
  return {
    modules: [text, matcher, own],
    found: `ifempty(${first + 2}.\`$1\`; ${first + 1}.\`$0\`)`,
    number: `{{ifempty(${structured}; ${plain})}}`,
  };
}

function numberOf(module: number): string {
  const group = (one: number, other: number) => `ifempty(${module}.\`$${one}\`; ${module}.\`$${other}\`)`;
  const whole = `replace(${group(1, 3)}; "/[^0-9]/g"; "")`;
  return `{{if(${group(1, 3)}; join(add(emptyarray; ${whole}; ifempty(${group(2, 4)}; "0")); "."); "")}}`;
}

function parser(id: number, pattern: string, text: string, global: boolean): JsonRecord {
  return {
    id,
    module: 'regexp:Parser',
    version: 1,
    parameters: {
      pattern,
      global,
      sensitive: false,
      multiline: false,
      singleline: false,
      continueWhenNoRes: true,
      ignoreInfiniteLoopsWhenGlobal: false,
    },
    mapper: { text },
  };
}

function patternOf(extract: AutomationPlan['extract']): string {
  if (extract.kind === 'links') return '<a\\s[^<>]*?href\\s*=\\s*["\']([^"\'<>]{1,2000})["\']';
  if (extract.kind === 'title') return '<title[^<>]{0,200}>([^<]{1,500})</title>';
  if (extract.kind === 'items')
    return '<(?:title|h[1-4])(?:\\s[^<>]{0,300})?>([\\s\\S]{1,500}?)</(?:title|h[1-4])>';
  if (extract.kind === 'headings') return '<h[1-3][^<>]*>([\\s\\S]{1,500}?)</h[1-3]>';
  const selector = extract.kind === 'selector' ? extract.selector : '';
  const [, tag = '[a-z][a-z0-9]*', sign, name = ''] = SIMPLE.exec(selector) ?? [];
  if (!SIMPLE.test(selector)) {
    throw badRequestError(
      `Make has no CSS selectors, and ${JSON.stringify(selector)} is more than a tag, .class or #id: name platform n8n or apify`,
    );
  }
  const attribute = sign === '.' ? 'class' : 'id';
  const value = sign === '.' ? `(?:[^"'<>]*\\s)?${name}(?:\\s[^"'<>]*)?` : name;
  const having = sign ? `\\s(?:[^<>]*?\\s)?${attribute}\\s*=\\s*["']${value}["']` : '(?:\\s)?';
  return `<${tag}${having}[^<>]*>([\\s\\S]{1,5000}?)</${tag}>`;
}
