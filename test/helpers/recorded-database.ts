import type { AnyDatabase, Sql, SqlValue } from '../../src/storage/any-database.ts';
import { readStatement, type SqlPart, type SqlStatement } from '../../src/storage/sql-template.ts';

/** The same database; each statement that steps send through it is noted once, with the values of its first use. */
export function recordedDatabase(db: AnyDatabase, asked: Map<string, readonly SqlValue[]>): AnyDatabase {
  const note = (sql: SqlStatement, parts: readonly SqlPart[] = []) => {
    const { text, values } = readStatement(sql, parts);
    if (!asked.has(text)) asked.set(text, values);
  };
  const noting = (sql: Sql): Sql => ({
    ...sql,
    all(text, ...values) {
      note(text, values);
      return sql.all(text, ...values);
    },
    get(text, ...values) {
      note(text, values);
      return sql.get(text, ...values);
    },
    run(text, ...values) {
      note(text, values);
      return sql.run(text, ...values);
    },
    send(text, ...values) {
      note(text, values);
      return sql.send(text, ...values);
    },
    sendEach: (text, given) => {
      const lists = [...given];
      if (lists[0]) note(text, lists[0]);
      return sql.sendEach(text, lists);
    },
    allEach: (given) => {
      const all = [...given];
      if (all[0]) note(all[0].text, all[0].values);
      return sql.allEach(all);
    },
  });
  return {
    ...db,
    read: (work) => db.read((sql) => work(noting(sql))),
    write: (work) => db.write((sql) => work(noting(sql))),
    writeReplaceable: (work) => db.writeReplaceable((sql) => work(noting(sql))),
    remove: (work) => db.remove((sql) => work(noting(sql))),
    transaction: (name, work) => db.transaction(name, (part) => work(recordedDatabase(part, asked))),
  };
}
