import { describe, expect, test } from 'vitest';
import { findContradiction, readTextStatements } from '../../../src/knowledge/entries/contradiction.ts';
import LANGUAGES from './opposite-statements.json' with { type: 'json' };

/** Names that a team may use in place of each other, written alike in all languages. */
const TOOLS = ['PostgreSQL', 'MySQL', 'Slack'] as const;

function differenceOf(older: string, newer: string): string | undefined {
  const [before, after] = [readTextStatements(older), readTextStatements(newer)];
  return before && after && findContradiction(before, after)?.differs;
}

const fill = (template: string, who: string, what: string, next = ''): string =>
  template.replace('{s}', who).replace('{x}', what).replace('{y}', next);

/** Pairs of sentences, of which `named` are said to contradict each other. */
function judge(pairs: readonly (readonly [string, string])[]) {
  const named = pairs.filter(([older, newer]) => differenceOf(older, newer) !== undefined);
  const missed = pairs.filter((pair) => !named.includes(pair));
  return { share: Math.round((100 * named.length) / pairs.length) / 100, named, missed };
}

describe.each(Object.entries(LANGUAGES))('in %s', (_, { people, things, opposites, replaced }) => {
  const filled = opposites.flatMap(([one = '', other = '']) =>
    people.flatMap((who) => things.map((what) => ({ one, other, who, what }))),
  );

  test('what someone loves and then hates is named, and the other way round', () => {
    const pairs = filled.map(
      ({ one, other, who, what }) => [fill(one, who, what), fill(other, who, what)] as const,
    );
    expect(judge(pairs).missed).toEqual([]);
    expect(judge(pairs.map(([older, newer]) => [newer, older] as const)).missed).toEqual([]);
  });

  test('what another person hates, and another thing that someone hates, is not named', () => {
    const pairs = filled.flatMap(({ one, other, who, what }) => [
      ...people
        .filter((person) => person !== who)
        .map((person) => [fill(one, who, what), fill(other, person, what)] as const),
      ...things
        .filter((thing) => thing !== what)
        .map((thing) => [fill(one, who, what), fill(other, who, thing)] as const),
    ]);
    expect(judge(pairs).named).toEqual([]);
    expect(judge(pairs.map(([older, newer]) => [newer, older] as const)).named).toEqual([]);
  });

  test('two likings, and the same said twice, are not named', () => {
    const pairs = filled.flatMap(({ one, other, who, what }) =>
      [one, other].flatMap((template) =>
        things.map((thing) => [fill(template, who, what), fill(template, who, thing)] as const),
      ),
    );
    expect(judge(pairs).named).toEqual([]);
  });

  test('a value that is replaced by name is named, and that of another person or another value is not', () => {
    const [same, other]: [[string, string][], [string, string][]] = [[], []];
    for (const [held = '', change = ''] of replaced)
      for (const who of people)
        for (const [at, was] of TOOLS.entries()) {
          const [now, third] = [TOOLS[(at + 1) % 3] ?? '', TOOLS[(at + 2) % 3] ?? ''];
          same.push([fill(held, who, was), fill(change, who, was, now)]);
          other.push([fill(held, who, third), fill(change, who, was, now)]);
          other.push([fill(held, who, now), fill(change, who, was, now)]);
          for (const person of people)
            if (person !== who) other.push([fill(held, person, was), fill(change, who, was, now)]);
        }
    expect(judge(same).missed).toEqual([]);
    expect(judge(other).named).toEqual([]);
  });
});

