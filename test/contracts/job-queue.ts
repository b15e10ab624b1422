import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { type JobKind, type JobQueue, type JobRun, LostJob } from '../../src/lib/concurrency/job-queue.ts';
import { createLimiter } from '../../src/lib/concurrency/limiter.ts';

/** An empty queue that works; `open` opens it once more, as another process does. */
export interface JobPlace {
  open(): Promise<JobQueue>;
  remove(): Promise<void>;
}

export const KIND: JobKind = { name: 'test', longestMs: 60_000 };

/** A worker whose runs last until they are ended, or aborted. */
export function heldWorker(atOnce: number) {
  const runs: JobRun[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const dropped: string[] = [];
  return {
    runs,
    dropped,
    ids: () => runs.map(({ id }) => id),
    end: (id: string, error?: Error) => ends.get(id)?.(error),
    worker: {
      places: createLimiter({ concurrency: atOnce }),
      atOnce,
      run: (run: JobRun) => {
        runs.push(run);
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        ends.set(run.id, (error) => (error ? reject(error) : resolve()));
        run.signal.addEventListener('abort', () => reject(run.signal.reason), { once: true });
        return promise;
      },
      async drop(id: string) {
        dropped.push(id);
      },
    },
  };
}

const nothing = async () => {};

/** What every driver of JobQueue does. */
export function describeJobQueue(name: string, makeEmpty: () => Promise<JobPlace>): void {
  describe(`${name} as JobQueue`, () => {
    let place: JobPlace;
    let queue: JobQueue;
    beforeEach(async () => {
      place = await makeEmpty();
      queue = await place.open();
    });
    afterEach(async () => {
      await queue.close();
      await place.remove();
    });
    const send = (id: string, owner = 'ann', kind = KIND) => queue.send(kind, { id, owner }, nothing);

    test('a job is run once it is stored, and is kept until it has ended', async () => {
      const { worker, ids, end } = heldWorker(2);
      queue.handle(KIND, worker);
      const stored: string[] = [];
      await queue.send(KIND, { id: 'a', owner: 'ann' }, async () => {
        expect(ids()).toEqual([]);
        stored.push('a');
      });
      expect(stored).toEqual(['a']);
      await expect.poll(ids).toEqual(['a']);
      expect(await queue.isPending(KIND, 'a')).toBe(true);
      expect(await queue.isPending(KIND, 'b')).toBe(false);
      end('a');
      await expect.poll(() => queue.isPending(KIND, 'a')).toBe(false);
      expect(ids()).toEqual(['a']);
    });

    test('a job that cannot be stored is not run', async () => {
      const { worker, ids, end } = heldWorker(1);
      queue.handle(KIND, worker);
      await expect(
        queue.send(KIND, { id: 'a', owner: 'ann' }, () => Promise.reject(new Error('full'))),
      ).rejects.toThrow('full');
      expect(await queue.isPending(KIND, 'a')).toBe(false);
      await send('b');
      await expect.poll(ids).toEqual(['b']);
      end('b');
    });

    test('a job that its kind refuses is neither stored nor run', async () => {
      const { worker, ids, end } = heldWorker(1);
      const kind: JobKind = {
        ...KIND,
        refuse: ({ waiting, ownWaiting, ownRunning }) =>
          ownWaiting >= 1
            ? new AppError('rate_limited', `${waiting} ${ownWaiting} ${ownRunning}`)
            : undefined,
      };
      queue.handle(kind, worker);
      await send('a', 'ann', kind);
      await expect.poll(ids).toEqual(['a']);
      await send('b', 'ann', kind);
      let stored = false;
      const refused = queue.send(kind, { id: 'c', owner: 'ann' }, async () => {
        stored = true;
      });
      await expect(refused).rejects.toMatchObject({ code: 'rate_limited', message: '1 1 1' });
      expect([stored, await queue.isPending(kind, 'c')]).toEqual([false, false]);
      await send('d', 'bob', kind);
      for (const id of ['a', 'd', 'b']) {
        await expect.poll(ids).toContain(id);
        end(id);
      }
      await expect.poll(() => queue.isPending(kind, 'b')).toBe(false);
      expect(ids()).toHaveLength(3);
    });

    test('owners take turns, however many jobs one owner has', async () => {
      const { worker, ids, end } = heldWorker(1);
      queue.handle(KIND, worker);
      for (const id of ['a1', 'a2', 'a3', 'a4']) await send(id);
      await expect.poll(ids).toEqual(['a1']);
      await send('b1', 'bob');
      await send('b2', 'bob');
      for (let at = 1; at <= 5; at++) {
        end(ids().at(-1) ?? '');
        await expect.poll(() => ids().length).toBe(at + 1);
      }
      end(ids().at(-1) ?? '');
      expect(ids().toSorted()).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2']);
      // Both of bob's come before the last two of ann's.
      expect(
        ids()
          .slice(0, 4)
          .filter((id) => id.startsWith('b')),
      ).toEqual(['b1', 'b2']);
    });

    test('a waiting job is cancelled before it begins, a running job is aborted, and the other jobs continue', async () => {
      const { worker, ids, runs, end } = heldWorker(1);
      queue.handle(KIND, worker);
      for (const id of ['a', 'b', 'c']) await send(id);
      await expect.poll(ids).toEqual(['a']);
      await queue.cancel(KIND, 'b');
      expect(await queue.isPending(KIND, 'b')).toBe(false);
      await queue.cancel(KIND, 'a');
      expect(runs[0]?.signal.aborted).toBe(true);
      await expect.poll(ids).toEqual(['a', 'c']);
      end('c');
      await queue.cancel(KIND, 'none');
    });

    test('closing aborts running jobs and accepts no new jobs', async () => {
      const { worker, ids, runs } = heldWorker(1);
      queue.handle(KIND, worker);
      await send('a');
      await send('b');
      await expect.poll(ids).toEqual(['a']);
      await queue.close();
      expect([runs[0]?.signal.aborted, ids()]).toEqual([true, ['a']]);
      await expect(send('c')).rejects.toMatchObject({ code: 'unavailable' });
    });

    test('each run has its own name that begins with the name of its process', async () => {
      const { worker, ids, runs, end } = heldWorker(1);
      queue.handle(KIND, worker);
      await send('a');
      await expect.poll(ids).toEqual(['a']);
      expect(runs[0]?.runner).toMatch(/^\S+ \d+ [0-9a-f]{12}/);
      expect(runs[0]?.signal.reason).not.toBeInstanceOf(LostJob);
      end('a');
    });
  });
}
