import { setImmediate } from 'node:timers/promises';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { isRunnerDead } from '../../lib/concurrency/runner.ts';
import { type AnyDatabase, type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import { checkOwnerName } from '../../storage/owner.ts';
import { queryBuilder } from '../../storage/query-builder.ts';
import { isHoldOfJob } from '../crawling/crawl-hold.ts';
import type {
  CrawlAddressState,
  CrawlInfo,
  CrawlRequest,
  CrawlStore,
  OpenedCrawl,
} from '../crawling/crawl-store.ts';
import { createCrawlAddresses, createCrawlQueue } from './crawl-addresses.ts';
import type { CrawlTables } from './crawl-tables.ts';

export function createCrawlRuns(db: AnyDatabase) {
  const tables = queryBuilder<CrawlTables>(db);
  return {
    holdCrawl: ({ id }, { runner, job }) =>
      db.transaction(`crawl ${id}`, async (part) => {
        const crawls = queryBuilder<CrawlTables>(part);
        const held = await crawls
          .selectFrom('crawls')
          .select(['runner', 'beat_at', 'outcome'])
          .where('id', '=', id)
          .executeTakeFirst();
        const now = Date.now();
        if (!held) return undefined;
        const isOfJob = isHoldOfJob(job, held.runner);
        const isFree = held.runner === null || isRunnerDead(held.runner, now - (held.beat_at ?? 0));
        if (!isOfJob && !isFree) return undefined;
        const name = job === undefined ? runner : `${runner} ${job}`;
        const outcome = isOfJob ? held.outcome : null;
        const hold = { runner: name, beat_at: now, stop: 0, ended_at: null, outcome };
        await crawls.updateTable('crawls').set(hold).where('id', '=', id).execute();
        return { name, ...(outcome !== null && { outcome }) };
      }),

    async reportCrawl({ id }, name, outcome) {
      const row = await tables
        .updateTable('crawls')
        .set({ beat_at: Date.now(), outcome })
        .where('id', '=', id)
        .where('runner', '=', name)
        .returning('stop')
        .executeTakeFirst();
      return row?.stop === 0;
    },

    async letCrawlGo({ id }, name, outcome) {
      await tables
        .updateTable('crawls')
        .set({ runner: null, ended_at: Date.now(), outcome })
        .where('id', '=', id)
        .where('runner', '=', name)
        .execute();
    },

    async askToStop(owner, source) {
      const { numUpdatedRows } = await tables
        .updateTable('crawls')
        .set({ stop: 1 })
        .where('owner', '=', checkOwnerName(owner))
        .where('source', '=', source)
        .where('runner', 'is not', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    async trimCrawls(owner, { crawls: most, addresses: mostAddresses }) {
      const ended = await tables
        .selectFrom('crawls')
        .select(['id'])
        .select((of) =>
          of
            .selectFrom('crawl_addresses')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .whereRef('crawl_addresses.crawl', '=', 'crawls.id')
            .as('addresses'),
        )
        .where('owner', '=', checkOwnerName(owner))
        .where('kind', '!=', 'folder')
        .where('runner', 'is', null)
        .orderBy('started_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      let sum = 0;
      const old = ended.filter(({ addresses }, at) => {
        sum += addresses ?? 0;
        return at >= most || (at > 0 && sum > mostAddresses);
      });
      if (old.length === 0) return;
      const ids = old.map(({ id }) => id);
      await tables.deleteFrom('crawls').where('id', 'in', ids).where('runner', 'is', null).execute();
    },
  } satisfies Partial<CrawlStore>;
}

const MAX_LISTED = 1000;

/** Creates the crawl store. A method that changes data resolves when the change is in the database. */
export function createCrawlStore(of: StoreDatabase): CrawlStore {
  const db = toAnyDatabase(of);
  return {
    ...createCrawls(db),
    ...createCrawlRuns(db),
    ...createCrawlQueue(db),
    ...createCrawlAddresses(db),
  };
}

function createCrawls(db: AnyDatabase) {
  const tables = queryBuilder<CrawlTables>(db);
  return {
    async openCrawl(owner, source, request) {
      const name = checkOwnerName(owner);
      return db.transaction(`crawls of ${name}`, (part) => openIn(part, name, source, request));
    },

    async finishCrawl({ id }) {
      await tables.updateTable('crawls').set({ finished_at: Date.now() }).where('id', '=', id).execute();
    },

    async listCrawls(owner) {
      const newest = await tables
        .selectFrom('crawls')
        .select('id')
        .where('owner', '=', checkOwnerName(owner))
        .orderBy('started_at', 'desc')
        .orderBy('id', 'desc')
        .limit(MAX_LISTED)
        .execute();
      const listed: CrawlInfo[] = [];
      for (const { id } of newest) {
        // Lets other work run, because counting the addresses of a crawl takes some milliseconds.
        await setImmediate();
        const row = await infos(db).where('crawls.id', '=', id).executeTakeFirst();
        if (row) listed.push(infoOf(row));
      }
      return listed;
    },

    async readCrawl(owner, source) {
      const row = await infos(db)
        .where('owner', '=', checkOwnerName(owner))
        .where('source', '=', source)
        .executeTakeFirst();
      return row && infoOf(row);
    },

    async deleteCrawls(owner, prefix = '') {
      const { numDeletedRows } = await tables
        .deleteFrom('crawls')
        .where('owner', '=', checkOwnerName(owner))
        .where(liesUnder(prefix))
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  } satisfies Partial<CrawlStore>;
}

function infos(db: AnyDatabase) {
  const count = (of: ExpressionBuilder<CrawlTables, 'crawls'>, state: CrawlAddressState) =>
    of
      .selectFrom('crawl_addresses')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .whereRef('crawl_addresses.crawl', '=', 'crawls.id')
      .where('crawl_addresses.state', '=', state);
  return queryBuilder<CrawlTables>(db)
    .selectFrom('crawls')
    .select([
      'id',
      'source',
      'kind',
      'options',
      'started_at',
      'finished_at',
      'runner',
      'beat_at',
      'ended_at',
      'outcome',
    ])
    .select((of) => [
      count(of, 'read').as('read'),
      count(of, 'waiting').whereRef('crawl_addresses.run', '=', 'crawls.run').as('waiting'),
    ]);
}

type InfoRow = Awaited<ReturnType<ReturnType<typeof infos>['execute']>>[number];

function infoOf({ id, source, kind, options, read, waiting, ...row }: InfoRow): CrawlInfo {
  return {
    id,
    source,
    kind,
    options,
    startedAt: row.started_at,
    finishedAt: row.finished_at ?? undefined,
    read: Number(read),
    waiting: Number(waiting),
    runner: row.runner ?? undefined,
    beatAt: row.beat_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    outcome: row.outcome ?? undefined,
  };
}

function liesUnder(prefix: string): Expression<SqlBool> {
  const begins = sql<SqlBool>`substr(source, 1, length(${prefix})) = ${prefix}`;
  if (prefix === '' || prefix.endsWith('/')) return begins;
  return sql<SqlBool>`${begins} AND substr(source, length(${prefix}) + 1, 1) IN ('', '/', '?', '#')`;
}

async function openIn(
  db: AnyDatabase,
  owner: string,
  source: string,
  { kind, options, requeue }: CrawlRequest,
): Promise<OpenedCrawl> {
  const tables = queryBuilder<CrawlTables>(db);
  const known = await tables
    .selectFrom('crawls')
    .select(['id', 'run', 'options', 'finished_at', 'runner', 'beat_at'])
    .where('owner', '=', owner)
    .where('source', '=', source)
    .executeTakeFirst();
  if (!known) {
    const row = { owner, source, kind, options, run: 1, started_at: Date.now() };
    const { id } = await tables.insertInto('crawls').values(row).returning('id').executeTakeFirstOrThrow();
    return { id, run: 1, resumed: false, sameOptions: false };
  }
  const { id } = known;
  const sameOptions = known.options === options;
  // An active run keeps its options, so the new options are not stored.
  if (known.runner !== null && !isRunnerDead(known.runner, Date.now() - (known.beat_at ?? 0))) {
    return { id, run: known.run, resumed: true, sameOptions };
  }
  const update = tables.updateTable('crawls').where('id', '=', id);
  if (known.finished_at === null) {
    await update.set({ kind, options }).execute();
    return { id, run: known.run, resumed: true, sameOptions };
  }
  const run = known.run + 1;
  await update.set({ kind, options, run, started_at: Date.now(), finished_at: null }).execute();
  if (requeue) {
    await tables
      .updateTable('crawl_addresses')
      .set({ run, state: 'waiting' })
      .where('crawl', '=', id)
      .where('run', '=', known.run)
      .execute();
  }
  return { id, run, resumed: false, sameOptions };
}
