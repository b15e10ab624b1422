import { createDocumentStore } from '../../../src/documents/stores/documents.ts';
import { createPassRevocations } from '../../../src/documents/stores/pass-revocations.ts';
import { describeDocumentStore } from '../../contracts/document-store.ts';
import { describePassEnds } from '../../contracts/pass-ends.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

async function makeFolder() {
  const folder = temporaryFolder();
  return { path: folder.path, remove: async () => folder.remove() };
}

describeDocumentStore('sqlite', async () => {
  const { path, remove } = await makeFolder();
  return {
    remove,
    async open() {
      const db = await openTestDatabase({ folder: path });
      return { store: createDocumentStore(db), drop: async () => db.close() };
    },
  };
});

describePassEnds('sqlite', async () => {
  const { path, remove } = await makeFolder();
  return {
    remove,
    async open() {
      const db = await openTestDatabase({ folder: path });
      return { ends: createPassRevocations(db), drop: async () => db.close() };
    },
  };
});
