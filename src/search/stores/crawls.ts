import { setImmediate } from 'node:timers/promises';
import { isRunnerDead } from '../../lib/concurrency/runner.ts';
import { type AnyDatabase, jsonRows, type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import { checkOwnerName } from '../../storage/owner.ts';
import { fragment, raw, type SqlFragment } from '../../storage/sql-template.ts';
import { isHoldOfJob } from '../crawling/crawl-hold.ts';
import type { CrawlInfo, CrawlRequest, CrawlStore, OpenedCrawl } from '../crawling/crawl-store.ts';
import { createCrawlAddresses, createCrawlQueue } from './crawl-addresses.ts';

interface CrawlRow extends Pick<CrawlInfo, 'id' | 'source' | 'kind' | 'options'> {
  readonly run: number;
  readonly started_at: number;
  readonly finished_at: number | null;
  readonly runner: string | null;
  readonly beat_at: number | null;
  readonly ended_at: number | null;
  readonly outcome: string | null;
}

export function createCrawlRuns(db: AnyDatabase) {
  return {
    holdCrawl: ({ id }, { runner, job }) =>
      db.transaction(`crawl ${id}`, async (part) => {
        const held = await part.read((sql) => sql.get<CrawlRow>`SELECT * FROM crawls WHERE id = ${id}`);
        const now = Date.now();
        if (!held) return undefined;
        const isOfJob = isHoldOfJob(job, held.runner);
        const isFree = held.runner === null || isRunnerDead(held.runner, now - (held.beat_at ?? 0));
        if (!isOfJob && !isFree) return undefined;
        const name = job === undefined ? runner : `${runner} ${job}`;
        const outcome = isOfJob ? held.outcome : null;
        await part.write(
          (sql) => sql.run`UPDATE crawls SET runner = ${name}, beat_at = ${now}, stop = 0, ended_at = NULL,
            outcome = ${outcome} WHERE id = ${id}`,
        );
        return { name, ...(outcome !== null && { outcome }) };
      }),

    async reportCrawl({ id }, name, outcome) {
      const row = await db.write(
        (sql) => sql.get<{ stop: number }>`UPDATE crawls SET beat_at = ${Date.now()}, outcome = ${outcome}
          WHERE id = ${id} AND runner = ${name} RETURNING stop`,
      );
      return row?.stop === 0;
    },

    async letCrawlGo({ id }, name, outcome) {
      await db.write(
        (sql) => sql.run`UPDATE crawls SET runner = NULL, ended_at = ${Date.now()}, outcome = ${outcome}
          WHERE id = ${id} AND runner = ${name}`,
      );
    },

    async askToStop(owner, source) {
      const asked = await db.write(
        (sql) => sql.run`UPDATE crawls SET stop = 1 WHERE owner = ${checkOwnerName(owner)}
          AND source = ${source} AND runner IS NOT NULL`,
      );
      return asked > 0;
    },

    async trimCrawls(owner, { crawls: most, addresses: mostAddresses }) {
      const ended = await db.read(
        (sql) => sql.all<{ id: number; addresses: number }>`SELECT id,
            (SELECT count(*) FROM crawl_addresses a WHERE a.crawl = crawls.id) AS addresses FROM crawls
          WHERE owner = ${checkOwnerName(owner)} AND kind <> 'folder' AND runner IS NULL
          ORDER BY started_at DESC, id DESC`,
      );
      let sum = 0;
      const old = ended.filter(({ addresses }, at) => {
        sum += addresses;
        return at >= most || (at > 0 && sum > mostAddresses);
      });
      if (old.length === 0) return;
      const ids = old.map(({ id }) => id);
      await db.remove(
        (sql) => sql.run`DELETE FROM crawls WHERE runner IS NULL
          AND id IN (SELECT CAST(value AS bigint) FROM ${jsonRows(sql, ids)})`,
      );
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
  return {
    async openCrawl(owner, source, request) {
      const name = checkOwnerName(owner);
      return db.transaction(`crawls of ${name}`, (part) => openIn(part, name, source, request));
    },

    async finishCrawl({ id }) {
      await db.write((sql) => sql.run`UPDATE crawls SET finished_at = ${Date.now()} WHERE id = ${id}`);
    },

    async listCrawls(owner) {
      const newest = await db.read(
        (sql) => sql.all<CrawlRow>`SELECT id FROM crawls WHERE owner = ${checkOwnerName(owner)}
          ORDER BY started_at DESC, id DESC LIMIT ${MAX_LISTED}`,
      );
      const listed: CrawlInfo[] = [];
      for (const { id } of newest) {
        // Lets other work run, because counting the addresses of a crawl takes some milliseconds.
        await setImmediate();
        const found = await readInfo(db, fragment`id = ${id}`);
        if (found) listed.push(found);
      }
      return listed;
    },

    readCrawl: async (owner, source) =>
      readInfo(db, fragment`owner = ${checkOwnerName(owner)} AND source = ${source}`),

    deleteCrawls: (owner, prefix = '') =>
      db.remove(
        (sql) => sql.run`DELETE FROM crawls WHERE owner = ${checkOwnerName(owner)} AND ${liesUnder(prefix)}`,
      ),
  } satisfies Partial<CrawlStore>;
}

async function readInfo(db: AnyDatabase, isWanted: SqlFragment): Promise<CrawlInfo | undefined> {
  const found = await db.read(
    (sql) => sql.get<CrawlRow & Pick<CrawlInfo, 'read' | 'waiting'>>`SELECT c.*,
        (SELECT count(*) FROM crawl_addresses a WHERE a.crawl = c.id AND a.state = 'read') AS read,
        (SELECT count(*) FROM crawl_addresses a WHERE a.crawl = c.id AND a.run = c.run
          AND a.state = 'waiting') AS waiting
      FROM crawls c WHERE ${isWanted}`,
  );
  if (!found) return undefined;
  const { id, source, kind, options, read, waiting, ...row } = found;
  return {
    id,
    source,
    kind,
    options,
    startedAt: row.started_at,
    finishedAt: row.finished_at ?? undefined,
    read,
    waiting,
    runner: row.runner ?? undefined,
    beatAt: row.beat_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    outcome: row.outcome ?? undefined,
  };
}

function liesUnder(prefix: string): SqlFragment {
  const begins = fragment`substr(source, 1, length(${prefix})) = ${prefix}`;
  if (prefix === '' || prefix.endsWith('/')) return begins;
  return fragment`${begins} AND substr(source, length(${prefix}) + 1, 1) IN ('', '/', '?', '#')`;
}

async function openIn(
  db: AnyDatabase,
  owner: string,
  source: string,
  { kind, options, requeue }: CrawlRequest,
): Promise<OpenedCrawl> {
  const known = await db.read(
    (sql) => sql.get<CrawlRow>`SELECT * FROM crawls WHERE owner = ${owner} AND source = ${source}`,
  );
  if (!known) {
    const made = await db.write(
      (sql) => sql.get<CrawlRow>`INSERT INTO crawls (owner, source, kind, options, run, started_at)
        VALUES (${owner}, ${source}, ${kind}, ${options}, 1, ${Date.now()}) RETURNING id`,
    );
    return { id: made?.id ?? 0, run: 1, resumed: false, sameOptions: false };
  }
  const { id } = known;
  const sameOptions = known.options === options;
  // An active run keeps its options, so the new options are not stored.
  if (known.runner !== null && !isRunnerDead(known.runner, Date.now() - (known.beat_at ?? 0))) {
    return { id, run: known.run, resumed: true, sameOptions };
  }
  const resumed = known.finished_at === null;
  const run = resumed ? known.run : known.run + 1;
  const begun = resumed ? raw('') : fragment`, run = ${run}, started_at = ${Date.now()}, finished_at = NULL`;
  await db.write(function* (sql) {
    yield* sql.send`UPDATE crawls SET kind = ${kind}, options = ${options}${begun} WHERE id = ${id}`;
    if (resumed || !requeue) return;
    yield* sql.send`UPDATE crawl_addresses SET run = ${run}, state = 'waiting'
      WHERE crawl = ${id} AND run = ${known.run}`;
  });
  return { id, run, resumed, sameOptions };
}
