import type { PassThrough } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { WaitTimes } from '../../src/wiring/waits.ts';
import { startStdio } from './magpie.ts';

/** `magpie stdio` by the program's own `main` in this process, with the transport of a client. */
export interface StdioRun {
  /** For a client of either SDK. Its `close` ends the input and waits for the run's end. */
  readonly transport: StdioServerTransport;
  readonly input: PassThrough;
  /** Lines that the run has written so far. */
  lines(): string[];
  /** The exit code. */
  readonly ended: Promise<number>;
}

export function runStdio(
  env: Record<string, string>,
  flags: readonly string[] = [],
  waits: WaitTimes = {},
): StdioRun {
  const { stdin: input, stdout, ended } = startStdio(env, flags, waits);
  let text = '';
  stdout.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  // Messages are written on both pipes in the same way: the transport of a server serves its client as well.
  const transport = new StdioServerTransport(stdout, input);
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await close();
    input.end();
    stdout.resume();
    await ended;
  };
  return { transport, input, lines: () => text.split('\n').filter(Boolean), ended };
}
