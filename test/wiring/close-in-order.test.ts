import { expect, test } from 'vitest';
import { closeInOrder } from '../../src/wiring/close-in-order.ts';

/** The end of a process: every room is closed, whatever one of them does. */

function watched() {
  const events: string[] = [];
  const log = {
    warn: (what: { err: Error }, message: string) => events.push(`${message}: ${what.err.message}`),
  };
  const part = (name: string, end: () => Promise<void> | void = () => {}) => ({
    name,
    close: () => {
      events.push(name);
      return end();
    },
  });
  return { events, part, log: log as never };
}

test('parts are closed one after the other, and a failure does not prevent the next close', async () => {
  const { events, part, log } = watched();
  const slow = async () => {
    await new Promise(setImmediate);
    events.push('a has ended');
  };
  const rejects = async () => {
    throw new Error('locked');
  };
  const throws = () => {
    throw new Error('gone');
  };
  await closeInOrder([part('a', slow), part('b', rejects), part('c', throws), part('d')], 60_000, log);
  expect(events).toEqual([
    'a',
    'a has ended',
    'b',
    'b did not end in order: locked',
    'c',
    'c did not end in order: gone',
    'd',
  ]);
});

test('if one part never closes, the others are closed after the time limit', async () => {
  const { events, part, log } = watched();
  const never = () => new Promise<void>(() => {});
  await closeInOrder([part('a'), part('b', never), part('c', never), part('d')], 20, log);
  expect(events).toEqual(['a', 'b', 'c', 'd']);
});
