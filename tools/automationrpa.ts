import { z } from 'zod';
import type { AutomationOrderResult, AutomationService } from '../src/automation/types.ts';
import { AUTOMATION_PLATFORMS, type PlatformName } from '../src/config/automation-settings.ts';
import { notFoundError } from '../src/errors.ts';
import { createLocalWatches, type LocalWatches } from '../src/flows/watching/local-watches.ts';
import { isJsonObject } from '../src/lib/json-members.ts';
import { omitUndefined } from '../src/lib/omit-undefined.ts';
import { escapeInvisibleLine } from '../src/lib/text/escape-invisible.ts';
import { pageWatchFields } from '../src/lib/watching/page-watch-fields.ts';
import { defineOperation, listedObject, type OperationContext, optional } from '../src/operation.ts';

/** Platforms of the user, and Magpie's own watches of pages. */
const PLATFORMS = [...AUTOMATION_PLATFORMS, 'local'] as const;
const MAX_TASK_CHARACTERS = 4000;
const MAX_BRIEF_CHARACTERS = 300;
const credential = z.string().trim().min(1).max(2000);
const address = z.url({ protocol: /^https?$/ }).max(2000);
const clock = z
  .string()
  .regex(/^(?:[01]?\d|2[0-3]):[0-5]\d$/)
  .meta({ examples: ['09:00'] });

