import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** `magpie stdio` by the program's own `main` in this process. */
export interface StdioRun {
  /** For a client of either SDK. Its `close` ends the input and waits for the run's end. */
  readonly transport: StdioServerTransport;
  readonly input: PassThrough;
  /** Lines that the run has written so far. */
  lines(): string[];
  /** The exit code. */
  readonly ended: Promise<number>;
}

export function runStdio(env: Record<string, string>): StdioRun {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let text = '';
  output.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  // Loaded here, so that tests which start nothing do not load the program.
  const ended = import('../../src/cli/main.ts').then(({ main }) =>
    main(['stdio'], {
      stdin: input,
      stdout: output,
      stderr: new Writable({ write: (_chunk, _encoding, done) => done() }),
      env,
      platform: process.platform,
      node: process.execPath,
      signals: new EventEmitter(),
      program: 'magpie',
      parentId: () => process.ppid,
      log() {},
    }),
  );
  // The transport of a server's side, on the other ends of the streams.
  const transport = new StdioServerTransport(output, input);
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await close();
    input.end();
    output.resume();
    await ended;
  };
  return { transport, input, lines: () => text.split('\n').filter(Boolean), ended };
}
