import { expect, test } from 'vitest';
import { isTimeout, waitUnlessAborted, withDeadline } from '../../../src/lib/concurrency/deadline.ts';

const never = () => new Promise<never>(() => {});

test('work that ignores its signal ends at the deadline, with an error that is recognized as a deadline', async () => {
  let seen: AbortSignal | undefined;
  const late = withDeadline(new AbortController().signal, 1, (signal) => {
    seen = signal;
    return never();
  });
  const error = await late.catch((thrown: unknown) => thrown);
  expect(isTimeout(error)).toBe(true);
  expect(seen?.reason).toBe(error);
  expect(isTimeout(new Error('other'))).toBe(false);
});

test('the signal follows the caller and further signals, and its listeners are released', async () => {
  const caller = new AbortController();
  const ended = withDeadline(caller.signal, Infinity, never);
  caller.abort(new Error('cancelled'));
  await expect(ended).rejects.toThrow('cancelled');
  await expect(withDeadline(caller.signal, Infinity, async () => 1)).rejects.toThrow('cancelled');

  let released = 0;
  let end: (reason: unknown) => void = () => {};
  const ender = (given: typeof end) => {
    end = given;
    return () => void released++;
  };
  const revoked = withDeadline(new AbortController().signal, 60_000, never, { ender });
  end(new Error('revoked'));
  await expect(revoked).rejects.toThrow('revoked');
  expect(await withDeadline(new AbortController().signal, 60_000, async () => 'done', { ender })).toBe(
    'done',
  );
  expect(released).toBe(2);
});

test('a promise is awaited until the signal is aborted', async () => {
  const stop = new AbortController();
  expect(await waitUnlessAborted(Promise.resolve(1), stop.signal)).toBe(1);
  const waiting = waitUnlessAborted(never(), stop.signal);
  stop.abort(new Error('stop'));
  await expect(waiting).rejects.toThrow('stop');
});
