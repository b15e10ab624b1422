import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prompts } from '../../prompts/index.ts';
import { type Caller, localCaller } from '../../src/caller.ts';
import { loadConfig } from '../../src/config/config.ts';
import { AppError } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import { noMetrics } from '../../src/metrics.ts';
import { invokeOperation, type OperationPipeline } from '../../src/server/invoke.ts';
import { createChangeNotifications } from '../../src/server/mcp/resources/change-notifications.ts';
import {
  checkResource,
  completeResource,
  listResources,
  readResource,
} from '../../src/server/mcp/resources/resources.ts';
import { createServices, type Services } from '../../src/wiring/services.ts';
import { operations } from '../../tools/index.ts';
import { type EmbeddingsApi, startEmbeddingsApi } from '../helpers/embeddings-api.ts';
import { environment, temporaryFolder } from '../helpers/magpie.ts';

/** Two users at once under random operations: nothing of one ever shows to the other. */

const folder = temporaryFolder();
const logged: string[] = [];
const log = createLog('error', (line) => logged.push(line));
let embeddings: EmbeddingsApi;
let services: Services;
let pipe: OperationPipeline;

beforeAll(async () => {
  embeddings = await startEmbeddingsApi();
  const env = { ...environment(folder.path), ...embeddings.settings, MAGPIE_ENGINES: 'local' };
  services = createServices(loadConfig({}, env), log);
  pipe = {
    catalog: { operations, prompts },
    services,
    log,
    metrics: noMetrics,
    callTimeout: 20_000,
    responseBytes: 4_000_000,
    running: new Set(),
  };
});
afterAll(async () => {
  await services.lifecycle.close();
  await embeddings.close();
  folder.remove();
});

/** What a user does; numbers choose among what there is. */
type Step = readonly [
  (
    | 'keep'
    | 'long'
    | 'key'
    | 'edit'
    | 'change'
    | 'forget'
    | 'ask'
    | 'hybrid'
    | 'count'
    | 'file'
    | 'unfile'
    | 'reset'
    | 'list'
    | 'entries'
    | 'read'
    | 'complete'
    | 'steal'
  ),
  number,
];

const step = fc.tuple(
  fc.constantFrom<Step[0]>(
    'keep',
    'keep',
    'keep',
    'long',
    'key',
    'key',
    'edit',
    'change',
    'forget',
    'ask',
    'ask',
    'hybrid',
    'count',
    'file',
    'unfile',
    'reset',
    'list',
    'entries',
    'read',
    'complete',
    'steal',
    'steal',
  ),
  fc.nat(1000),
);

const SUBJECTS = ['magpies', 'the garden', 'a password', 'the meeting', 'apples'];
const signal = new AbortController().signal;

/** A user with a word that stands in all that is theirs, and a model of what they have. */
class User {
  readonly caller: Caller;
  readonly word: string;
  /** Text by id. */
  readonly entries = new Map<string, string>();
  /** Names by id, where it has any: both users take the same ones. */
  readonly names = new Map<string, { readonly collection: string; readonly key: string }>();
  readonly notices: string[] = [];
  #kept = 0;

  constructor(name: string) {
    this.caller = localCaller(name, 'http');
    this.word = `zq${name}zq`;
  }

  text(n: number): string {
    return `Note ${n} of ${this.word} about ${SUBJECTS[n % SUBJECTS.length]}.`;
  }

  async call(operation: string, input: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { output } = await invokeOperation(pipe, {
      operation,
      input,
      caller: this.caller,
      signal,
      unknown: 'reject',
    });
    return output;
  }

