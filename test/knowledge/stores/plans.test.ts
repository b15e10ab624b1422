import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGrowingIndex } from '../../../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import { createLog } from '../../../src/log.ts';
import { readStatement, type SqlPart, type SqlStatement } from '../../../src/storage/sql-template.ts';
import type { Database, Statements } from '../../../src/storage/sqlite.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';
import { createWordEmbedder } from '../../helpers/word-embedder.ts';

/**
 * What SQLite does for each statement that inserts, lists and queries run: none may walk or sort a whole table, which
 * is quick in a test and takes a tenth of a second with 100,000 passages.
 */

const folder = temporaryFolder();
const signal = new AbortController().signal;
const asked = new Set<string>();
let raw: Database;

beforeAll(async () => {
  raw = await openTestDatabase({ folder: folder.path });
  const noted =
    <S extends SqlStatement, R>(run: (sql: S, ...values: readonly SqlPart[]) => R) =>
    (sql: S, ...values: readonly SqlPart[]) => {
      asked.add(readStatement(sql, values).text);
      return run(sql, ...values);
    };
  const notedIn = (sql: Statements): Statements => ({
    prepare: noted(sql.prepare),
    all: noted(sql.all) as Statements['all'],
    get: noted(sql.get) as Statements['get'],
    run: noted(sql.run) as Statements['run'],
  });
  const db: Database = {
    ...raw,
    read: (work) => raw.read((sql) => work(notedIn(sql))),
    write: (work) => raw.write((sql) => work(notedIn(sql))),
  };
  const knowledge = createKnowledge({
    store: createEntryStore(db),
    embedder: createWordEmbedder(),
    openIndex: openGrowingIndex,
    log: createLog('silent'),
    searchIntervalMs: 3_600_000,
    changesIntervalMs: 3_600_000,
  });
  // What is searched once at the start, and every half a minute, may take its time.
  await sleep(50);
  asked.clear();
  const inserted = await Promise.all(
    Array.from({ length: 80 }, (_, at) =>
      knowledge.insertEntry(
        'ann',
        { text: `the magpie of nest ${at}`, tags: ['birds'], source: 'field' },
        signal,
      ),
    ),
  );
  await knowledge.insertEntry('ann', { text: 'the magpie of nest 1', tags: ['again'] }, signal);
  const id = inserted[0]?.id ?? '';
  await knowledge.updateEntry('ann', id, { text: 'changed' }, signal);
  await knowledge.findPassages('ann', 'which nest of the magpies', { neighbours: 2 }, signal);
  await knowledge.findPassages('ann', '', {}, signal);
  await knowledge.putDocument('ann', { name: 'a.pdf' }, ['Of nests.', 'Of bridges.'], signal);
  await knowledge.findDocumentPassages('ann', 'a.pdf', { fromPage: 1, toPage: 2 }, 'bridges', 3, signal);
  await knowledge.removeDocument('ann', 'a.pdf');
  await knowledge.listEntries('ann', 10);
  await knowledge.readStats('ann');
  await knowledge.findEntry('ann', id);
  await knowledge.removeEntry('ann', id);
  await knowledge.close();
});
afterAll(() => {
  raw.close();
  folder.remove();
});

test('no statement of an insert, a list or a query scans or sorts a table', async () => {
  const plans = await raw.read((sql) =>
    [...asked]
      .filter((text) => /^\s*(SELECT|UPDATE|DELETE|INSERT)/.test(text))
      .flatMap((text) =>
        sql
          .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
          .map(({ detail }) => ({ sql: text.replace(/\s+/g, ' '), detail })),
      ),
  );
  expect(plans.length).toBeGreaterThan(15);
  // Virtual tables and what a subquery gives are walked as they should be; models are a handful.
  const fine = ({ sql, detail }: (typeof plans)[number]) =>
    /VIRTUAL TABLE|subquery|SCAN (m|kb_models)\b/.test(detail) ||
    (/B-TREE/.test(detail) && /FROM kb_models/.test(sql));
  const slow = ({ sql, detail }: (typeof plans)[number]) =>
    /^SCAN|TEMP B-TREE/.test(detail) ||
    (/\(owner=\?\)$/.test(detail) && (/digest = \?/.test(sql) || !/LIMIT/.test(sql)));
  const walked = plans.filter((plan) => slow(plan) && !fine(plan));
  expect(walked).toEqual([]);
});
