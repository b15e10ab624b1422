import { expect, test } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import type { OwnerPassages } from '../../../src/knowledge/embedding/embedding-batches.ts';
import { createEmbeddingRetry } from '../../../src/knowledge/embedding/embedding-retry.ts';

/** What becomes of batches that fail: sizes, pauses, and texts that go without a vector. */

const ERROR = new Error('no');

function retry(pauseMs?: number, isWorking = true) {
  const embedder = { isWorking };
  const store = { isAway: false };
  const kept: string[] = [];
  const lines: string[] = [];
  const logged: unknown[] = [];
  const log = {
    warn(fields: unknown, message?: string) {
      lines.push(String(message));
      logged.push((fields as { err?: unknown }).err);
    },
    info: (message: unknown) => void lines.push(String(message)),
  };
  const made = createEmbeddingRetry({
    batches: {
      isWorking: async () => embedder.isWorking,
      keepVectors: async (shares, vectors) => {
        if (store.isAway) throw new Error('away');
        for (const { owner, passages } of shares) {
          for (const { place } of passages) kept.push(`${owner} ${place} ${vectors.length}`);
        }
      },
    },
    log,
    ...(pauseMs !== undefined && { pauseMs }),
  });
  const fail = (batch: readonly OwnerPassages[], stored = false, error = ERROR) =>
    made.noteFailure(batch, error, stored);
  return { ...made, fail, kept, lines, logged, embedder, store };
}

/** A batch of so many passages of an owner, the first at a place. */
function batch(passages: number, owner = 'ada', place = 1): OwnerPassages[] {
  const made = Array.from({ length: passages }, (_, at) => ({ place: place + at }));
  return [{ owner, passages: made as unknown as OwnerPassages['passages'] }];
}

test('a failed batch is retried at an eighth of its size, down to one passage, and doubles with each success', async () => {
  const { batchSize, fail, noteSuccess } = retry();
  const sizes = [batchSize()];
  for (const passages of [128, 16, 2]) {
    await fail(batch(passages));
    sizes.push(batchSize());
  }
  for (let times = 0; times < 8; times++) {
    noteSuccess();
    sizes.push(batchSize());
  }
  expect(sizes).toEqual([128, 16, 2, 1, 2, 4, 8, 16, 32, 64, 128, 128]);
});

test('an overloaded embedder does not make a text count as refused, even if it accepts other texts meanwhile', async () => {
  const { fail, kept } = retry();
  const busy = new AppError('unavailable', 'it has too much to do', { retryAfter: 10 });
  for (let times = 0; times < 20; times++) expect(await fail(batch(1), false, busy)).toBeGreaterThan(0);
  expect(kept).toEqual([]);
  for (let times = 0; times < 3; times++) await fail(batch(1));
  expect(kept).toEqual(['ada 1 0']);
});

test('a text that is refused while the store is unavailable is sent again', async () => {
  const { fail, kept, store } = retry();
  store.isAway = true;
  for (let times = 0; times < 3; times++) expect(await fail(batch(1))).toBeGreaterThan(0);
  store.isAway = false;
  expect(await fail(batch(1))).toBeUndefined();
  expect(kept).toEqual(['ada 1 0']);
});

test('a batch that happens to have one passage does not shrink the next batches', async () => {
  const { batchSize, fail } = retry();
  await fail(batch(1));
  expect(batchSize()).toBe(128);
});

test('pauses double from a second to a minute, and start over after a success', async () => {
  const { fail, noteSuccess, failing } = retry();
  const pauses: (number | undefined)[] = [];
  expect(failing()).toBe(false);
  for (let times = 0; times < 9; times++) pauses.push(await fail(batch(9)));
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  expect(failing()).toBe(true);
  noteSuccess();
  expect(failing()).toBe(false);
  expect(await fail(batch(9))).toBe(1000);
});

test('the pause stays a number after any count of failures', async () => {
  const { fail } = retry(1);
  let pause: number | undefined;
  for (let times = 0; times < 2000; times++) pause = await fail(batch(2));
  expect(pause).toBe(1024);
});

test('a text that is refused three times in a row is stored without a vector, and the next one follows at once', async () => {
  const { fail, kept, lines } = retry();
  expect([await fail(batch(1)), await fail(batch(1))]).toEqual([1000, 2000]);
  expect(kept).toEqual([]);
  expect(await fail(batch(1))).toBeUndefined();
  expect(kept).toEqual(['ada 1 0']);
  expect(lines.at(-1)).toBe('a passage is found by its words only: the embedder does not take it');
});

test('another passage of the owner in between restarts the count', async () => {
  const { fail, kept } = retry();
  for (const one of [batch(1), batch(1), batch(1, 'ada', 2), batch(1), batch(1)]) await fail(one);
  expect(kept).toEqual([]);
  await fail(batch(1));
  expect(kept).toEqual(['ada 1 0']);
});

test('texts of two owners that are refused in turns are both stored without a vector', async () => {
  const { fail, kept } = retry();
  for (let times = 0; times < 3; times++) for (const owner of ['ada', 'bob']) await fail(batch(1, owner));
  expect(kept).toEqual(['ada 1 0', 'bob 1 0']);
});

