import { z } from 'zod';
import { AppError } from '../src/errors.ts';
import { type Context, defineOperation } from '../src/operation.ts';

const platforms = ['make', 'n8n', 'apify'] as const;
const credential = z.string().trim().min(1).max(2000);

const automationBody = z.object({
  matches: z.array(
    z.object({
      /** Empty for a dry run, which creates nothing. */
      id: z.string(),
      metadata: z.object({ text: z.string() }),
      score: z.string(),
      sparseValues: z.object({}),
      values: z.array(z.string()),
      items: z.string(),
      platform: z.enum(platforms).optional(),
      existing: z.boolean().optional(),
      active: z.boolean().optional(),
      document: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});
type AutomationBody = z.output<typeof automationBody>;
type Delivery = Awaited<ReturnType<Awaited<ReturnType<Context['services']['automation']>>['order']>>;

/** Where the rooms search and automation meet: a task without an address is about the page that a search finds. */
export const automationrpa = defineOperation({
  name: 'automationrpa',
  title: 'Create an automation',
  description:
    "One sentence becomes a crawler that runs every 15 minutes on the user's Make, n8n or Apify. Leave the credentials out where the client can ask for them.",
  toolset: 'automation',
  essential: true,
  routes: ['GET /automationrpa'],
  effect: 'write',
  openWorld: true,
  scope: 'write',
  input: z.object({
    q: z.string().trim().min(1).max(4000).describe('Pages, what to take, when to tell, where to send'),
    autoplatformapikey: credential,
    autoplatformteamid: credential.max(100),
    platform: z.enum(platforms).optional(),
    dryRun: z.boolean().optional().describe('Show it, create nothing'),
    magpiekey: z
      .string()
      .trim()
      .regex(/^[\x21-\x7e]{1,500}$/)
      .optional()
      .describe('Key with which a task writes into the knowledge base'),
  }),
  secret: ['autoplatformapikey', 'autoplatformteamid', 'magpiekey'],
  unlisted: ['magpiekey'],
  output: automationBody,
  example: {
    q: 'Watch https://example.com/ and tell me when the headings change',
    autoplatformapikey: 'key-of-the-platform',
    autoplatformteamid: '1234',
    dryRun: true,
  },
  async run(
    { q, autoplatformapikey: key, autoplatformteamid: team, platform, dryRun = false, magpiekey },
    ctx,
  ) {
    const { services, caller, signal, progress } = ctx;
    const room = await services.automation();
    const order = { task: q, key, team, platform, magpieKey: magpiekey, dryRun, owner: caller.id };
    const delivery = await room.order(order, {
      signal,
      progress,
      findPage: (subject) => findPage(subject, ctx),
    });
    const { made, existing, compiled } = delivery;
    return {
      matches: [
        {
          id: made?.id ?? '',
          metadata: { text: made?.url ?? '' },
          score: team,
          sparseValues: {},
          values: [],
          items: summary(delivery),
          platform: delivery.platform,
          ...(made && { existing, active: made.active }),
          ...(!made && compiled && { document: { ...compiled.document } }),
        },
      ],
    };
  },
  render: ({ matches }: AutomationBody) =>
    matches
      .map(({ items, document }) => (document ? `${items}\n\n${JSON.stringify(document, null, 2)}` : items))
      .join('\n'),
});

async function findPage(subject: string, { services, caller, signal }: Context) {
  const search = await services.search();
  const { pages } = await search.find(subject, { owner: caller.id, limit: 5, signal });
  const [first] = pages;
  if (first) return { title: first.title, url: first.url };
  throw new AppError(
    'not_found',
    `q names no page, and a search for ${JSON.stringify(subject)} finds none: give the address of the page`,
  );
}

function summary({ title, made, existing, words, notes, chosen }: Delivery): string {
  const state = made && (made.active ? 'it runs every 15 minutes' : 'it is switched off');
  const head = !made
    ? `This is what would be created on ${title}; nothing was.`
    : existing
      ? `This automation is on ${title} already, and ${state}: ${made.url}`
      : `Created on ${title}, and ${state}: ${made.url}`;
  return [
    head,
    ...(chosen ? [`A search chose the page: ${chosen.title} (${chosen.url})`] : []),
    ...words,
    ...notes.map((note) => `note: ${note}`),
  ].join('\n');
}
