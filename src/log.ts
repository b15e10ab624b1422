import { createRequire } from 'node:module';
import type { Logger as Pino } from 'pino';
import { DatabaseFailure } from './errors.ts';
import { createSecretMask } from './lib/secrets/known-secrets.ts';
import { redactSecrets } from './lib/secrets/redact.ts';
import { traceIds } from './lib/tracing.ts';

/** Structured log: one JSON line an entry, on stderr (stdout belongs to MCP). */
export interface Logger {
  /** The least level that is written. */
  readonly level: string;
  readonly debug: Say;
  readonly info: Say;
  readonly warn: Say;
  readonly error: Say;
  /** A logger whose every line has these fields too. */
  child(fields: object): Logger;
}

/** Writes a line; an error goes into the field `err`. */
type Say = (fieldsOrMessage: object | string, message?: string) => void;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * A logger whose every line passes `redactSecrets`, so that no key, token or credential in an
 * address reaches the disk whatever was logged. `write` replaces stderr (tests); `secrets` are those of the
 * configuration, which are known by their value.
 */
export function createLog(
  level: LogLevel,
  write?: (line: string) => void,
  secrets: readonly string[] = [],
): RecentLogger {
  let made: Pino | undefined;
  const recent: string[] = [];
  const keep = (line: string) => {
    recent.push(line.slice(0, MAX_LINE_CHARS));
    if (recent.length > MAX_LINES) recent.shift();
  };
  const log = lazy(level, () => {
    made ??= createPino(level, write, secrets, keep);
    return made;
  });
  return { ...log, recent: () => recent };
}

/** Lines that are kept for the console's page, and characters of each. */
const MAX_LINES = 500;
const MAX_LINE_CHARS = 4000;

/** A logger that knows its last lines, as they were written: without secrets. */
export interface RecentLogger extends Logger {
  /** Oldest first. */
  recent(): readonly string[];
}

/** The library is loaded with the first line that is written: a server that starts well has nothing to say. */
function createPino(
  level: LogLevel,
  write: ((line: string) => void) | undefined,
  secrets: readonly string[],
  keep: (line: string) => void,
): Pino {
  const { destination, pino, stdSerializers } = createRequire(import.meta.url)(
    'pino',
  ) as typeof import('pino');
  const masked = createSecretMask(secrets);
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      mixin: () => traceIds() ?? {},
      serializers: { err: (error: Error) => inBrief(error) ?? stdSerializers.err(error) },
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        streamWrite(line) {
          const clean = masked(redactSecrets(line));
          keep(clean);
          return clean;
        },
      },
    },
    write ? { write } : destination({ dest: 2, sync: true }),
  );
}

/** Where the database fails for a moment, many meet it, and no place in the code says more. */
function inBrief(error: unknown): object | undefined {
  if (!(error instanceof DatabaseFailure)) return undefined;
  const { code, message, cause } = error;
  return { type: 'DatabaseFailure', code, message, ...(cause instanceof Error && { cause: cause.message }) };
}

/** A logger that asks for the one behind it when a line is to be written. */
function lazy(level: LogLevel, behind: () => Pino): Logger {
  const least = LOG_LEVELS.indexOf(level);
  const say = (name: 'debug' | 'info' | 'warn' | 'error'): Say => {
    if (LOG_LEVELS.indexOf(name) < least) return () => {};
    return (what, message) => {
      if (typeof what === 'string') behind()[name](what);
      else behind()[name](what, message);
    };
  };
  return {
    level,
    debug: say('debug'),
    info: say('info'),
    warn: say('warn'),
    error: say('error'),
    child(fields) {
      let made: Pino | undefined;
      return lazy(level, () => {
        made ??= behind().child(fields);
        return made;
      });
    },
  };
}
