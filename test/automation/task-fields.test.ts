import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApifyPlatform } from '../../src/automation/platforms/apify.ts';
import { createMakePlatform } from '../../src/automation/platforms/make.ts';
import { createN8nPlatform } from '../../src/automation/platforms/n8n.ts';
import { readTask } from '../../src/automation/reading/read-task.ts';
import type { AutomationOrder } from '../../src/automation/types.ts';
import { inputSchema, parseInput } from '../../src/server/input.ts';
import { automationrpa } from '../../tools/automationrpa.ts';
import { type Bench, startBench } from '../contracts/automation-platform.ts';
import { ACCOUNT, startApify } from './apify-site.ts';
import { startMake, TEAM } from './make-site.ts';
import { startN8n } from './n8n-site.ts';

type Fields = NonNullable<AutomationOrder['fields']>;
const PAGE = 'https://shop.example/x';

/** What a condition, a schedule, a part of a page and a place become in the words of the plan. */
const CONDITIONS: [Fields['when'], string][] = [
  [{ is: 'every_run' }, 'at every run'],
  [{ is: 'change' }, 'when it has changed'],
  [{ is: 'new_items' }, 'when there are new items'],
  [
    { is: 'new_items', words: ['Rust'], without: ['ad'] },
    'when there are new items with "Rust" without "ad"',
  ],
  [{ is: 'appears', words: ['sold out'] }, 'when "sold out" appears'],
  [{ is: 'appears', words: ['a', 'b'] }, 'when "a" appears, or when "b" appears'],
  [{ is: 'disappears', words: ['a', 'b'] }, 'when "a" disappears and when "b" disappears'],
  [{ is: 'below', value: 20.5, of: 'stars' }, 'when the number beside "stars" goes below 20.5'],
  [{ is: 'above', value: 900, of: 'stars' }, 'when the number beside "stars" goes above 900'],
  [{ is: 'falls', of: 'seats' }, 'when the number beside "seats" falls'],
  [
    { is: 'rises', value: 5, percent: true, of: 'seats' },
    'when the number beside "seats" rises by 5% or more since the last notification',
  ],
  [
    { is: 'moves', value: 3, of: 'seats' },
    'when the number beside "seats" changes by 3 or more since the last notification',
  ],
  [{ is: 'in_stock' }, 'when it is available'],
  [{ is: 'out_of_stock' }, 'when it is not available'],
  [{ is: 'below', value: 20, currency: 'eur' }, 'when the price goes below 20 EUR'],
];
const SCHEDULES: [Fields['schedule'], string][] = [
  [undefined, 'every 15 minutes'],
  [{ everyMinutes: 60 }, 'every 60 minutes'],
  [{ at: ['9:00', '17:30'], timeZone: 'Europe/Berlin' }, 'at 09:00 and 17:30 every day (Europe/Berlin)'],
  [
    { at: ['08:05'], days: ['friday', 'monday'], timeZone: 'Asia/Tokyo' },
    'at 08:05 on Monday, Friday (Asia/Tokyo)',
  ],
];
const PLACES: [Fields['notify'], string][] = [
  [{ webhook: 'https://hooks.example.com/in' }, 'https://hooks.example.com/in'],
  [{ email: 'ada@mail.example' }, 'ada@mail.example'],
];

const TASKS = CONDITIONS.flatMap(([when, notifies], one) =>
  SCHEDULES.map(([schedule, runs], two) => {
    const [notify, sends] = PLACES[(one + two) % PLACES.length] as (typeof PLACES)[number];
    return { fields: { pages: [PAGE], when, schedule, notify }, notifies, runs, sends };
  }),
);

/** What a platform cannot do: its refusal says so, and names the platform that can. */
const CANNOT: Readonly<Record<string, (fields: Fields) => boolean>> = {
  make: ({ when }) => when?.of !== undefined || when?.without !== undefined,
  n8n: () => false,
  apify: ({ when, schedule }) => when?.is !== 'every_run' || (schedule?.at?.length ?? 0) > 1,
};

const PLATFORMS = [
  { name: 'make', start: startMake, driver: createMakePlatform, team: TEAM },
  { name: 'n8n', start: startN8n, driver: createN8nPlatform, team: 'personal' },
  {
    name: 'apify',
    start: startApify,
    driver: (url: string) => createApifyPlatform(url, 'https://console.apify.com'),
    team: ACCOUNT.id,
  },
] as const;

test('there are sixty tasks', () => expect(TASKS).toHaveLength(60));

