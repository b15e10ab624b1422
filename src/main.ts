#!/usr/bin/env node
import { basename } from 'node:path';
import { keepCompiledCode } from './lib/workers/compile-cache.ts';

/** The process exits at the latest `STOP_MS` after a stop signal, or `LEFT_MS` after all work is done. */
const STOP_MS = 4500;
const LEFT_MS = 300;

keepCompiledCode();
// This check comes first, because the other modules need features that older versions of Node.js lack.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `magpie: this is Node.js ${process.versions.node}, and Magpie needs 22.19 or newer; ` +
      'a checkout has one at node_modules/.bin/node\n',
  );
  process.exitCode = 1;
} else {
  // A reader such as `head` may close the pipe early. The process then exits with code 0.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
  const [{ main }, { processEnvironment }] = await Promise.all([
    import('./cli/main.ts'),
    import('./config/config.ts'),
  ]);
  // Ends the process within 5 s of a stop signal. Unfinished work is recovered at the next start.
  const endInTime = () => void setTimeout(() => process.exit(process.exitCode ?? 1), STOP_MS).unref();
  process.exitCode = await main(process.argv.slice(2), {
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: processEnvironment(),
    platform: process.platform,
    node: process.execPath,
    signals: {
      once: (signal, listener) => process.once(signal, listener).once(signal, endInTime),
      off: (signal, listener) => process.off(signal, listener).off(signal, endInTime),
    },
    program: basename(process.argv[1] ?? ''),
    parentId: () => process.ppid,
  });
  // All work is done. If a hanging thread keeps the process running, the timer ends the process.
  setTimeout(() => process.exit(), LEFT_MS).unref();
}