test('of very many owners whose texts are refused, the last ones are counted', async () => {
  const { fail, kept } = retry();
  const owners = Array.from({ length: 1001 }, (_, n) => `owner ${n}`);
  for (const owner of [...owners, 'owner 1', 'owner 0', 'owner 1', 'owner 0']) await fail(batch(1, owner));
  expect(kept).toEqual(['owner 1 1 0']);
});

test('no text goes without a vector when the embedder refuses every text or the store fails', async () => {
  const down = retry(undefined, false);
  for (let times = 0; times < 5; times++) await down.fail(batch(1));
  expect(down.kept).toEqual([]);
  const full = retry();
  for (let times = 0; times < 5; times++) expect(await full.fail(batch(1), true)).toBeGreaterThan(0);
  expect(full.kept).toEqual([]);
  // Refusals by the store were none of the text's.
  await full.fail(batch(1));
  expect(full.kept).toEqual([]);
});

test('an embedder that refuses every text is retried after longer pauses until it accepts one', async () => {
  const { fail, askAgain, works, failing, noteSuccess, embedder, lines } = retry(undefined, false);
  expect([works(), await fail(batch(9)), works()]).toEqual([true, 1000, false]);
  expect([await askAgain(), await askAgain()]).toEqual([2000, 4000]);
  embedder.isWorking = true;
  expect([await askAgain(), works(), failing()]).toEqual([undefined, true, true]);
  noteSuccess();
  expect(failing()).toBe(false);
  expect(lines.at(-1)).toBe('passages get their vectors again');
});

test('one accepted word neither enlarges a batch nor shortens a pause', async () => {
  const { batchSize, fail, askAgain, embedder, lines } = retry();
  const sizes: number[] = [];
  const pauses: (number | undefined)[] = [];
  for (const passages of [81, 10, 2, 2]) {
    embedder.isWorking = false;
    pauses.push(await fail(batch(passages)));
    embedder.isWorking = true;
    await askAgain();
    sizes.push(batchSize());
  }
  expect(sizes).toEqual([16, 2, 1, 1]);
  expect(pauses).toEqual([1000, 2000, 4000, 8000]);
  expect(lines).toEqual(['passages wait for their vectors; they are found by their words']);
});

test('a text that crashes the embedder three times in a row is stored without a vector once the embedder works again', async () => {
  const { fail, askAgain, kept, lines, logged, embedder } = retry();
  for (const without of [[], [], ['ada 1 0']]) {
    embedder.isWorking = false;
    await fail(batch(1));
    // However long it is down, that is once.
    for (let times = 0; times < 60; times++) await askAgain();
    expect(kept).toEqual([]);
    embedder.isWorking = true;
    await askAgain();
    expect(kept).toEqual(without);
  }
  expect(lines.at(-1)).toBe('a passage is found by its words only: the embedder does not take it');
  expect(logged.at(-1)).toBe(ERROR);
});

test('a text that fails with others, or because of the store, is not skipped when the embedder works again', async () => {
  const { fail, askAgain, kept, embedder } = retry();
  for (let times = 0; times < 9; times++) {
    embedder.isWorking = false;
    await fail(batch(1));
    await fail(times % 2 ? batch(2) : batch(1), times % 2 === 0);
    embedder.isWorking = true;
    await askAgain();
  }
  expect(kept).toEqual([]);
});

test('an embedder that accepts texts is not tested between batches, and counts as working when the store fails', async () => {
  const { fail, askAgain, works } = retry();
  await fail(batch(9));
  expect([works(), await askAgain()]).toEqual([true, undefined]);
  const down = retry(undefined, false);
  await down.fail(batch(9), true);
  expect([down.works(), await down.askAgain(), down.failing()]).toEqual([true, undefined, true]);
});

test('several passages are never skipped together, and an empty batch changes nothing', async () => {
  const { fail, kept } = retry();
  for (let times = 0; times < 9; times++) await fail([...batch(1), ...batch(1, 'bob')]);
  expect(await fail([])).toBeGreaterThan(0);
  expect(await fail([{ owner: 'ada', passages: [] }])).toBeGreaterThan(0);
  expect(kept).toEqual([]);
});

test('the log has one line when failures begin, and one when they end', async () => {
  const { fail, noteSuccess, lines } = retry();
  noteSuccess();
  for (let times = 0; times < 3; times++) await fail(batch(9));
  noteSuccess();
  noteSuccess();
  expect(lines).toEqual([
    'passages wait for their vectors; they are found by their words',
    'passages get their vectors again',
  ]);
});

test('the reason of a failure is in the log, and is known as long as the failure lasts', async () => {
  const { fail, lastError, noteSuccess, logged } = retry();
  expect(lastError()).toBeUndefined();
  for (let times = 0; times < 3; times++) await fail(batch(1));
  expect(logged).toEqual([ERROR, ERROR]);
  expect(lastError()).toBe(ERROR);
  noteSuccess();
  expect(lastError()).toBeUndefined();
});
