import { afterAll } from 'vitest';
import { createPostgresBlobs } from '../../../src/documents/blobs/postgres.ts';
import { createDocumentStore } from '../../../src/documents/stores/documents.ts';
import { createPassRevocations } from '../../../src/documents/stores/pass-revocations.ts';
import { describeBlobStore } from '../../contracts/blob-store.ts';
import { describeDocumentStore } from '../../contracts/document-store.ts';
import { describePassEnds } from '../../contracts/pass-ends.ts';
import { dropPostgres, makePostgres } from '../../helpers/postgres.ts';

afterAll(dropPostgres);

describeDocumentStore('PostgreSQL', async () => {
  const { open, remove } = await makePostgres();
  return {
    remove,
    async open() {
      const db = await open();
      return { store: createDocumentStore(db), drop: () => db.close() };
    },
  };
});

describePassEnds('PostgreSQL', async () => {
  const { open, remove } = await makePostgres();
  return {
    remove,
    async open() {
      const db = await open();
      return { ends: createPassRevocations(db), drop: () => db.close() };
    },
  };
});

describeBlobStore('PostgreSQL', async () => {
  const { open, remove } = await makePostgres();
  const db = await open();
  return { open: () => createPostgresBlobs(db), remove };
});
