import { describe, expect, test } from 'vitest';
import { checkPageWatch, type PageWatch } from '../../../src/lib/watching/page-watch.ts';
import { noisyPage } from './noisy-pages.ts';
import { WATCHED_KINDS } from './page-kinds.ts';
import { BEGUN, HOUR_MS, startWatcher } from './watcher.ts';

/** What counts as a change of a page, and how often it is noticed. The clock is a number. */

/** Looks before the change, and after it: ads, orders of boxes and hours ago have come round by then. */
const MANY = 21;

test.each(WATCHED_KINDS)('a $name is noticed once when it really changes', async (kind) => {
  const watched = startWatcher((kind.page ?? {}) as PageWatch);
  const same = () => kind.body({ look: 1, now: BEGUN, real: false });
  for (let hour = 0; hour < 3; hour += 1) await watched.look(same, kind.type);
  for (const real of [false, true]) {
    expect(watched.notices).toEqual([]);
    for (let hour = 0; hour < MANY; hour += 1)
      await watched.look((look, now) => kind.body({ look, now, real }), kind.type);
  }
  expect(watched.notices).toHaveLength(1);
  const [{ title, before, after } = { title: '', before: '', after: '' }] = watched.notices;
  expect(title.length).toBeLessThan(700);
  expect(before).toMatch(kind.before);
  expect(after).toMatch(kind.after);
});

test('pages that change in nothing that matters are silent for a week, and are heard after it', async () => {
  for (let number = 0; number < 5; number += 1) {
    const page = noisyPage(number);
    // One page is looked at every hour, the others in every fourth: each look draws anew what changes.
    const hours = number === 0 ? 1 : 4;
    const watched = startWatcher({}, { everyMs: hours * HOUR_MS });
    for (let hour = 0; hour < 168; hour += hours) await watched.look((look, now) => page.html(look, now));
    expect({ number, notices: watched.notices }).toEqual({ number, notices: [] });
    const real = (look: number, now: number) =>
      page
        .html(look, now)
        .replace('</h1>', '</h1><p>The whole offer ends for good at the end of this year.</p>');
    for (let look = 0; look < 12; look += 1) await watched.look(real);
    expect(watched.notices.map(({ after }) => after)).toEqual([
      expect.stringContaining('The whole offer ends'),
    ]);
    expect(watched.size()).toBeLessThan(50_000);
  }
}, 600_000);

const lamp = (price: string, more = '<p>It ships in two days.</p>') =>
  `<main><h1>Lamp</h1><p>This lamp has a stand of oak and a shade of linen.</p><p>Price: ${price}</p><p>4.5 stars of 120</p>${more}</main>`;

/** Titles of the notices when a page shows these prices, one an hour. */
async function titlesOf(fields: PageWatch, ...pages: readonly string[]) {
  const watched = startWatcher(fields);
  for (const page of pages) await watched.look(() => page);
  return watched.notices.map(({ title }) => title);
}
const prices = (fields: PageWatch, ...list: readonly number[]) =>
  titlesOf(fields, ...list.map((price) => lamp(`€${price}.00`)));
const when = (is: string, more = {}): PageWatch => ({
  extract: { what: 'price' },
  when: { is, ...more },
});

