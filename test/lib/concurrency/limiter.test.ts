import { expect, test } from 'vitest';
import { createLimiter } from '../../../src/lib/concurrency/limiter.ts';

/** Work that ends when it is told to, and notes when it began. */
function steps() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    work: (name: string) => () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    },
    async end(name: string) {
      await new Promise(setImmediate);
      ends.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

test('a limited number of entries runs at once, and the others follow in order of arrival', async () => {
  const { begun, work, end } = steps();
  const limiter = createLimiter({ concurrency: 2 });
  const all = ['a', 'b', 'c', 'd'].map((name) => limiter.run(work(name)));
  await new Promise(setImmediate);
  expect(begun).toEqual(['a', 'b']);
  expect([limiter.running(), limiter.waiting()]).toEqual([2, 2]);
  await end('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'c', 'd']) await end(name);
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  await limiter.idle();
  expect([limiter.running(), limiter.waiting()]).toEqual([0, 0]);
});

test('an entry beyond the queue limits, in total or by owner, is refused unless it is bounded elsewhere', async () => {
  const { work, end } = steps();
  const limiter = createLimiter({
    concurrency: 1,
    maxWaiting: 3,
    maxWaitingPerOwner: 1,
    refuse: ({ all, own }) => new Error(`${all} and ${own} wait`),
  });
  const first = limiter.run(work('ann 1'), { owner: 'ann' });
  const second = limiter.run(work('ann 2'), { owner: 'ann' });
  await expect(limiter.run(work('ann 3'), { owner: 'ann' })).rejects.toThrow('1 and 1 wait');
  const others = ['bob', 'cem'].map((owner) => limiter.run(work(owner), { owner }));
  await expect(limiter.run(work('dan'), { owner: 'dan' })).rejects.toThrow('3 and 0 wait');
  const bounded = limiter.run(work('ann 4'), { owner: 'ann', alwaysWaits: true });
  for (const name of ['ann 1', 'bob', 'cem', 'ann 2', 'ann 4']) await end(name);
  expect(await Promise.all([first, second, ...others, bounded])).toContain('ann 4');
});

test('an owner runs at most the permitted number, and entries of other owners pass its waiting entries', async () => {
  const { begun, work, end } = steps();
  const limiter = createLimiter({ concurrency: 3, concurrencyPerOwner: 2 });
  const ann = ['ann 1', 'ann 2', 'ann 3', 'ann 4'].map((name) => limiter.run(work(name), { owner: 'ann' }));
  const bob = limiter.run(work('bob'), { owner: 'bob' });
  await new Promise(setImmediate);
  expect(begun).toEqual(['ann 1', 'ann 2', 'bob']);
  expect([limiter.running(), limiter.waiting()]).toEqual([3, 2]);
  await end('bob');
  expect([limiter.running(), limiter.waiting()]).toEqual([2, 2]);
  await end('ann 2');
  expect(begun).toEqual(['ann 1', 'ann 2', 'bob', 'ann 3']);
  for (const name of ['ann 1', 'ann 3', 'ann 4']) await end(name);
  await Promise.all([...ann, bob]);
  await limiter.idle();
  expect([limiter.running(), limiter.waiting()]).toEqual([0, 0]);
});

test('the owner with the fewest running is next, then the highest priority', async () => {
  const { begun, work, end } = steps();
  const limiter = createLimiter({ concurrency: 2 });
  const all = [
    limiter.run(work('ann 1'), { owner: 'ann' }),
    limiter.run(work('ann 2'), { owner: 'ann' }),
    limiter.run(work('ann 3'), { owner: 'ann' }),
    limiter.run(work('bob 1'), { owner: 'bob' }),
    limiter.run(work('bob 2'), { owner: 'bob', priority: 1 }),
  ];
  await end('ann 1');
  expect(begun.at(-1)).toBe('bob 2');
  await end('ann 2');
  expect(begun.at(-1)).toBe('ann 3');
  for (const name of ['bob 2', 'ann 3', 'bob 1']) await end(name);
  await Promise.all(all);
});

test('owners with equally many running entries take turns, however many entries of one owner came first', async () => {
  const { begun, work, end } = steps();
  const limiter = createLimiter({ concurrency: 1 });
  const names = ['ann 1', 'ann 2', 'ann 3', 'ann 4', 'bob 1', 'bob 2', 'cem 1'];
  const all = names.map((name) => limiter.run(work(name), { owner: name.slice(0, 3) }));
  const order = ['ann 1', 'bob 1', 'cem 1', 'ann 2', 'bob 2', 'ann 3', 'ann 4'];
  for (const name of order) await end(name);
  await Promise.all(all);
  expect(begun).toEqual(order);
});

test('a caller that gives up leaves the queue at once, and running work keeps its place', async () => {
  const { begun, work, end } = steps();
  const limiter = createLimiter({ concurrency: 1 });
  const stop = new AbortController();
  const running = limiter.run(work('a'), { signal: stop.signal });
  const waiting = limiter.run(work('b'), { signal: stop.signal });
  const later = limiter.run(work('c'));
  stop.abort(new Error('given up'));
  await expect(waiting).rejects.toThrow('given up');
  expect([limiter.running(), limiter.waiting(), begun]).toEqual([1, 1, ['a']]);
  await end('a');
  expect(await running).toBe('a');
  await end('c');
  expect(await later).toBe('c');
  await expect(limiter.run(work('d'), { signal: stop.signal })).rejects.toThrow('given up');
});

test('failed work frees its place, and a place is freed once however often its release is called', async () => {
  const limiter = createLimiter({ concurrency: 1 });
  await expect(limiter.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  const leave = await limiter.enter();
  leave();
  leave();
  const again = await limiter.enter();
  expect(limiter.running()).toBe(1);
  again();
  await limiter.idle();
  expect(limiter.running()).toBe(0);
});

test('a place freed in the moment in which its next owner gives up goes to the following owner', async () => {
  const limiter = createLimiter({ concurrency: 1, maxWaiting: 2 });
  const leave = await limiter.enter();
  const stop = new AbortController();
  const second = limiter.enter({ signal: stop.signal });
  const third = limiter.enter();
  await expect(limiter.enter()).rejects.toThrow('2 wait already');
  leave();
  leave();
  stop.abort(new Error('enough'));
  await second.then(
    (give) => give(),
    () => {},
  );
  const last = await third;
  expect(limiter.running()).toBe(1);
  last();
  await limiter.idle();
  expect(limiter.running()).toBe(0);
});
