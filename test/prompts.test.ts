import { expect, test } from 'vitest';
import { prompts } from '../prompts/index.ts';
import { pageOf } from '../src/server/mcp/paging.ts';
import { promptText } from '../src/server/mcp/prompts.ts';
import { operations } from '../tools/index.ts';

const catalog = { operations, prompts };
const given = { q: 'what was typed' };
const served = prompts.filter(({ operation }) => operations.some(({ name }) => name === operation));
const absent = prompts.filter((prompt) => !served.includes(prompt));

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
    const text = promptText(catalog, prompt, {
      ...given,
      ...(prompt.name === 'browse' && { q: 'https://example.com/' }),
    });
    const [, name, json = ''] = /Call the tool (\w+) with (\{.*?\})\./.exec(text) ?? [];
    const operation = operations.find((candidate) => candidate.name === name);
    expect(operation?.input.safeParse(JSON.parse(json)).error).toBeUndefined();
    expect(text).toContain(prompt.after);
  },
);

test.each(absent.map((prompt) => [prompt.name, prompt] as const))(
  '/%s says that its operation is not offered',
  (name, prompt) => {
    const text = promptText(catalog, prompt, given);
    expect(text).toContain(`The user typed /${name}, but this server does not offer ${prompt.operation}`);
    expect(text).not.toContain('Call the tool');
  },
);

test('both resets ask for a clear yes first', () => {
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
    const part = pageOf(items, cursor, 10);
    seen.push(...part.items);
    cursor = part.nextCursor;
    pages++;
  } while (cursor !== undefined);
  expect([seen, pages]).toEqual([items, 3]);
  for (const foreign of ['', 'x', 'LTE', Buffer.from('99').toString('base64url')]) {
    expect(() => pageOf(items, foreign, 10)).toThrow('it takes a nextCursor of this list');
  }
});
