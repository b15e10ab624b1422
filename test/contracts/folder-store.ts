import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FolderStore } from '../../src/knowledge/syncing/folder-store.ts';

export interface OpenedFolders {
  readonly store: FolderStore;
  /** The same data, as another process has it. */
  openAnother(): Promise<FolderStore>;
  close(): Promise<void>;
}

/** What a store of synced folders keeps to. */
export function describeFolderStore(name: string, open: () => Promise<OpenedFolders>): void {
  describe(`the folder store ${name}`, () => {
    let opened: OpenedFolders;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());
    const file = (path: string, entry = path) => ({ path, stamp: `1 ${path}`, digest: `d${path}`, entry });

    test('a folder is created once, and keeps its collection', async () => {
      const { store } = opened;
      expect(await store.findFolder('ann', '/n')).toBeUndefined();
      expect(await store.openFolder('ann', '/n', 'work')).toEqual({
        path: '/n',
        collection: 'work',
        syncedAt: undefined,
        files: 0,
      });
      expect(await store.openFolder('ann', '/n', 'other')).toMatchObject({ collection: 'work' });
      await store.finishFolder('ann', '/n');
      const another = await opened.openAnother();
      expect(await another.listFolders('ann')).toEqual([
        { path: '/n', collection: 'work', syncedAt: expect.any(Number), files: 0 },
      ]);
    });

    test('any number of files is put in place of files of the same paths, after other files are removed', async () => {
      const { store } = opened;
      await store.openFolder('ann', '/n', 'default');
      const many = Array.from({ length: 1203 }, (_, n) => file(String(n).padStart(5, '0')));
      await store.saveFiles('ann', '/n', { files: many });
      expect(await store.listFiles('ann', '/n')).toEqual(many);
      // A swap of names in one step.
      const [a, b] = [file('00000', 'y'), file('00001', 'x')];
      await store.saveFiles('ann', '/n', { files: [a, b], gone: ['00000', '00002'] });
      const after = await (await opened.openAnother()).listFiles('ann', '/n');
      expect(after.slice(0, 3)).toEqual([a, b, many[3]]);
      expect((await store.findFolder('ann', '/n'))?.files).toBe(1202);
    });

    test('the folders of owners are apart, and a forgotten folder accepts no files', async () => {
      const { store } = opened;
      await store.openFolder('ann', '/n', 'default');
      await store.openFolder('bob', '/n', 'default');
      await store.saveFiles('ann', '/n', { files: [file('a')] });
      expect(await store.listFiles('bob', '/n')).toEqual([]);
      await store.saveFiles('bob', '/n', { gone: ['a'] });
      expect(await store.forgetFolder('bob', '/n')).toBe(true);
      expect(await store.forgetFolder('bob', '/n')).toBe(false);
      await store.saveFiles('bob', '/n', { files: [file('b')] });
      expect(await store.listFolders('bob')).toEqual([]);
      expect(await store.listFiles('ann', '/n')).toEqual([file('a')]);
      await expect(store.openFolder('\ud800', '/n', 'default')).rejects.toThrow('half a character');
    });
  });
}
