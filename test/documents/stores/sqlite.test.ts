import { createDocumentStore } from '../../../src/documents/stores/documents.ts';
import { createPassEnds } from '../../../src/documents/stores/pass-ends.ts';
import { openDatabase } from '../../../src/storage/sqlite.ts';
import { describeDocumentStore } from '../../contracts/document-store.ts';
import { describePassEnds } from '../../contracts/pass-ends.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';

async function makeFolder() {
  const folder = temporaryFolder();
  return { path: folder.path, remove: async () => folder.remove() };
}

describeDocumentStore('sqlite', async () => {
  const { path, remove } = await makeFolder();
  return {
    remove,
    async open() {
      const db = await openDatabase({ folder: path });
      return { store: createDocumentStore(db), drop: async () => db.close() };
    },
  };
});

describePassEnds('sqlite', async () => {
  const { path, remove } = await makeFolder();
  return {
    remove,
    async open() {
      const db = await openDatabase({ folder: path });
      return { ends: createPassEnds(db), drop: async () => db.close() };
    },
  };
});