describe('a condition', () => {
  test('of a limit is noticed when it becomes true, also at the first look', async () => {
    expect(await prices(when('below', { value: 100 }), 120, 110, 99, 98, 97)).toEqual([
      'the price is below 100: €99.00, and was €110.00',
    ]);
    expect(await prices(when('above', { value: 100 }), 120, 121)).toEqual([
      'the price is above 100: €120.00',
    ]);
    expect(
      await prices(when('below', { value: 100 }), 99, 120, 120, 120, 120, 120, 120, 120, 120, 90),
    ).toHaveLength(2);
  });

  test('of a change by an amount or by percent counts from the last notice', async () => {
    expect(await prices(when('falls', { value: 10 }), 100, 95, 91, 89, 85, 80, 79)).toEqual([
      'the price fell from €100.00 to €89.00',
      'the price fell from €89.00 to €79.00',
    ]);
    expect(await prices(when('moves', { value: 10, percent: true }), 100, 105, 109, 111, 101)).toEqual([
      'the price rose from €100.00 to €111.00',
    ]);
    expect(await prices(when('rises'), 100, 90, 95)).toEqual(['the price rose from €90.00 to €95.00']);
  });

  test('of words is noticed when they appear, or are gone', async () => {
    const pages = [lamp('€1.00'), lamp('€1.00', '<p>Sold out until May</p>')];
    expect(await titlesOf({ when: { is: 'appears', words: ['sold out'] } }, ...pages)).toEqual([
      '“sold out” appears: “Sold out until May”',
    ]);
    expect(await titlesOf({ when: { is: 'disappears', words: ['two days'] } }, ...pages)).toEqual([
      '“two days” is gone; it said “It ships in two days.”',
    ]);
  });

  test('of a number takes the one beside a word', async () => {
    const rated = (count: number) => lamp('€1.00').replace('120', String(count));
    const stars = { when: { is: 'above', of: 'stars of', value: 200 } };
    expect(await titlesOf(stars, rated(120), rated(201))).toEqual([
      'the number beside “stars of” is above 200: 201, and was 120',
    ]);
  });

  test.each([
    [{ when: { is: 'every_run' } }, 'when.is takes'],
    [{ when: { is: 'below' } }, 'when.value is required'],
    [{ when: { is: 'appears' } }, 'when.words is required'],
    [{ when: { is: 'change', value: 3 } }, 'when.value has no meaning'],
    [{ extract: { what: 'text', selector: 'p' } }, 'not both'],
  ] as const)('%j is refused', (fields, why) => {
    expect(() => checkPageWatch(fields as unknown as PageWatch)).toThrow(why);
  });
});

describe('a page that flickers', () => {
  test('is noticed once, and once more when it stays as it was', async () => {
    const turns = Array.from({ length: 12 }, (_, turn) => (turn % 2 ? 99 : 129));
    expect(await prices(when('change'), ...turns)).toEqual(['the price fell from €129.00 to €99.00']);
    expect(await prices(when('change'), ...turns, ...Array<number>(5).fill(129))).toEqual([
      'the price fell from €129.00 to €99.00',
      'the price rose from €99.00 to €129.00',
    ]);
  });

  test('between three texts is noticed for each new one at most', async () => {
    const turns = Array.from({ length: 20 }, (_, turn) =>
      lamp('€1.00', `<p>Text ${'abc'[turn % 3]} of this lamp</p>`),
    );
    expect((await titlesOf({}, ...turns)).length).toBeLessThanOrEqual(2);
  });

  test('is silent about a number that is another one at each look', async () => {
    const watched = startWatcher({});
    for (let hour = 0; hour < 20; hour += 1)
      await watched.look((look) => lamp('€1.00', `<p>Queue: ${look} waiting</p>`));
    expect(watched.notices).toEqual([]);
    for (let hour = 0; hour < 5; hour += 1)
      await watched.look((look) => lamp('€2.00', `<p>Queue: ${look} waiting</p>`));
    expect(watched.notices).toMatchObject([{ after: 'Price: €2.00' }]);
  });
});