  /** Everything that the step brought back to this user, as text. */
  async take([what, n]: Step, other: User): Promise<unknown> {
    const ids = [...this.entries.keys()];
    const id = ids[n % ids.length];
    const scope = { caller: this.caller, services };
    switch (what) {
      case 'keep':
      case 'long': {
        const text = what === 'keep' ? this.text(++this.#kept) : `${this.text(++this.#kept)}\n\n`.repeat(60);
        const kept = await this.call('upsert', { q: text, tags: ['shared', this.word] });
        this.entries.set(String(kept.id), text);
        return kept;
      }
      case 'key': {
        const [collection, key] = [n % 2 ? 'default' : 'shared garden', `key ${n % 3}`];
        const text = this.text(++this.#kept);
        const kept = await this.call('upsert', { q: text, collection, key, tags: ['shared'] });
        const holder = [...this.names].find(([, one]) => one.collection === collection && one.key === key);
        if (holder) expect(kept.id).toBe(holder[0]);
        else expect(this.entries.has(String(kept.id))).toBe(false);
        this.entries.set(String(kept.id), text);
        this.names.set(String(kept.id), { collection, key });
        return kept;
      }
      case 'edit': {
        if (id === undefined) return undefined;
        const text = this.text(++this.#kept);
        const changed = await this.call('updateEntry', { id, text, title: `A title of ${this.word}` });
        this.entries.set(id, text);
        return changed;
      }
      case 'change': {
        if (id === undefined) return undefined;
        const text = this.text(++this.#kept);
        const changed = await this.call('upsert', { q: text, id });
        this.entries.set(id, text);
        return changed;
      }
      case 'forget': {
        if (id === undefined) return undefined;
        const gone = await this.call('deleteEntry', { id });
        expect(gone.deleted).toBe(1);
        this.entries.delete(id);
        this.names.delete(id);
        return gone;
      }
      case 'ask': {
        const q =
          n % 2 ? `${other.word} ${SUBJECTS[n % SUBJECTS.length]}` : (SUBJECTS[n % SUBJECTS.length] ?? '');
        const found = await this.call('query', { q, topK: 100, neighbours: 1, includeValues: n % 3 === 0 });
        const matches = found.matches as { metadata: { text: string; uri: string } }[];
        for (const { metadata } of matches) expect(metadata.text).not.toContain(other.word);
        const entries = matches.filter(({ metadata }) => metadata.uri.startsWith('kb:'));
        if (this.entries.size === 0) expect(entries).toEqual([]);
        // The note may repeat words of the asker's own question: those that no text of the asker has.
        const { note = '', ...rest } = found as { note?: string };
        return [rest, note.replaceAll(other.word, '')];
      }
      case 'hybrid':
        return this.call('hybrid', { q: SUBJECTS[n % SUBJECTS.length], percentile: 3, numofpages: 10 });
      case 'count': {
        const counted = await this.call('metadatakb', { q: '' });
        const [match] = counted.matches as { metadata: { records: number; bytes: number } }[];
        expect(match?.metadata.records).toBe(this.entries.size);
        const bytes = [...this.entries.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
        expect(match?.metadata.bytes).toBe(bytes);
        return counted;
      }
      case 'file': {
        const knowledge = await services.knowledge();
        const pages = [`Page one of ${this.word} on magpies.`, `Page two of ${this.word} on apples.`];
        return knowledge.putDocument(this.caller.id, { name: 'shared.pdf' }, pages, signal);
      }
      case 'unfile':
        return (await services.knowledge()).removeDocument(this.caller.id, 'shared.pdf');
      case 'reset': {
        // Once in a while: else there is never much to see.
        if (n % 4 > 0) return undefined;
        const gone = await this.call('reset', { q: '' });
        expect(gone.deleted).toBe(this.entries.size);
        this.entries.clear();
        this.names.clear();
        return gone;
      }
      case 'list': {
        const listed = await listResources(scope, undefined);
        const own = listed.resources.filter(({ uri }) => uri.startsWith('kb://entries/'));
        expect(own).toHaveLength(Math.min(50, this.entries.size));
        const seen: unknown[] = [listed];
        for (const list of ['entries', 'stats', 'collections', 'tags', 'trash']) {
          seen.push(await readResource(scope, `kb://${list}`));
        }
        return seen;
      }
      case 'entries':
        return this.#list(n % 2 === 0);
      case 'read':
        return id === undefined ? undefined : readResource(scope, `kb://entries/${id}`);
      case 'complete': {
        const names = ['id', 'collection', 'tag'];
        const name = names[n % 3] ?? '';
        const { values } = await completeResource(
          scope,
          'kb://entries/{id}',
          name,
          n % 2 ? other.caller.id : '',
        );
        return values;
      }
      case 'steal':
        return this.#steal(other, n);
    }
  }

  /** All entries in pages, or those of one collection. */
  async #list(ofCollection: boolean): Promise<unknown> {
    const expected = new Map(
      [...this.entries].filter(([id]) => !ofCollection || this.names.get(id)?.collection === 'shared garden'),
    );
    const listed = new Map<string, unknown>();
    const pages: unknown[] = [];
    for (let cursor: unknown, first = true; first || cursor !== undefined; first = false) {
      const collection = ofCollection ? { collection: 'Shared Garden' } : {};
      const page = await this.call('listEntries', {
        ...collection,
        limit: 7,
        whole: true,
        ...(cursor !== undefined && { cursor }),
      });
      for (const { id, text, key } of page.entries as { id: string; text: string; key?: string }[]) {
        listed.set(id, text);
        expect(key).toBe(this.names.get(id)?.key);
      }
      pages.push(page);
      cursor = page.next;
    }
    expect(listed).toEqual(expected);
    return pages;
  }

  /** Another's entry answers as one that is not there, whatever is tried with it. */
  async #steal(other: User, n: number): Promise<unknown> {
    const ids = [...other.entries.keys()];
    const theirs = ids[n % ids.length];
    if (theirs === undefined) return undefined;
    const absent = `${other.caller.id}-1000000000000000`;
    const scope = { caller: this.caller, services };
    const tries: ((id: string) => Promise<unknown>)[] = [
      (id) => this.call('deleteEntry', { id }),
      (id) => this.call('upsert', { q: `stolen by ${this.word}`, id }),
      (id) => this.call('updateEntry', { id, text: `stolen by ${this.word}` }),
      (id) => this.call('listEntries', { id }),
      (id) => readResource(scope, `kb://entries/${id}`),
      (id) => checkResource(scope, `kb://entries/${id}`),
    ];
    const attempt = tries[n % tries.length];
    const answers = [];
    for (const id of [theirs, absent]) {
      const answer = await attempt?.(id).catch((error: unknown) => {
        if (error instanceof AppError) return `${error.code}: ${error.message}`;
        throw error;
      });
      answers.push(JSON.stringify(answer).replaceAll(id, 'ID'));
    }
    expect(answers[0]).toBe(answers[1]);
    return undefined;
  }
}

let run = 0;

async function play(steps: readonly (readonly [Step, Step])[]): Promise<void> {
  run++;
  const users = [new User(`ada${run}`), new User(`bob${run}`)] as const;
  const notifications = createChangeNotifications(services, log);
  for (const user of users) notifications.follow(user.caller.id, (uris) => void user.notices.push(...uris));
  const act = async (user: User, other: User, own: readonly Step[]) => {
    for (const one of own) {
      const seen = await user.take(one, other).catch((error: unknown) => {
        if (error instanceof AppError && one[0] === 'hybrid') return error.message;
        throw error;
      });
      const text = JSON.stringify(seen) ?? '';
      expect(text).not.toContain(other.word);
      expect(text).not.toContain(`${other.caller.id}-`);
    }
  };
  const [ada, bob] = users;
  await Promise.all([
    act(
      ada,
      bob,
      steps.map(([one]) => one),
    ),
    act(
      bob,
      ada,
      steps.map(([, two]) => two),
    ),
  ]);
  for (const [user, other] of [[ada, bob] as const, [bob, ada] as const]) {
    const knowledge = await services.knowledge();
    const { entries } = await knowledge.listEntries(user.caller.id, 1000);
    expect(new Map(entries.map(({ id, text }) => [id, text]))).toEqual(user.entries);
    expect(user.notices.join(' ')).not.toContain(other.caller.id);
  }
  notifications.close();
}

test('nothing of one user is visible to another [knowledge.isolated]', async () => {
  await fc.assert(fc.asyncProperty(fc.array(fc.tuple(step, step), { minLength: 10, maxLength: 40 }), play), {
    numRuns: 8,
    interruptAfterTimeLimit: 20_000,
  });
  expect(logged).toEqual([]);
});

test('the same text, file name and tags of two users are stored separately [knowledge.isolated]', async () => {
  const [ada, bob] = [localCaller('same-ada', 'http'), localCaller('same-bob', 'http')];
  const knowledge = await services.knowledge();
  const ids = [];
  for (const { id } of [ada, bob]) {
    ids.push((await knowledge.insertEntry(id, { text: 'the very same words', tags: ['t'] }, signal)).id);
    await knowledge.putDocument(id, { name: 'one.pdf' }, [`words of ${id}`], signal);
  }
  expect(ids).toEqual([expect.stringMatching(/^same-ada-/), expect.stringMatching(/^same-bob-/)]);
  await knowledge.removeAllEntries(ada.id);
  await knowledge.removeDocument(ada.id, 'one.pdf');
  expect(await knowledge.findPassages(ada.id, 'the very same words', {}, signal)).toEqual([]);
  const left = await knowledge.findPassages(bob.id, 'words', { filter: {} }, signal);
  expect(left.map(({ passage }) => passage.text).sort()).toEqual([
    'the very same words',
    'words of same-bob',
  ]);
});