/** Parts of a task by name. A part that is given is used instead of what `q` says of it. */
const taskFields = {
  pages: z.array(address).min(1).max(10).optional(),
  schedule: z
    .object({
      everyMinutes: z.int().min(1).max(43_200).optional(),
      at: optional(z.array(clock).min(1).max(24), '09:00'),
      days: z
        .array(z.enum(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']))
        .min(1)
        .max(7)
        .optional(),
      dayOfMonth: z.int().min(1).max(31).optional(),
      timeZone: z.string().max(60).optional(),
    })
    .optional(),
  ...pageWatchFields.shape,
  notify: z
    .object({
      email: z.email().max(254).optional(),
      webhook: address.optional(),
      knowledgeBase: z.boolean().optional(),
    })
    .optional(),
};

const automationBody = z.object({
  matches: z.array(
    listedObject(['id', 'metadata'], {
      id: z.string(),
      metadata: z.object({ text: z.string() }),
      score: z.string(),
      sparseValues: z.object({}),
      values: z.array(z.string()),
      items: z.string(),
      platform: z.enum(PLATFORMS).optional(),
      existing: z.boolean().optional(),
      active: z.boolean().optional(),
      document: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});
type AutomationBody = z.output<typeof automationBody>;

export const automationrpa = defineOperation({
  name: 'automationrpa',
  title: 'Create an automation',
  description:
    "Creates an automation on the user's Make, n8n or Apify that checks web pages every 15 minutes and " +
    'sends what is new by mail or message; returns its address. Use startMonitoring for outages.',
  toolset: 'automation',
  essential: true,
  routes: ['GET /automationrpa'],
  effect: 'write',
  openWorld: true,
  scope: 'write',
  input: z.object({
    q: z
      .string()
      .trim()
      .min(1)
      .max(MAX_TASK_CHARACTERS)
      .describe('Task in words: pages, what to take, when to notify, where to send'),
    ...taskFields,
    autoplatformapikey: optional(credential, 'Default: configured'),
    autoplatformteamid: optional(credential.max(100), 'Default: configured'),
    platform: optional(z.enum(PLATFORMS), 'Default: configured'),
    dryRun: optional(z.boolean(), 'Only show what would be created'),
    magpiekey: optional(
      z
        .string()
        .trim()
        .regex(/^[\x21-\x7e]{1,500}$/),
      'Key with which a task writes into the knowledge base',
    ),
  }),
  secret: ['autoplatformapikey', 'autoplatformteamid', 'magpiekey'],
  needed: ['autoplatformapikey', 'autoplatformteamid'],
  unlisted: ['magpiekey', 'pages', 'schedule', 'when', 'extract', 'notify'],
  output: automationBody,
  example: {
    q: 'Watch https://example.com/ and tell me when the headings change',
    autoplatformapikey: 'key-of-the-platform',
    autoplatformteamid: '1234',
    dryRun: true,
  },
  async lacks(input, { caller, services, signal }) {
    if (input.dryRun === true || input.platform === 'local') return undefined;
    const room = await services.automation();
    const { key, team } = localCredentials(caller, room, input.platform);
    const had = { autoplatformapikey: key, autoplatformteamid: team, ...input };
    const task = typeof input.q === 'string' ? input.q.slice(0, MAX_TASK_CHARACTERS) : '';
    const wanted = room.wantedCredentials(nameOf(input.platform));
    const notify = isJsonObject(input.notify) ? input.notify : undefined;
    const credentials = omitUndefined({
      autoplatformapikey: !had.autoplatformapikey ? wanted.key : undefined,
      autoplatformteamid: !had.autoplatformteamid ? wanted.team : undefined,
      magpiekey:
        !input.magpiekey && (await room.needsMagpieKey(task, caller.id, signal, notify))
          ? `a key of this Magpie with the scope write, which ${wanted.title} keeps and writes into your knowledge base with`
          : undefined,
    });
    if (Object.keys(credentials).length === 0) return undefined;
    return { purpose: `on ${wanted.title}, for: ${brief(task)}`, credentials };
  },
  async run(
    { q, autoplatformapikey, autoplatformteamid, platform, dryRun = false, magpiekey, ...fields },
    ctx,
  ) {
    const { services, caller, signal, progress } = ctx;
    const room = await services.automation();
    const context = { signal, progress, findPage: (subject: string) => findPage(subject, ctx) };
    if (platform === 'local') {
      const order = { task: q, fields, dryRun, owner: caller.id };
      return { matches: [localMatch(await createLocalWatches(order, context, ctx), dryRun)] };
    }
    const own = localCredentials(caller, room, platform);
    const [key, team] = [autoplatformapikey ?? own.key, autoplatformteamid ?? own.team];
    const order = { task: q, fields, key, team, platform, magpieKey: magpiekey, dryRun, owner: caller.id };
    const delivery = await room.placeOrder(order, context);
    const { made, existing, compiled } = delivery;
    return {
      matches: [
        {
          id: made?.id ?? '',
          metadata: { text: made?.url ?? '' },
          score: team ?? '',
          sparseValues: {},
          values: [],
          items: summary(delivery),
          platform: delivery.platform,
          ...(made && { existing, active: made.active }),
          document: !made && compiled ? { ...compiled.document } : undefined,
        },
      ],
    };
  },
  render: ({ matches }: AutomationBody) =>
    matches
      .map(({ items, document }) => (document ? `${items}\n\n${JSON.stringify(document, null, 2)}` : items))
      .join('\n'),
});

function localMatch(
  { ids, existing, lines }: LocalWatches,
  dryRun: boolean,
): AutomationBody['matches'][number] {
  const head = dryRun
    ? 'This is what Magpie would watch; nothing was created.'
    : `Magpie ${existing ? 'watches this already' : 'watches this'}: ${ids.join(' ')}. getMonitoringStatus shows it.`;
  const text = dryRun ? '' : ids.join(' ');
  const rest = {
    score: '',
    sparseValues: {},
    values: [],
    platform: 'local',
    ...(!dryRun && { existing, active: true }),
  } as const;
  return { id: text, metadata: { text }, ...rest, values: [], items: [head, ...lines].join('\n') };
}

/** Returns credentials from the settings of this machine's user, which callers over HTTP must not get. */
function localCredentials({ via }: OperationContext['caller'], room: AutomationService, platform: unknown) {
  if (via === 'http') return {};
  return room.localCredentials(nameOf(platform));
}

function nameOf(platform: unknown): PlatformName | undefined {
  return AUTOMATION_PLATFORMS.find((name) => name === platform);
}

function brief(task: string): string {
  const line = escapeInvisibleLine(task.slice(0, MAX_BRIEF_CHARACTERS));
  return task.length > MAX_BRIEF_CHARACTERS ? `${line}…` : line;
}

async function findPage(subject: string, { services, caller, signal }: OperationContext) {
  const search = await services.search();
  const { pages } = await search.findPages(subject, { owner: caller.id, limit: 5, signal });
  const [first] = pages;
  if (first) return { title: first.title, url: first.url };
  throw notFoundError(
    `q names no page, and a search for ${JSON.stringify(subject)} found none: give the address of the page`,
  );
}

function summary(delivery: AutomationOrderResult): string {
  const { words, notes, chosen } = delivery;
  const head = headOf(delivery);
  return [
    head,
    ...(chosen ? [`A search chose the page: ${chosen.title} (${chosen.url})`] : []),
    ...words,
    ...notes.map((note) => `note: ${note}`),
  ].join('\n');
}

function headOf({ title, made, existing, finished, runs }: AutomationOrderResult): string {
  if (!made) return `This is what would be created on ${title}; nothing was.`;
  const { url, active } = made;
  if (finished) {
    return `An earlier call for it broke off: this automation on ${title} is switched on now, and runs ${runs}: ${url}`;
  }
  const there = existing ? `This automation is on ${title} already` : `Created on ${title}`;
  if (active) return `${there}, and it runs ${runs}: ${url}`;
  const why = existing ? ', by its user or because it waits for a mailbox; switch it on there' : '';
  return `${there}, and it is switched off${why}: ${url}`;
}
