import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { unavailableError } from '../errors.ts';

type Sqlite = typeof import('node:sqlite');
/** Last major version of Node.js that cannot bind values by position to `?1`, `?2` and so on. */
const LAST_WITHOUT_NUMBERS = 23;
const BINDING = ['run', 'get', 'all', 'iterate'] as const;
let bindsByNumber = false;

/** Loads Node's SQLite without its warning. Throws AppError `unavailable` if Node.js lacks SQLite. */
export function loadSqlite(): Sqlite {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const sqlite = process.getBuiltinModule('node:sqlite');
    if (sqlite && !bindsByNumber && Number.parseInt(process.versions.node, 10) <= LAST_WITHOUT_NUMBERS)
      bindByNumber(sqlite);
    if (sqlite) return sqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
  throw unavailableError(`Node.js ${process.version} has no SQLite: Magpie needs Node.js 22.19 or newer`);
}

/** Makes statements bind `?1` by name, because Node.js 22 cannot bind it by position. */
export function bindByNumber({ StatementSync }: Sqlite): void {
  bindsByNumber = true;
  const numbers = new WeakMap<StatementSync, ReadonlySet<number>>();
  const numbersOf = (statement: StatementSync) => {
    const known = numbers.get(statement) ?? numberedIn(statement.sourceSQL);
    numbers.set(statement, known);
    return known;
  };
  for (const name of BINDING) {
    const inOrder = StatementSync.prototype[name] as (this: StatementSync, ...values: unknown[]) => unknown;
    const byNumber = function (this: StatementSync, ...values: SQLInputValue[]) {
      const numbered = numbersOf(this);
      if (numbered.size === 0) return inOrder.apply(this, values);
      const named = values.flatMap((value, at) => (numbered.has(at + 1) ? [[`?${at + 1}`, value]] : []));
      return inOrder.call(
        this,
        Object.fromEntries(named),
        ...values.filter((_, at) => !numbered.has(at + 1)),
      );
    };
    Object.defineProperty(StatementSync.prototype, name, {
      value: byNumber,
      writable: true,
      configurable: true,
    });
  }
}

const numberedIn = (sql: string): ReadonlySet<number> =>
  new Set([...sql.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number)));