describe('a replacement', () => {
  test.each([
    ['We use AWS for hosting.', 'We moved DNS from AWS to Cloudflare.'],
    ['I keep my keys in the kitchen.', 'I moved the plants from the kitchen to the balcony.'],
    ['The team is in Berlin.', 'The team moved its servers from Berlin to Paris.'],
    ['Anna lives in Rome.', 'Anna moved her money from Rome to Milan.'],
    ['Anna lives in Rome.', 'Anna changed trains from Rome to Milan.'],
    ['My password is swordfish.', 'I changed my PIN from swordfish to fish.'],
    ['My name is Anna.', 'I renamed the file from Anna to Ben.'],
    ['We use Slack.', 'We have not switched from Slack to Teams.'],
    ['Ich wohne in München.', 'Ich habe das Paket von München nach Bonn gewechselt.'],
    ['Ana vive en Roma.', 'Ana cambió trenes de Roma a Milán.'],
    ['Мы используем AWS.', 'Мы перевели архив с AWS на Selectel.'],
  ])('of one thing is none of another thing: %s %s', (older, newer) => {
    expect(differenceOf(older, newer)).toBeUndefined();
    expect(differenceOf(newer, older)).toBeUndefined();
  });

  test.each([
    ['I work in Berlin.', 'I work from home instead of Berlin on Mondays.'],
    ['I drink coffee.', 'I drink tea instead of coffee when I am ill.'],
    ['I drink coffee.', 'On Mondays I drink tea instead of coffee.'],
    ['We use Docker on servers.', 'We use Podman instead of Docker on laptops.'],
    ['I use Vim.', 'I used Emacs instead of Vim today.'],
    ['Anna plays piano.', 'Anna plays guitar instead of piano at weekends.'],
    ['I speak English.', 'I speak German instead of English at home.'],
    ['Ich trinke Kaffee.', 'Ich trinke heute Tee statt Kaffee.'],
    ['Je bois du café.', 'Je bois du thé au lieu de café le matin.'],
  ])('at some times or places is no change: %s %s', (older, newer) => {
    expect(differenceOf(older, newer)).toBeUndefined();
  });

  test.each([
    ['We use AWS for DNS.', 'We moved DNS from AWS to Cloudflare.', 'AWS → Cloudflare'],
    ['My password is swordfish.', 'I changed my password from swordfish to fish.', 'swordfish → fish'],
    ['We use AWS.', 'We moved completely over from AWS to Hetzner.', 'AWS → Hetzner'],
    ['I drink coffee on Mondays.', 'I drink tea instead of coffee on Mondays.', 'coffee on Mondays → tea'],
    ['I drink coffee.', 'I drink tea instead of coffee because it is mild.', 'coffee → tea'],
  ])('of the same thing is named: %s %s', (older, newer, differs) => {
    expect(differenceOf(older, newer)).toBe(differs);
  });
});

describe('an opposite', () => {
  test.each([
    ['Rejected applications are kept for 2 years.', 'Accepted applications are kept for 2 years.'],
    ['Failed jobs are shown in red for a week.', 'Passed jobs are shown in red for a week.'],
    ['Closed tickets are kept for 2 years.', 'Open tickets are kept for 2 years.'],
    ['The active user is Tom.', 'The disabled user is Tom.'],
    ['The ban on plastic is in force.', 'The permit on plastic is in force.'],
    ['Fruits like apples are cheap.', 'Fruits hate apples.'],
    ['I sold the car.', 'I bought a car.'],
    ['Ich habe ein Auto gekauft.', 'Ich habe das Auto verkauft.'],
    ['我买了苹果股票。', '我卖了苹果股票。'],
    ['I like my new boss.', 'I hate my boss.'],
    ['I like my old job.', 'I hate my job.'],
    ['Ich mag meine neue Chefin.', 'Ich hasse meine Chefin.'],
    ['I hated school.', 'I like school.'],
    ['Het huis staat in Gent.', 'Het huis verbiedt Gent.'],
    ['Anna sta a Roma.', 'Anna vieta Roma.'],
  ])('before the verb, of another thing or of another time is none: %s %s', (one, other) => {
    expect(differenceOf(one, other)).toBeUndefined();
    expect(differenceOf(other, one)).toBeUndefined();
  });
});

test('who someone is now is named, although the address has changed too', () => {
  const weber = 'Our dentist is Dr. Weber at Lindenstrasse 4.';
  expect(differenceOf(weber, 'Our dentist is now Dr. Okafor at Marktplatz 2.')).toBe('Weber → Okafor');
  expect(differenceOf('Our dentist is Weber.', 'Our dentist is now Okafor.')).toBe('Weber → Okafor');
  expect(differenceOf('Our friend is Weber.', 'Our friend is now Okafor.')).toBeUndefined();
  expect(differenceOf(weber, 'The dentist of the dog is now Dr. Okafor at Marktplatz 2.')).toBeUndefined();
});
