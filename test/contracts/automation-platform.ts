import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ConfiguredPlatform, createAutomationService } from '../../src/automation/automation.ts';
import type { AutomationPlatform, PlatformName } from '../../src/automation/platform.ts';
import type {
  AutomationOrder,
  AutomationOrderResult,
  AutomationService,
} from '../../src/automation/types.ts';
import { AUTOMATION_PLATFORMS } from '../../src/config/automation-settings.ts';
import type { AppError } from '../../src/errors.ts';
import { createGuardedFetch } from '../../src/lib/network/fetch.ts';
import { createUrlGuard } from '../../src/lib/network/url-guard.ts';
import { createLog } from '../../src/log.ts';
import { BAD_KEYS, KEY, type PlatformSite } from '../automation/platform-sites.ts';

/** A platform and a local server that holds to its documentation. */
export interface PlatformUnderTest {
  readonly name: PlatformName;
  start(): Promise<PlatformSite>;
  driver(url: string): AutomationPlatform;
  readonly team: string;
  readonly unknownTeam: string;
  /** Whether the platform would look for variables in a text of the document. */
  evaluates(text: string): boolean;
  /** Fills the account with other automations, more than one page of its list. */
  crowd(site: PlatformSite): void;
}

/** Apify cannot send at changes only. */
export const TASKS: Readonly<Record<string, string>> = {
  make: 'Watch https://shop.example/offer and post to https://hooks.example.com/in when the headings change',
  n8n: 'Watch https://shop.example/offer and post to https://hooks.example.com/in when the headings change',
  apify: 'Fetch https://shop.example/offer and post the headings to https://hooks.example.com/in every time',
};
const NEVER = new AbortController().signal;

export interface Bench {
  readonly site: PlatformSite;
  readonly room: AutomationService;
  order(change?: Partial<AutomationOrder>): Promise<AutomationOrderResult>;
  close(): Promise<void>;
}

/** A task that the platform can do. */
export function taskOf(platform: PlatformName): string {
  return TASKS[platform] ?? TASKS.n8n ?? '';
}

/** The same driver under every name. */
export function everyPlatform(placed: ConfiguredPlatform): Record<PlatformName, ConfiguredPlatform> {
  return Object.fromEntries(AUTOMATION_PLATFORMS.map((name) => [name, placed])) as Record<
    PlatformName,
    ConfiguredPlatform
  >;
}