describe('a page that changes at once', () => {
  const looksOf = async (watch: PageWatch, everyHours: number, ...bodies: readonly string[]) => {
    const watched = startWatcher(watch, { everyMs: everyHours * 3_600_000 });
    for (const body of bodies) await watched.look(() => `<main>${body}</main>`);
    return watched.notices;
  };
  const dishes = ['Goulash', 'Pizza', 'Risotto', 'Curry', 'Lasagne', 'Ramen', 'Paella', 'Burger'];
  const menu = (day: number) =>
    [0, 3, 5].map((more) => `<p>${dishes[(day + more) % 8]} with ${dishes[day]} of the town</p>`).join('');

  test.each([6, 24])('as a whole every day is noticed every day at %i hours between looks', async (hours) => {
    const looks = Array.from({ length: (6 * 24) / hours }, (_, look) =>
      menu(Math.floor((look * hours) / 24)),
    );
    expect(await looksOf({}, hours, ...looks)).toHaveLength(5);
  });

  test('is noticed where its footer always speaks of cookies', async () => {
    const foot = '<p>This site uses cookies, log in to see more.</p>';
    expect(await looksOf({}, 1, menu(0) + foot, ...Array<string>(3).fill(menu(1) + foot))).toHaveLength(1);
  });

  test('by a number that differs at each look is noticed when it falls', async () => {
    const rates = [100, 99.5, 90.1, 89.9, 90.2, 90.4].map((rate) => lamp(`€${rate.toFixed(2)}`));
    expect(await titlesOf(when('falls', { value: 5, percent: true }), ...rates)).toEqual([
      'the price fell from €100.00 to €90.10',
    ]);
    const watched = startWatcher(when('falls', { value: 5, percent: true }));
    await watched.look(() => lamp('€100.00'));
    for (let hour = 0; hour < 5; hour += 1) await watched.look((look) => lamp(`€90.${10 + look}`));
    expect(watched.notices).toHaveLength(1);
  });

  test('is not in stock where a text begins with the letters of an availability', async () => {
    const before = '<p>Introducing the finest lamp of the year.</p><p>Sold out</p>';
    expect(await looksOf({ when: { is: 'in_stock' } }, 1, before, before, before)).toEqual([]);
  });

  test('by an item that was there before, or with another date in its title, is noticed', async () => {
    const list = (...items: readonly string[]) =>
      `<ul>${items.map((item) => `<li><a href="/${item.replaceAll(' ', '-')}">${item.replace(/ \(.*/, '')}</a></li>`).join('')}</ul>`;
    const digest = (day: number) =>
      list(...[0, 1, 2].map((less) => `Daily digest of ${day - less} December 2026`));
    expect(
      await looksOf({ when: { is: 'new_items' } }, 6, digest(9), digest(9), digest(10), digest(10)),
    ).toHaveLength(1);
    const first = list('Software engineer (1)', 'Night nurse', 'Head cook');
    const moved = list('Software engineer (2)', 'Night nurse', 'Head cook');
    const gone = list('Night nurse', 'Head cook', 'Bus driver');
    const again = list('Software engineer (3)', 'Night nurse', 'Head cook', 'Bus driver');
    const notices = await looksOf(
      { when: { is: 'new_items' } },
      6,
      first,
      moved,
      moved,
      gone,
      gone,
      again,
      again,
    );
    expect(notices.map(({ after }) => after)).toEqual(['Bus driver', 'Software engineer']);
  });

  test.each([
    ['Checked baggage drop closes at 18:30.', 'Checked baggage drop closes at 17:15.'],
    ['Credited artists play at 19:30', 'Credited artists play at 21:00'],
    ['The free plan is for teams of up to 10 users.', 'The free plan is for teams of up to 3 users.'],
    ['The hotel has 4 stars and a garden', 'The hotel has 2 stars and a garden'],
    ['Fixed: GHSA-7rjr-3q55-vv33 in the parser', 'Fixed: GHSA-4w2v-8f93-xx11 in the parser'],
    ['Download magpie-release-20260101', 'Download magpie-release-20260909'],
    ['The last incident was on 12 March 2019.', 'The last incident was on 24 November 2026.'],
    ['The library will stand open on 5 May 2027.', 'The library will stand open on 9 June 2027.'],
  ])('from %j to %j is noticed', async (old, now) => {
    const body = (text: string) => `<h1>Town</h1><p>This page says how to travel well.</p><p>${text}</p>`;
    expect(await looksOf({}, 1, body(old), body(old), body(now), body(now))).toHaveLength(1);
  });
});
