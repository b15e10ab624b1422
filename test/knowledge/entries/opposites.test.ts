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
