import { createRequire } from 'node:module';
import type { Logger as Pino } from 'pino';
import { DatabaseFailure } from './errors.ts';
import { createSecretMask } from './lib/secrets/known-secrets.ts';
import { redactSecrets } from './lib/secrets/redact.ts';
import { traceIds } from './lib/tracing.ts';

/** Writes JSON lines to standard error, because MCP uses standard output. */
export interface Logger {
  readonly level: string;
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
  child(fields: object): Logger;
}

type LogMethod = (fieldsOrMessage: object | string, message?: string) => void;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Creates a logger that masks `secrets` and all texts that look like secrets. */
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

/** Maximum number of recent lines for the console's log page. `MAX_LINE_CHARS` limits each line. */
const MAX_LINES = 500;
const MAX_LINE_CHARS = 4000;

export interface RecentLogger extends Logger {
  recent(): readonly string[];
}

/** Loads the logging library at the first line, because many processes log nothing. */
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

/** Shortens a database error to its message. An outage causes many errors, whose stacks explain nothing. */
function inBrief(error: unknown): object | undefined {
  if (!(error instanceof DatabaseFailure)) return undefined;
  const { code, message, cause } = error;
  return { type: 'DatabaseFailure', code, message, ...(cause instanceof Error && { cause: cause.message }) };
}

function lazy(level: LogLevel, behind: () => Pino): Logger {
  const least = LOG_LEVELS.indexOf(level);
  const say = (name: 'debug' | 'info' | 'warn' | 'error'): LogMethod => {
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
