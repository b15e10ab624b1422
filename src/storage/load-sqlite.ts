import { AppError } from '../errors.ts';

/**
 * The SQLite that is built into Node.js. Some versions print a warning when it is first loaded, and a user
 * of Magpie cannot change that: it is held back, and nothing else can be, since loading is
 * synchronous. AppError `unavailable` on a Node.js without it.
 */
export function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const sqlite = process.getBuiltinModule('node:sqlite');
    if (sqlite) return sqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
  throw new AppError(
    'unavailable',
    `Node.js ${process.version} has no SQLite: Magpie needs Node.js 22.19 or newer`,
  );
}
