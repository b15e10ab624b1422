import { expect, test } from 'vitest';
import { prompts } from '../prompts/index.ts';
import { sliceListPage } from '../src/server/mcp/paging.ts';
import { promptText } from '../src/server/mcp/prompts.ts';
import { operations } from '../tools/index.ts';

const catalog = { operations, prompts };
const all = () => true;
const given = { q: 'what was typed' };
const served = prompts.filter(({ operation }) => operations.some(({ name }) => name === operation));

/** Every operation of the contract that a command may name. */
const CONTRACT =
  'search ultrafastsearch browse upsert upsertToUsersKnowledgeBase insert query queryUsersKnowledgeBase pdfsearch ' +
  'resetUsersKnowledgeBase reset help list pdfload';

test('the commands are the contract’s fifteen, in its order', () => {
  expect(prompts.map(({ name }) => `/${name}`).join(', ')).toBe(
    '/search, /ultrafastsearch, /browse, /upsert, /savetopkb, /insert, /query, /pkb, /pdfsearch, /resetKnowledgeBase, /reset, /help, /list, /ls, /pdfload',
  );
  expect(prompts.filter(({ operation }) => !CONTRACT.split(' ').includes(operation))).toEqual([]);
});

test.each(served.map((prompt) => [prompt.name, prompt] as const))(
  '/%s calls its operation with usable arguments',
  (_name, prompt) => {
    const text = promptText(
      catalog,
      prompt,
      {
        ...given,
        ...(prompt.name === 'browse' && { q: 'https://example.com/' }),
      },
      all,
    );
    const [, name, json = ''] = /Call the tool (\w+) with (\{.*?\})\./.exec(text) ?? [];
    const operation = operations.find((candidate) => candidate.name === name);
    expect(operation?.input.safeParse(JSON.parse(json)).error).toBeUndefined();
    expect(text).toContain(prompt.after);
    expect(prompt.arguments.findIndex(({ name }) => name === 'q')).toBe(prompt.arguments.length > 0 ? 0 : -1);
    expect(prompt.arguments.filter(({ required }) => required).length).toBe(
      Math.min(1, prompt.arguments.length),
    );
  },
);

test('arguments are checked like parameters, and the error names the argument and the accepted values', () => {
  const textOf = (name: string, values: Record<string, string>) => {
    const prompt = prompts.find((candidate) => candidate.name === name);
    if (!prompt) throw new Error(`there is no ${name}`);
    return promptText(catalog, prompt, values, all);
  };
  const q = 'how do magpies recognise themselves';
  expect(textOf('search', { q, percentile: ' 50 ', numofpages: '' })).toContain(
    JSON.stringify({ q, percentile: 50, numofpages: 3 }),
  );
  const percentile = 'percentile is "%": it takes a whole number from 1 to 100';
  for (const wrong of ['do', '0', '101', '3.5']) {
    expect(() => textOf('search', { q, percentile: wrong })).toThrow(percentile.replace('%', wrong));
  }
  expect(() => textOf('search', { q: 'nests', percentile: '0' })).toThrow(percentile.replace('%', '0'));
  expect(() => textOf('search', { q: ' ' })).toThrow('no query was provided: q is required');
  expect(() => textOf('browse', { q: 'nests' })).toThrow('q is "nests": it takes an http or https URL');
  expect(() => textOf('browse', { q: 'https://example.com/', percentile: 'please' })).toThrow(
    'percentile is',
  );
  expect(() => textOf('search', { question: 'nests' })).toThrow(
    'unknown argument "question": /search takes q, percentile, numofpages',
  );
});

test.each([
  [{ q: 'how', percentile: 'do' }, 'how do'],
  [{ q: 'how', percentile: 'do', numofpages: 'magpies' }, 'how do magpies'],
  [
    { q: 'how', percentile: 'do', numofpages: 'magpies recognise themselves' },
    'how do magpies recognise themselves',
  ],
  [{ q: 'how', percentile: 'do magpies' }, 'how do magpies'],
  [{ q: 'top', percentile: '10', numofpages: 'nests' }, 'top 10 nests'],
])('a client that splits the typed text at blanks asks the whole question: %j', (values, question) => {
  for (const prompt of prompts.filter(({ name }) => /search/.test(name) && name !== 'pdfsearch')) {
    const text = promptText(catalog, prompt, values, all);
    expect(text).toContain(`{"q":${JSON.stringify(question)},"percentile":`);
    expect(text).toContain('take all of it as q');
  }
});

test('both resets ask for a clear confirmation first', () => {
  const resets = prompts.filter(({ operation }) => /reset/i.test(operation));
  expect(resets).toHaveLength(2);
  for (const { before } of resets) expect(before).toContain('only after a clear yes');
});

test('a list is paged to its end, and a foreign cursor is refused', () => {
  const items = Array.from({ length: 25 }, (_, i) => i);
  const seen: number[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const part = sliceListPage(items, cursor, 10);
    seen.push(...part.items);
    cursor = part.nextCursor;
    pages++;
  } while (cursor !== undefined);
  expect([seen, pages]).toEqual([items, 3]);
  for (const foreign of ['', 'x', 'LTE', Buffer.from('99').toString('base64url')]) {
    expect(() => sliceListPage(items, foreign, 10)).toThrow('it takes a nextCursor of this list');
  }
});

test('every argument that a prompt requires is required', () => {
  for (const prompt of prompts)
    for (const { name } of prompt.arguments.filter(({ required }) => required))
      expect(
        () => promptText({ operations, prompts }, prompt, { [name]: ' ' }, () => true),
        prompt.name,
      ).toThrow(`${name} is required`);
});
