import { once } from 'node:events';
import { afterAll, expect, test, vi } from 'vitest';
import { withoutModel } from '../helpers/embeddings-api.ts';
import { environment, type RunningProcess, spawnServer, temporaryFolder } from '../helpers/magpie.ts';

/** Writers insert, and replace what keys have, over REST while the process is killed again and again: nothing that was answered is lost. */

const KILLS = 7;
const folder = temporaryFolder();
let magpie: RunningProcess | undefined;
afterAll(async () => {
  magpie?.process.kill('SIGKILL');
  folder.remove();
});

/** Texts by the id that the insert was answered with. */
const answered = new Map<string, string>();
let number = 0;

/** Inserts until the process is gone; several at a time, so that some are under way when it goes. */
async function write(url: string): Promise<void> {
  for (;;) {
    const n = ++number;
    const text = `Fact ${n} with the key zk${n}k.${n % 5 === 0 ? ' More words follow. '.repeat(100) : ''}`;
    try {
      const response = await fetch(new URL('/upsertjson', url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ q: text }),
      });
      if (response.status !== 200) throw new Error(`answered ${response.status}`);
      const { id } = (await response.json()) as { id: string };
      answered.set(id, text);
    } catch {
      return;
    }
  }
}

async function entries(url: string): Promise<{ id: string; text: string }[]> {
  const init = { jsonrpc: '2.0', id: 1, method: 'resources/read' };
  const found: { id: string; text: string }[] = [];
  let next: string | undefined = 'kb://entries';
  while (next) {
    const response = await fetch(new URL('/mcp', url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'resources/read',
        'mcp-name': next,
      },
      body: JSON.stringify({
        ...init,
        params: {
          uri: next,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    });
    const { result } = (await response.json()) as { result: { contents: { text: string }[] } };
    const page = JSON.parse(result.contents[0]?.text ?? '') as {
      entries: { id: string; beginning: string }[];
      next?: string;
    };
    found.push(...page.entries.map(({ id, beginning }) => ({ id, text: beginning })));
    next = page.next;
  }
  return found;
}

async function isFound(url: string, id: string, text: string): Promise<void> {
  const key = /zk\d+k/.exec(text)?.[0] ?? '';
  const response = await fetch(new URL(`/query?q=${key}&topK=3`, url));
  const { matches } = (await response.json()) as { matches: { id: string; metadata: { text: string } }[] };
  const said = matches.map((match) => ({ id: match.id, said: match.metadata.text.includes(key) }));
  expect(said[0]).toEqual({ id, said: true });
  expect(said.filter((match) => match.said)).toHaveLength(1);
}

const KEYS = ['colour', 'car', 'city'];
/** By key: the number that was answered last, and the last that was sent. */
const keyed = new Map(KEYS.map((key) => [key, { answered: -1, sent: -1 }]));

/** Replaces the text of a key again and again until the process is gone. */
async function replace(url: string, key: string): Promise<void> {
  const state = keyed.get(key);
  if (!state) return;
  for (;;) {
    const n = ++state.sent;
    // Of several passages each other time, so that a replacement is many rows.
    const text = `The ${key} is number${n}n.${n % 2 ? ' More words follow. '.repeat(100) : ''}`;
    try {
      const response = await fetch(new URL('/upsertjson', url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ q: text, key, collection: 'keyed' }),
      });
      if (response.status !== 200) return;
      state.answered = n;
    } catch {
      return;
    }
  }
}

interface Listed {
  readonly entries: { readonly id: string; readonly text: string; readonly key?: string }[];
}

/** Each key has one text: the one that was answered last, or the one that was sent after it; whole, and found as it is. */
async function keysAreSound(url: string): Promise<void> {
  const response = await fetch(new URL('/listEntries?collection=keyed&whole=true', url));
  const { entries: there } = (await response.json()) as Listed;
  const written = [...keyed].filter(([, { answered }]) => answered >= 0);
  expect(there.map(({ key }) => key ?? '')).toEqual(expect.arrayContaining(written.map(([key]) => key)));
  expect(new Set(there.map(({ key }) => key)).size).toBe(there.length);
  for (const { key = '', text } of there) {
    const { answered: least = -1, sent = -1 } = keyed.get(key) ?? {};
    const n = Number(/number(\d+)n/.exec(text)?.[1]);
    expect(n).toBeGreaterThanOrEqual(least);
    expect(n).toBeLessThanOrEqual(sent);
    expect(text.length > 1000).toBe(n % 2 === 1);
    const found = await fetch(new URL(`/query?q=${key}+number${n}n&collection=keyed&topK=100`, url));
    const { matches } = (await found.json()) as { matches: { metadata: { key: string; text: string } }[] };
    const numbers = matches
      .filter(({ metadata }) => metadata.key === key)
      .flatMap(({ metadata }) => metadata.text.match(/number\d+n/g) ?? []);
    expect(numbers).toEqual([`number${n}n`]);
    // What the next process sends comes after what this one has.
    const state = keyed.get(key);
    if (state) state.answered = n;
  }
}

/** Every entry that was answered is there, and once; one that was not may be there or not, but whole. */
async function entriesAreSound(url: string): Promise<void> {
  const there = await entries(url);
  const ids = there.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining([...answered.keys()]));
  const numbers = there.flatMap(({ text }) => /zk\d+k/.exec(text)?.[0] ?? []);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(
    there.filter(({ text }) => !/^Fact \d+ with the key zk\d+k\.|^The \w+ is number\d+n\./.test(text)),
  ).toEqual([]);
}

test('a process that is killed again and again loses no answered write, and a key has its old or its new text, never none or both [knowledge.durable] [knowledge.collections]', async () => {
  const env = { ...environment(folder.path), ...(await withoutModel()) };
  for (let kill = 0; kill <= KILLS; kill++) {
    const running = await spawnServer(env);
    magpie = running;
    await entriesAreSound(running.url);
    for (const [id, text] of [...answered].slice(-4)) await isFound(running.url, id, text);
    await keysAreSound(running.url);
    if (kill === KILLS) break;

    const writers = [
      ...[1, 2, 3].map(() => write(running.url)),
      ...KEYS.map((key) => replace(running.url, key)),
    ];
    // On a busy machine a write takes its time: one of each is answered, others are under way.
    const before = [answered.size, ...[...keyed.values()].map(({ answered: last }) => last)];
    const moved = () =>
      [answered.size, ...[...keyed.values()].map(({ answered: last }) => last)].every(
        (now, at) => now > (before[at] ?? -1),
      );
    await vi.waitUntil(moved, { timeout: 60_000, interval: 5 });
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 200));
    const exit = once(running.process, 'exit');
    running.process.kill('SIGKILL');
    await exit;
    await Promise.all(writers);
  }
  const url = magpie?.url ?? '';
  for (const [id, text] of answered) await isFound(url, id, text);
  expect(answered.size).toBeGreaterThanOrEqual(KILLS);
  expect(await magpie?.stop()).toBe(0);
});
