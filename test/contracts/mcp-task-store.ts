import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { McpTask, McpTaskStore } from '../../src/access/tasks/mcp-task.ts';

const AT = 1_800_000_000_000;

const task = (id: string, more: Partial<McpTask> = {}): McpTask => ({
  id,
  owner: 'ada',
  operation: 'scan',
  status: 'working',
  message: `it's "under way" 🐦`,

  runner: 'host 1 abc',
  inputs: { requests: {}, responses: {} },

  createdAt: AT,
  updatedAt: AT,
  beatAt: AT,
  expiresAt: AT + 60_000,
  ...more,
});

/** An empty store; `open` opens it once more, as another process does. */
export interface McpTaskPlace {
  open(): Promise<McpTaskStore>;
  remove(): Promise<void>;
}

/** What every driver of McpTaskStore does. */
export function describeMcpTaskStore(name: string, makeEmpty: () => Promise<McpTaskPlace>): void {
  describe(`${name} as McpTaskStore`, () => {
    let place: McpTaskPlace;
    let store: McpTaskStore;
    let other: McpTaskStore;
    beforeEach(async () => {
      place = await makeEmpty();
      store = await place.open();
      other = await place.open();
    });
    afterEach(() => place.remove());

    test('a task is read as it was stored, by another process too', async () => {
      const whole = task('t1', {
        status: 'input_required',
        job: '{"operation":"getScan"}',
        inputs: { requests: { '1.name': { method: 'elicitation/create' } }, responses: { a: null } },
        outcome: { result: { content: [{ type: 'text', text: '\u0000 nul and 🐦' }] } },
      });
      expect(await store.insertTask(whole, 5)).toBe(true);
      expect(await other.readTask('ada', 't1', AT)).toEqual(whole);
    });

    test('no one else reads or changes a task', async () => {
      await store.insertTask(task('t1'), 5);
      expect(await store.readTask('bob', 't1', AT)).toBeUndefined();
      expect(await store.changeTask('bob', 't1', () => ({ status: 'cancelled' }))).toBeUndefined();
      expect(await store.readTask('ada', 't1', AT)).toEqual(task('t1'));
    });

    test('an expired task is not read, and the next insertion deletes it', async () => {
      await store.insertTask(task('t1'), 1);
      expect(await store.readTask('ada', 't1', AT + 59_999)).toBeDefined();
      expect(await store.readTask('ada', 't1', AT + 60_000)).toBeUndefined();
      expect(await store.insertTask(task('t2', { createdAt: AT + 59_999 }), 1)).toBe(false);
      expect(await store.insertTask(task('t2', { createdAt: AT + 60_000, expiresAt: AT + 90_000 }), 1)).toBe(
        true,
      );
      expect(await store.changeTask('ada', 't1', () => ({ message: 'late' }))).toBeUndefined();
    });

    test('the deletion of expired tasks leaves the others', async () => {
      await store.insertTask(task('t1'), 5);
      await store.insertTask(task('b1', { owner: 'bob', expiresAt: AT + 60_001 }), 5);
      await other.deleteExpiredTasks(AT + 60_000);
      expect(await store.changeTask('ada', 't1', () => ({ message: 'late' }))).toBeUndefined();
      expect(await store.readTask('bob', 'b1', AT)).toBeDefined();
    });

    test('of tasks that are inserted at once, an owner gets as many as are allowed', async () => {
      const inserted = await Promise.all(
        Array.from({ length: 8 }, (_, at) => (at % 2 ? store : other).insertTask(task(`t${at}`), 3)),
      );
      expect(inserted.filter(Boolean)).toHaveLength(3);
      expect(await store.insertTask(task('b1', { owner: 'bob' }), 3)).toBe(true);
    });

    test('a change sees the stored task, and changes of several processes at once all count', async () => {
      await store.insertTask(task('t1', { message: '' }), 5);
      const marks = Array.from({ length: 12 }, (_, at) => String.fromCharCode(97 + at));
      await Promise.all(
        marks.map((mark, at) =>
          (at % 2 ? store : other).changeTask('ada', 't1', ({ message }) => ({ message: message + mark })),
        ),
      );
      const changed = await store.readTask('ada', 't1', AT);
      expect([...(changed?.message ?? '')].sort()).toEqual(marks);
    });

    test('a change that returns nothing changes nothing', async () => {
      await store.insertTask(task('t1'), 5);
      expect(await store.changeTask('ada', 't1', () => undefined)).toBeUndefined();
      const ended = { status: 'failed', outcome: { error: { code: -32603, message: 'no' } } } as const;
      expect(await store.changeTask('ada', 't1', () => ended)).toEqual(task('t1', ended));
      expect(await other.readTask('ada', 't1', AT)).toEqual(task('t1', ended));
    });
  });
}