describe.each(PLATFORMS)('fields on $name', (under) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await startBench(under);
  });
  afterAll(() => bench.close());

  test.each(TASKS)('$notifies, $runs, to $sends', async ({ fields, notifies, runs, sends }) => {
    const placed = bench.order({ task: 'Take care of it', fields: clean(fields) });
    if (CANNOT[under.name]?.(fields)) {
      await expect(placed).rejects.toMatchObject({
        code: 'bad_request',
        message: expect.stringContaining('n8n'),
      });
      return;
    }
    const { words, made } = await placed;
    expect(made?.url).toMatch(/^https?:/);
    expect(words).toContain(`pages: ${PAGE}`);
    expect(words).toContain(`notifies: ${notifies}`);
    expect(words).toContain(`runs: ${runs}`);
    expect(words).toContain(`sends to: ${sends}`);
  });
});

/** The fields as the operation would pass them on, without those that are not given. */
function clean(fields: Fields): Fields {
  return JSON.parse(JSON.stringify(fields)) as Fields;
}

describe('beside the sentence', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await startBench(PLATFORMS[1]);
  });
  afterAll(() => bench.close());

  test('a field is used instead of what the sentence says, and the rest of the sentence stays', async () => {
    const task =
      'Every day at 9 watch https://shop.example/a and mail ada@mail.example when the price drops below 5 euros';
    const { words } = await bench.order({ task, dryRun: true, fields: { when: { is: 'change' } } });
    expect(words).toEqual([
      'pages: https://shop.example/a',
      expect.stringContaining('price'),
      'notifies: when it has changed',
      'sends to: ada@mail.example',
      expect.stringContaining('at 09:00 every day'),
    ]);
  });

  test.each<[string, Fields, string]>([
    [
      `Watch ${PAGE} every Monday at 9:30`,
      { schedule: { timeZone: 'Asia/Tokyo' } },
      'at 09:30 on Monday (Asia/Tokyo)',
    ],
    [`Watch ${PAGE} every Monday at 9:30`, { schedule: {} }, "at 09:30 on Monday (the platform's time zone)"],
    [`Watch ${PAGE}`, { schedule: { days: ['monday'] } }, "at 09:00 on Monday (the platform's time zone)"],
    [
      `Watch ${PAGE}`,
      { schedule: { dayOfMonth: 1 } },
      "at 09:00 on day 1 of each month (the platform's time zone)",
    ],
  ])('%s with %j runs %s', async (task, fields, runs) => {
    expect((await bench.order({ task, dryRun: true, fields })).words).toContain(`runs: ${runs}`);
  });

  test('a field answers what the sentence leaves open or says too much of', async () => {
    const sends = async (task: string, fields: Fields) =>
      (await bench.order({ task, dryRun: true, fields })).words.find((line) => line.startsWith('sends to'));
    const mail = `Email me when ${PAGE} changes`;
    await expect(sends(mail, {})).rejects.toMatchObject({
      message: expect.stringContaining('asks for mail'),
    });
    expect(await sends(mail, { notify: { email: 'ada@mail.example' } })).toBe('sends to: ada@mail.example');
    const named = `Mail ada@mail.example when ${PAGE} changes`;
    expect(await sends(named, { notify: { knowledgeBase: false } })).toBe('sends to: ada@mail.example');
    const many = Array.from({ length: 11 }, (_, at) => `https://shop.example/${at}`).join(' ');
    await expect(sends(`Watch ${many}`, {})).rejects.toMatchObject({
      message: expect.stringContaining('11 pages'),
    });
    expect(await sends(`Watch ${many}`, { pages: [PAGE, `${PAGE}#top`] })).toContain('the platform');
  });

  test('the same sentence with other fields is another automation, with the same ones it is not', async () => {
    const order = (value: number) =>
      bench.order({ task: 'Watch it', fields: { pages: [PAGE], when: { is: 'above', value, of: 'stars' } } });
    const [one, other, again] = [await order(1), await order(2), await order(1)];
    expect(other.made?.id).not.toBe(one.made?.id);
    expect(again.made?.id).toBe(one.made?.id);
  });

  test.each<[Fields, string]>([
    [{ when: { is: 'appears' } }, 'when.words'],
    [{ when: { is: 'below' } }, 'when.value'],
    [{ schedule: { everyMinutes: 5, at: ['09:00'] } }, 'everyMinutes or at'],
    [{ schedule: { at: ['09:00'], timeZone: 'Mars/Base' } }, 'schedule.timeZone'],
    [{ schedule: { at: ['09:00'], days: ['monday'], dayOfMonth: 1 } }, 'days or dayOfMonth'],
    [{ schedule: { everyMinutes: 45 } }, 'it takes 30'],
    [{ schedule: { everyMinutes: 2880, dayOfMonth: 1 } }, 'everyMinutes or dayOfMonth'],
    [{ schedule: { timeZone: '+05:30' } }, 'schedule.timeZone'],
    [{ when: { is: 'appears', words: ['sold out'], without: ['demo'] } }, 'when.without has no meaning'],
    [{ when: { is: 'change', value: 3 } }, 'it takes nothing beside it'],
    [{ extract: { what: 'title', selector: 'h1' } }, 'what or selector'],
    [{ notify: { email: 'a@b.example', knowledgeBase: true } }, 'notify takes one place'],
  ])('%j is refused and named', async (fields, words) => {
    await expect(bench.order({ task: `Watch ${PAGE}`, dryRun: true, fields })).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(words),
    });
  });

  test('a wrong value within a field is named with what is taken', () => {
    const parse = (raw: object) => parseInput(automationrpa, { q: 'x', ...raw }, 'reject');
    expect(() => parse({ schedule: { at: ['25:00'] } })).toThrow(
      'schedule.at.0 is not usable: it takes a value such as 09:00',
    );
    expect(() => parse({ when: { is: 'sometimes' } })).toThrow(/when\.is .* one of every_run, change/);
    expect(parse({ when: '{"is":"change"}', pages: PAGE })).toMatchObject({
      when: { is: 'change' },
      pages: [PAGE],
    });
    expect(JSON.stringify(inputSchema(automationrpa))).not.toMatch(/anyOf|oneOf/);
  });
});

