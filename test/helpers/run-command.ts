import { Readable } from 'node:stream';
import { localCaller } from '../../src/caller.ts';
import type { Command, CommandOutcome } from '../../src/command.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/log.ts';
import type { Services } from '../../src/wiring/services.ts';

export interface CommandRun {
  readonly services: Services;
  readonly owner: string;
  /** True when left out. */
  readonly json?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a terminal command on rooms of this process; how it ended, and the lines that it prints. */
export async function runWith(
  { services, owner, json = true, signal = new AbortController().signal }: CommandRun,
  command: Command,
  input: Record<string, unknown>,
): Promise<{ readonly outcome: CommandOutcome; readonly printed: readonly string[] }> {
  const printed: string[] = [];
  const outcome = await command.run(command.input.parse(input), {
    caller: localCaller(owner, 'cli'),
    services,
    log: createLog('error'),
    config: loadConfig({}, {}),
    machine: { platform: process.platform, env: {}, node: process.execPath },
    signal,
    json,
    stdin: () => Readable.from([]),
    askPassword: async () => undefined,
    progress() {},
    // What is tried again is tried at once.
    pause: async () => {},
    print: async (line) => void printed.push(line),
  });
  return { outcome, printed };
}
