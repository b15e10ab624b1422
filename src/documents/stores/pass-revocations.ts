import { type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import type { PassRevocations } from '../pass-revocations.ts';

/** Row that counts revocations for all users. No user has this name. */
const ALL_USERS = '';
const COUNT = 'SELECT coalesce(sum(ends), 0) AS ends FROM pass_ends WHERE owner IN (?, ?)';
const ADD = `INSERT INTO pass_ends (owner, ends) VALUES (?, 1)
  ON CONFLICT (owner) DO UPDATE SET ends = pass_ends.ends + 1`;

export function createPassRevocations(of: StoreDatabase): PassRevocations {
  const db = toAnyDatabase(of);
  const add = (owner: string) =>
    db.write(function* (sql) {
      yield* sql.send(ADD, owner);
    });
  return {
    countEnds: (owner) =>
      db.read(function* (sql) {
        return (yield* sql.get<{ ends: number }>(COUNT, owner.toWellFormed(), ALL_USERS))?.ends ?? 0;
      }),
    addEnd: (owner) => add(owner.toWellFormed()),
    addEndForAll: () => add(ALL_USERS),
  };
}