describe('what could turn a task round', () => {
  const page = PAGE;
  const said = (task: string) => readTask(task).turning.map(({ kind }) => kind);

  test.each([
    `Stop watching ${page}`,
    `Cancel the alert that mails ada@mail.example when ${page} changes`,
    `Lösche die Überwachung, wenn sich ${page} ändert`,
    `Remove the watch on ${page}`,
    `Please don't monitor ${page}`,
    `Cancel the automation for ${page}`,
    `Beobachte ${page} nicht mehr`,
    `Hör auf, ${page} zu beobachten`,
    `Arrête de surveiller ${page}`,
    `Ne surveille plus ${page}`,
    `Deja de vigilar ${page}`,
    `No vigiles más ${page}`,
    `Smetti di sorvegliare ${page}`,
    `Pare de monitorar ${page}`,
    `Stop met het volgen van ${page}`,
    `Przestań obserwować ${page}`,
    `Перестань следить за ${page}`,
    `${page} の監視をやめて`,
    `停止监控 ${page}`,
  ])('an order to end something: %s', (task) => expect(said(task)).toEqual(['stop']));

  test.each([
    [`Send me a weekly digest of ${page}`, 'digest'],
    [`Schick mir jeden Freitag eine Zusammenfassung von ${page}`, 'digest'],
    [`Envoie-moi un résumé hebdomadaire de ${page}`, 'digest'],
    [`每周给我发送 ${page} 的摘要`, 'digest'],
    [`Tell me when a file bigger than 20 MB appears on ${page}`, 'other'],
    [`Send a screenshot of ${page} every day`, 'other'],
    [`Sag mir, wenn ${page} nicht erreichbar ist`, 'other'],
    [`Laat weten als ${page} langer dan 3 seconden nodig heeft om te laden`, 'other'],
    [`Tell me when the price of ${page} drops unless it is on sale`, 'condition'],
    [`Tell me when ${page} has not changed for 3 days`, 'condition'],
    [`Watch ${page} for changes except in .banner`, 'condition'],
  ])('%s', (task, kind) => expect(said(task)).toEqual([kind]));

  test.each([
    `Tell me if ${page} no longer says "sold out"`,
    `Tell me when ${page} stops being in stock`,
    `Sag Bescheid, wenn sich ${page} ändert, außer sonntags`,
    `Watch ${page} until Friday and tell me when it changes`,
    `Check ${page} at the end of the month`,
    `Prüfe ${page} am Ende des Monats`,
    `Watch the charger list on ${page}`,
    `Sag mir neue Artikel zur Zusammenarbeit auf ${page}`,
    `Tell me when the 64 GB model on ${page} is in stock`,
    `Traduis ${page} en anglais et envoie-le à ada@mail.example chaque matin`,
  ])('nothing in: %s', (task) => expect(said(task)).toEqual([]));

  test('nothing is asked of the platform, the answer names the field, and the field answers it', async () => {
    const bench = await startBench(PLATFORMS[1]);
    try {
      for (const task of [
        `Beobachte ${page} nicht mehr`,
        `Tell me when ${page} has not changed for 3 days`,
      ]) {
        await expect(bench.order({ task })).rejects.toMatchObject({
          code: 'bad_request',
          message: expect.stringContaining('in when'),
        });
      }
      await expect(bench.order({ task: 'watch the price' })).rejects.toMatchObject({
        code: 'bad_request',
        message: expect.stringContaining('names neither a page'),
      });
      expect(bench.site.asked).toEqual([]);
      const { made } = await bench.order({
        task: `Beobachte ${page} nicht mehr`,
        fields: { when: { is: 'change' } },
      });
      expect(made?.url).toMatch(/^https?:/);
    } finally {
      await bench.close();
    }
  });
});
