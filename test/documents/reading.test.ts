import { expect, test } from 'vitest';
import { createDocumentReader } from '../../src/documents/reading.ts';

/** The queue in which files are read. */

const never = new AbortController().signal;
const load = async () => new Uint8Array();

test('one user has a share of the queue, and another user has free slots; slots are released', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const readers = createDocumentReader({
    readPages: async () => {
      await opened;
      return { kind: 'pdf', title: '', pages: ['text'], wordless: [] };
    },
  });
  const read = (owner: string) =>
    readers.readFile({ owner, name: 'a.pdf', signal: never }, load).then(
      ({ pages }) => pages[0],
      (error: unknown) => String(error),
    );
  const ada = Array.from({ length: 41 }, () => read('ada'));
  const bob = read('bob');
  const refused = await Promise.all(ada.slice(10));
  expect(new Set(refused)).toEqual(
    new Set([expect.stringContaining('10 of your files are being read at once; try again shortly')]),
  );
  expect(readers.listReading('ada')).toHaveLength(10);
  open();
  expect(await Promise.all([...ada.slice(0, 10), bob])).toEqual(Array(11).fill('text'));
  expect(await read('ada')).toBe('text');
});

test('all users together have a limit too', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const readers = createDocumentReader({
    readPages: async () => {
      await opened;
      return { kind: 'pdf', title: '', pages: ['text'], wordless: [] };
    },
  });
  const taken = Array.from({ length: 40 }, (_, at) =>
    readers.readFile({ owner: `user${at}`, name: 'a.pdf', signal: never }, load),
  );
  await expect(readers.readFile({ owner: 'late', name: 'a.pdf', signal: never }, load)).rejects.toMatchObject(
    {
      code: 'unavailable',
      retryAfter: 10,
      message: expect.stringContaining('too many files'),
    },
  );
  open();
  expect(await Promise.all(taken)).toHaveLength(40);
});

test('slow files of one user do not delay files of another, and each is read for its owner', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const owners: string[] = [];
  const readers = createDocumentReader({
    readPages: async ({ owner }) => {
      owners.push(owner);
      if (owner === 'ada') await opened;
      return { kind: 'pdf', title: '', pages: ['', 'text'], wordless: [1] };
    },
    readScans: async ({ owner }) => {
      owners.push(`${owner}'s scans`);
      return ['seen'];
    },
  });
  const slow = Array.from({ length: 10 }, () =>
    readers.readFile({ owner: 'ada', name: 'slow.pdf', signal: never }, load),
  );
  expect((await readers.readFile({ owner: 'bob', name: 'a.pdf', signal: never }, load)).pages).toEqual([
    'seen',
    'text',
  ]);
  expect((await readers.readFile({ owner: 'cem', name: 'a.pdf', signal: never }, load)).pages).toEqual([
    'seen',
    'text',
  ]);
  expect(owners).toEqual(['ada', 'bob', "bob's scans", 'cem', "cem's scans"]);
  open();
  await Promise.all(slow);
});
