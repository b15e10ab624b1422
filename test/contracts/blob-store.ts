import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BlobStore } from '../../src/documents/blob-store.ts';

async function* bytes(...pieces: string[]) {
  for (const piece of pieces) yield Buffer.from(piece);
}

async function* broken() {
  yield Buffer.from('half');
  throw new Error('the sender is gone');
}

/** What every driver of BlobStore keeps to; `makeEmpty` gives what opens one store that is empty at first. */
export function describeBlobStore(
  name: string,
  makeEmpty: () => Promise<{ open(): BlobStore; remove(): Promise<void> }>,
): void {
  describe(`${name} as BlobStore`, () => {
    let empty: Awaited<ReturnType<typeof makeEmpty>>;
    let blobs: BlobStore;
    beforeEach(async () => {
      empty = await makeEmpty();
      blobs = empty.open();
    });
    afterEach(() => empty.remove());
    const text = async (owner: string, key: string, of = blobs) => {
      const stream = await of.get(owner, key);
      return stream && new Response(stream).text();
    };

    test('stores, replaces, returns and deletes blobs; each owner has separate keys', async () => {
      expect(await blobs.put('ada', 'one', bytes('first ', 'text'))).toBe(10);
      expect(await blobs.put('bob', 'one', bytes('of bob'))).toBe(6);
      expect(await text('ada', 'one')).toBe('first text');
      await blobs.put('ada', 'one', bytes('second'));
      expect([await text('ada', 'one'), await text('bob', 'one')]).toEqual(['second', 'of bob']);
      expect(await blobs.delete('ada', 'one')).toBe(true);
      expect(await blobs.delete('ada', 'one')).toBe(false);
      expect([await text('ada', 'one'), await text('bob', 'one')]).toEqual([undefined, 'of bob']);
    });

    test.each(['..', '../bob', '/', 'a/b', '', 'nul\0', 'x'.repeat(300), '🐦', 'ADA', 'ada '])(
      'an owner named %j shares nothing with ada',
      async (owner) => {
        await blobs.put('ada', 'key', bytes('of ada'));
        expect(await text(owner, 'key')).toBeUndefined();
        await blobs.put(owner, 'key', bytes('own'));
        expect([await text(owner, 'key'), await text('ada', 'key')]).toEqual(['own', 'of ada']);
        await blobs.delete(owner, 'key');
        expect(await text('ada', 'key')).toBe('of ada');
      },
    );

    test.each(['..', '../x', 'a/b', '', 'a.b', 'nul\0', 'x'.repeat(101)])(
      'refuses the key %j',
      async (key) => {
        await expect(blobs.put('ada', key, bytes('x'))).rejects.toThrow(TypeError);
        await expect(blobs.get('ada', key)).rejects.toThrow(TypeError);
        await expect(blobs.delete('ada', key)).rejects.toThrow(TypeError);
      },
    );

    test('locates a local file with the bytes, or none', async () => {
      expect(await blobs.locate('ada', 'key')).toBeUndefined();
      await blobs.put('ada', 'key', bytes('of ', 'ada'));
      await blobs.put('bob', 'key', bytes('of bob'));
      const path = await blobs.locate('ada', 'key');
      expect(path === undefined ? 'of ada' : readFileSync(path, 'utf8')).toBe('of ada');
      await expect(blobs.locate('ada', '../x')).rejects.toThrow(TypeError);
      await blobs.delete('ada', 'key');
      expect(await blobs.locate('ada', 'key')).toBeUndefined();
    });

    test('an upload that breaks off leaves the earlier bytes', async () => {
      await blobs.put('ada', 'key', bytes('whole'));
      await expect(blobs.put('ada', 'key', broken())).rejects.toThrow('the sender is gone');
      await expect(blobs.put('ada', 'new', broken())).rejects.toThrow('the sender is gone');
      expect([await text('ada', 'key'), await text('ada', 'new')]).toEqual(['whole', undefined]);
    });

    test.each([
      ['deleted', () => blobs.delete('ada', 'key')],
      ['replaced', () => blobs.put('ada', 'key', bytes('other '.repeat(1_000_000)))],
    ])('bytes that are %s during a read are returned whole or the read fails', async (_, change) => {
      const whole = 'first '.repeat(1_000_000);
      await blobs.put('ada', 'key', bytes(whole));
      const reader = (await blobs.get('ada', 'key'))?.getReader();
      const first = await reader?.read();
      await change();
      const read = [Buffer.from(first?.value ?? [])];
      const rest = (async () => {
        for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
          read.push(Buffer.from(next.value));
        }
        return Buffer.concat(read).toString() === whole;
      })();
      expect(await rest.catch(() => true)).toBe(true);
    });

    test('a put whose caller aborts at the last byte stores nothing', async () => {
      const leaving = new AbortController();
      const put = blobs.put(
        'ada',
        'key',
        (async function* () {
          yield Buffer.from('whole');
          leaving.abort(new Error('the caller left'));
        })(),
        leaving.signal,
      );
      await expect(put).rejects.toThrow('the caller left');
      expect(await text('ada', 'key')).toBeUndefined();
    });

    test('stores empty and large blobs exactly', async () => {
      expect(await blobs.put('ada', 'empty', bytes())).toBe(0);
      expect(await text('ada', 'empty')).toBe('');
      // Pieces that fit no part or row of a driver, 20 MB of them, each other than the one before.
      const piece = (at: number) => Buffer.alloc(999_983, `${at} magpies `);
      const sum = createHash('sha256');
      const many = async function* () {
        for (let at = 0; at < 21; at++) {
          sum.update(piece(at));
          yield piece(at);
        }
      };
      expect(await blobs.put('ada', 'many', many())).toBe(21 * 999_983);
      const found = createHash('sha256');
      for await (const chunk of (await blobs.get('ada', 'many')) ?? []) found.update(chunk);
      expect(found.digest('hex')).toBe(sum.digest('hex'));
    });

    test('during an upload, a second opener reads the earlier bytes', async () => {
      const other = empty.open();
      await blobs.put('ada', 'key', bytes('before'));
      let seen: string | undefined;
      await blobs.put(
        'ada',
        'key',
        (async function* () {
          yield Buffer.from('aft');
          seen = await text('ada', 'key', other);
          yield Buffer.from('er');
        })(),
      );
      expect([seen, await text('ada', 'key', other)]).toEqual(['before', 'after']);
    });

    test('when two openers put under one key at once, one blob is stored as a whole', async () => {
      const long = { a: 'a'.repeat(100_000), b: 'b'.repeat(100_000) };
      await Promise.all([
        blobs.put('ada', 'key', bytes(long.a, long.a)),
        empty.open().put('ada', 'key', bytes(long.b, long.b)),
      ]);
      expect([long.a + long.a, long.b + long.b]).toContain(await text('ada', 'key'));
    });

    test('leftovers of a key from a killed process are deleted with the key', async () => {
      const never = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const killed = empty.open().put(
        'ada',
        'key',
        (async function* () {
          yield Buffer.from('half');
          begun.resolve();
          await never.promise;
        })(),
      );
      await begun.promise;
      const next = empty.open();
      expect(await text('ada', 'key', next)).toBeUndefined();
      await next.delete('ada', 'key');
      never.reject(new Error('killed'));
      await expect(killed).rejects.toThrow('killed');
      expect(await text('ada', 'key', next)).toBeUndefined();
    });
  });
}