/** The room with one platform on a server of its own. */
export async function startBench(
  under: Pick<PlatformUnderTest, 'name' | 'start' | 'driver' | 'team'>,
): Promise<Bench> {
  const site = await under.start();
  const task = taskOf(under.name);
  const placed = { platform: under.driver(site.url), baseUrl: site.url };
  const room = createAutomationService({
    openFetch: () => createGuardedFetch({ allowHosts: [], userAgent: 'Magpie/test' }),
    guard: createUrlGuard({
      allowHosts: [],
      lookup: (_name, _options, done) => done(null, [{ address: '93.184.215.14', family: 4 }]),
    }),
    platforms: everyPlatform(placed),
    platform: under.name,
    knowledgeUrl: 'https://magpie.example.com/upsertjson',
    log: createLog('silent'),
  });
  return {
    site,
    room,
    order: (change = {}) =>
      room.placeOrder(
        { task, key: KEY, team: under.team, dryRun: false, owner: 'ada', ...change },
        {
          signal: NEVER,
          progress: () => {},
          findPage: async () => ({ title: 'Found', url: 'https://found.example/page' }),
        },
      ),
    close: () => site.close(),
  };
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What every platform does, over real HTTP. */
export function testPlatform(under: PlatformUnderTest): void {
  const TASK = taskOf(under.name);
  describe(`the platform ${under.name}`, () => {
    let bench: Bench;
    beforeEach(async () => {
      bench = await startBench(under);
    });
    afterEach(() => bench.close());

    const failure = (change: Partial<AutomationOrder>): Promise<AppError> =>
      bench.order(change).then(
        () => expect.unreachable('it worked'),
        (error: unknown) => error as AppError,
      );

    test('creates and activates an automation, and returns its address', async () => {
      const { made, existing } = await bench.order();
      expect(existing).toBe(false);
      expect(made?.active).toBe(true);
      expect(made?.url).toContain(made?.id);
      expect(bench.site.made).toHaveLength(1);
      expect(JSON.stringify(bench.site.made)).toContain('shop.example/offer');
      expect(JSON.stringify(bench.site.made)).not.toMatch(
        /<datastore>|<task>|<credential>|<magpiekey>|<found>/,
      );
    });

    test('an automation for the same task and team is found again, whatever its case and blanks', async () => {
      const first = await bench.order();
      under.crowd(bench.site);
      const again = await bench.order({ task: `  ${TASK.toUpperCase().replaceAll(' ', '\n ')}` });
      expect(again.existing).toBe(true);
      expect(again.made).toEqual(first.made);
      const posts = bench.site.asked.filter(({ method }) => method === 'POST').length;
      await bench.order();
      expect(bench.site.asked.filter(({ method }) => method === 'POST')).toHaveLength(posts);
      const other = await bench.order({ task: `${TASK}!` });
      expect(other.existing).toBe(false);
      expect(other.made?.id).not.toBe(first.made?.id);
    });

    test('the same task requested twice at once creates one automation', async () => {
      const both = await Promise.all([bench.order(), bench.order()]);
      expect(both.map(({ existing }) => existing).sort()).toEqual([false, true]);
      expect(bench.site.made).toHaveLength(1);
    });

    test('a dry run sends no request, and shows what would be sent, without a key', async () => {
      const { compiled, made } = await bench.order({ dryRun: true });
      expect(made).toBeUndefined();
      expect(bench.site.asked).toEqual([]);
      expect(JSON.stringify(compiled?.document)).toContain('shop.example/offer');
      expect(JSON.stringify(compiled?.document)).not.toContain(KEY);
    });

    test.each([
      ['wrong', 401, 'unauthenticated', 'autoplatformapikey'],
      ['poor', 403, 'forbidden', 'no right'],
      ['spent', 429, 'rate_limited', 'quota'],
    ] as const)(
      'a key that is %s is answered with %i and a message that says what to do',
      async (kind, status, code, words) => {
        const error = await failure({ key: BAD_KEYS[kind] });
        expect([error.code, error.status]).toEqual([code, status]);
        expect(error.message).toContain(words);
        expect(error.message).toMatch(new RegExp(`answered ${status}: \\w`));
        expect(error.message).not.toContain(BAD_KEYS[kind]);
        expect(error.message).not.toMatch(/: ([\w .]{4,}?)\.?: \1/);
        if (status === 429) expect(error.retryAfter).toBe(17);
        expect(bench.site.made).toEqual([]);
        // A user without quota does not block other users.
        expect((await bench.order()).existing).toBe(false);
      },
    );

    test('an unknown team is answered with 404', async () => {
      const error = await failure({ team: under.unknownTeam });
      expect(error.status).toBe(404);
      expect(error.message).toContain('autoplatformteamid');
      expect(error.message).not.toContain(under.unknownTeam);
    });

    test('an invalid team is answered with 400, and no request is sent', async () => {
      const error = await failure({ team: 'no team/../1' });
      expect(error.status).toBe(400);
      expect(bench.site.asked).toEqual([]);
    });

    test('an account over its quota is answered with 429 and a message that says so', async () => {
      bench.site.broken = {
        status: 402,
        body: { message: 'Payment required', error: { message: 'Payment required' } },
      };
      const error = await failure({});
      expect([error.status, error.message]).toEqual([429, expect.stringContaining('quota of this account')]);
    });

    test.each([500, 503])('a platform error %i is answered with 502', async (status) => {
      bench.site.broken = { status, body: { message: 'oh' } };
      const error = await failure({});
      expect(error.status).toBe(502);
      expect(error.message).toContain('try again');
    });

    test('another service at the address, a redirect and a closed port are answered with 502', async () => {
      bench.site.broken = 'text';
      expect((await failure({})).status).toBe(502);
      bench.site.broken = { status: 200, body: { hello: 'world' } };
      expect((await failure({})).status).toBe(502);
      bench.site.broken = { status: 302, body: {}, headers: { location: 'https://elsewhere.example/' } };
      expect((await failure({})).status).toBe(502);
      await bench.site.close();
      const gone = await failure({});
      expect(gone.status).toBe(502);
      expect(gone.message).toMatch(/cannot be reached \(.+\): try again later/);
    });

    test('error messages of the platform are passed on, without the credentials that they quote', async () => {
      const said = `no such thing for ${KEY} of ${under.team}`;
      bench.site.broken = { status: 422, body: { message: said, error: { message: said } } };
      const error = await failure({});
      expect(error.status).toBe(400);
      expect(error.message).toContain('no such thing for');
      expect(error.message).not.toContain(KEY);
      expect(error.message).not.toContain(under.team);
    });

    test('the key is sent in a header only', async () => {
      await bench.order();
      for (const { path, query, body } of bench.site.asked) {
        expect(`${path}${query}${JSON.stringify(body)}`).not.toContain(KEY);
      }
      expect(bench.site.asked.every(({ headers }) => JSON.stringify(headers).includes(KEY))).toBe(true);
    });

    test('creates an automation that runs every 15 minutes', async () => {
      await bench.order();
      const sent = JSON.stringify(bench.site.asked.map(({ body }) => body));
      expect(sent).toMatch(/\\"interval\\":900|"minutesInterval":15\b|"\*\/15 \* \* \* \*"/);
    });

    test('a request whose caller gives up is cancelled', async () => {
      bench.site.broken = 'hang';
      const gone = new AbortController();
      const work = bench.room.placeOrder(
        { task: TASK, key: KEY, team: under.team, dryRun: false, owner: 'ada' },
        { signal: gone.signal, progress: () => {}, findPage: () => Promise.reject(new Error('unasked')) },
      );
      setTimeout(() => gone.abort(), 50);
      await expect(work).rejects.toMatchObject({ code: 'cancelled' });
    });

    test('text of the task never becomes a formula, a variable or an expression', async () => {
      const when = under.name === 'apify' ? '{{3.d}} every time' : 'the word "{{3.d}}"';
      const task = `=1+1 {{1.key}} Watch https://shop.example/a?b={{2.c}} for ${when}, post to https://hooks.example.com/?x={{4.e}}`;
      const { compiled } = await bench.order({ task, dryRun: true });
      const texts = textsIn(compiled?.document).filter((text) => under.evaluates(text));
      expect(texts.length).toBeGreaterThan(1);
      expect(texts.join('\n')).not.toMatch(/\{\{\s*(?:1\.key|2\.c|3\.d|4\.e)\s*\}\}/);
    });
  });
}
