import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createQuestionPriority } from '../../../src/knowledge/entries/question-priority.ts';

const { signal } = new AbortController();

/** Starts a wait and returns a function that says whether it has ended. */
function watch(wait: Promise<void>): () => Promise<boolean> {
  let ended = false;
  wait.then(() => {
    ended = true;
  });
  return async () => {
    await setImmediate();
    return ended;
  };
}

test('a writer waits for the questions of other owners that are under way, and not for later ones', async () => {
  const questionsFirst = createQuestionPriority();
  const [first, later] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const answer = questionsFirst.ask('ann', () => first.promise);
  const hasEnded = watch(questionsFirst.waitForOthers(['ben'], signal));
  const laterAnswer = questionsFirst.ask('ann', () => later.promise);
  expect(await hasEnded()).toBe(false);
  first.resolve('magpies');
  expect(await answer).toBe('magpies');
  expect(await hasEnded()).toBe(true);
  later.resolve('crows');
  expect(await laterAnswer).toBe('crows');
});

test('a writer does not wait for own questions or for questions that have failed', async () => {
  const questionsFirst = createQuestionPriority();
  const own = Promise.withResolvers<void>();
  const asked = questionsFirst.ask('ben', () => own.promise);
  await expect(questionsFirst.ask('ann', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await questionsFirst.waitForOthers(['ben', 'cleo'], signal);
  own.resolve();
  await asked;
});

test('a wait ends after a second at the latest, and at once when its caller stops', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const questionsFirst = createQuestionPriority();
    const endless = Promise.withResolvers<void>();
    const asked = questionsFirst.ask('ann', () => endless.promise);
    const hasEnded = watch(questionsFirst.waitForOthers(['ben']));
    expect(await hasEnded()).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await hasEnded()).toBe(true);
    await questionsFirst.waitForOthers(['ben']);
    const other = questionsFirst.ask('ann', () => endless.promise);
    const stop = new AbortController();
    const wait = questionsFirst.waitForOthers(['ben'], stop.signal);
    stop.abort(new Error('the caller has gone'));
    await expect(wait).rejects.toThrow('the caller has gone');
    endless.resolve();
    await Promise.all([asked, other]);
  } finally {
    vi.useRealTimers();
  }
});
