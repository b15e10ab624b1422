import { destination, type Logger as Pino, pino } from 'pino';
import { redactSecrets, withoutSecrets } from './lib/redact.ts';

/** Structured log: one JSON line an entry, on stderr (stdout belongs to MCP). */
export type Logger = Pick<Pino, 'debug' | 'info' | 'warn' | 'error' | 'child' | 'level'>;

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
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: (line) => withoutSecrets(redactSecrets(line), secrets) },
    },
    write ? { write } : destination({ dest: 2, sync: true }),
  );
}
