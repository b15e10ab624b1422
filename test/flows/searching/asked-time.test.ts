import { expect, test } from 'vitest';
import { findInAskedTime } from '../../../src/flows/searching/asked-time.ts';
import type { PassageMatch, QueryOptions } from '../../../src/knowledge/types.ts';

const { signal } = new AbortController();

/** Asks a knowledge base whose entries of a limited time are `matches`. Returns the questions that it got. */
async function ask(question: string, options: QueryOptions, matches: readonly { readonly weak: boolean }[]) {
  const asked: [string, boolean][] = [];
  const knowledge = {
    async findPassages(_: string, words: string, { filter }: QueryOptions) {
      asked.push([words, filter?.since !== undefined]);
      return filter?.since === undefined ? [] : (matches as PassageMatch[]);
    },
  };
  const { fits, found } = await findInAskedTime(knowledge, 'ann', question, options, signal);
  return { asked, fits, count: found.length };
}

const BILL = 'Which bill did I pay last month?';

test('a question that names a time is asked of the entries of that time first', async () => {
  expect(await ask(BILL, {}, [{ weak: false }])).toEqual({ asked: [[BILL, true]], fits: true, count: 1 });
});

test('if that time has no close match, all entries are searched', async () => {
  const both = [
    [BILL, true],
    [BILL, false],
  ];
  expect(await ask(BILL, {}, [{ weak: true }])).toEqual({ asked: both, fits: false, count: 0 });
});

test('a given time takes the place of the named one, and a question of a time alone has no words', async () => {
  expect((await ask(BILL, { filter: { since: 1 } }, [])).asked).toEqual([[BILL, true]]);
  expect((await ask('What did I note last week?', {}, [{ weak: false }])).asked).toEqual([['', true]]);
  expect((await ask('Where is the key?', {}, [])).asked).toEqual([['Where is the key?', false]]);
});
