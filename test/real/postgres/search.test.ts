import { afterAll } from 'vitest';
import { createCrawlStore } from '../../../src/search/stores/crawls.ts';
import { createCrawlJobStore } from '../../../src/search/stores/postgres/crawl-jobs.ts';
import { createPostgresPageStore } from '../../../src/search/stores/postgres/pages.ts';
import { createSuspensionStore } from '../../../src/search/stores/suspensions.ts';
import { describeCrawlJobStore } from '../../contracts/crawl-job-store.ts';
import { describeCrawlStore } from '../../contracts/crawl-store.ts';
import { CONTRACT_BYTES, CONTRACT_PAGES, describePageStore } from '../../contracts/page-store.ts';
import { describeSuspensionStore } from '../../contracts/suspension-store.ts';
import { dropPostgres, makePostgres } from '../../helpers/postgres.ts';

afterAll(dropPostgres);

describeSuspensionStore('PostgreSQL', async () => {
  const { open, remove } = await makePostgres();
  const openAnother = async () => createSuspensionStore(await open());
  return { store: await openAnother(), openAnother, close: remove };
});

describeCrawlStore('PostgreSQL', async () => {
  const { open, remove } = await makePostgres();
  const openAnother = async () => createCrawlStore(await open());
  return { store: await openAnother(), openAnother, close: remove };
});

describeCrawlJobStore('PostgreSQL', async () => {
  const { open, remove } = await makePostgres();
  const openAnother = async () => createCrawlJobStore(await open());
  return { store: await openAnother(), openAnother, close: remove };
});

describePageStore('PostgreSQL', async () => {
  const { open, remove } = await makePostgres();
  const bounds = { maxPages: CONTRACT_PAGES, maxBytes: CONTRACT_BYTES };
  const openAnother = async () => createPostgresPageStore(await open(), bounds);
  return { store: await openAnother(), openAnother, close: remove };
});
