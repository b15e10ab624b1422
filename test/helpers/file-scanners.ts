import { isMainThread } from 'node:worker_threads';
import type { Severity } from '../../src/lib/severity.ts';
import type { RawFinding } from '../../src/security/findings/finding.ts';
import type { FileScanner } from '../../src/security/scans/scanner.ts';
import { createLineIndex } from '../../src/security/trees/lines.ts';

/** Scanners of the tests' own, which do as the files say; loaded in worker threads too. */

/** A finding on each line that says `FAULT <severity> <identity>`. */
const marks: FileScanner = {
  name: 'marks',
  past: true,
  wants: (path) => !path.endsWith('.skip'),
  scan: ({ path, text }) => findMarks(path, text, 'marks/fault'),
};

/** The same findings in other words; of files that end in `.deaf` it says that it cannot read them. */
const echo: FileScanner = {
  name: 'echo',
  past: false,
  wants: () => true,
  lacks: async () => new Map([['echo', isMainThread ? 'was asked on the main thread' : 'has no echo']]),
  left: (paths, lacks) =>
    paths.filter((path) => path.endsWith('.deaf')).map((path) => `${path} ${lacks.get('echo')}`),
  scan: ({ path, text }) => findMarks(path, text, 'echo/fault'),
};

/** Never ends where a file says LOOP. */
const slow: FileScanner = {
  name: 'slow',
  past: false,
  wants: () => true,
  scan({ text }) {
    while (text.includes('LOOP'));
    return [];
  },
};

/** Where a file says WAIT, it stands still for 300 ms; where one says WORK, it computes for 40 ms of its own time. */
const held: FileScanner = {
  name: 'held',
  past: false,
  wants: () => true,
  scan({ path, text }) {
    if (text.includes('WAIT')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    if (text.includes('WORK')) computeFor(40);
    return findMarks(path, text, 'held/fault');
  },
};

/** Computes until this thread has used so many milliseconds of its processor time, which it seldom asks for. */
function computeFor(ms: number): void {
  const begun = process.threadCpuUsage();
  for (;;) {
    for (let at = 0; at < 1e6; at++);
    const { user, system } = process.threadCpuUsage(begun);
    if (user + system > ms * 1000) return;
  }
}

/** Throws where a file says BREAK, and takes its thread along where one says EXIT. */
const brittle: FileScanner = {
  name: 'brittle',
  past: false,
  wants: () => true,
  scan({ text }) {
    if (text.includes('BREAK')) throw new TypeError(`what the file holds: ${text}`);
    if (text.includes('EXIT')) process.exit(3);
    return [];
  },
};

function findMarks(path: string, text: string, id: string): RawFinding[] {
  const lines = createLineIndex(text);
  return [...text.matchAll(/FAULT (\w+) (\w+)/g)].map(({ index, 1: severity, 2: identity }) => {
    const line = lines.lineAt(index);
    return {
      id,
      severity: severity as Severity,
      title: 'A fault',
      description: `The line has the fault ${identity}.`,
      fix: 'Take it out.',
      path,
      line,
      cwe: ['CWE-78'],
      excerpt: lines.text(line).trim(),
      identity: identity ?? '',
    };
  });
}

/** A finding in each of several `.pair` files that a scan reads together; where one says LOOP, it never ends, and BREAK throws. */
const pairs: FileScanner = {
  name: 'pairs',
  past: false,
  wants: (path) => path.endsWith('.pair'),
  scan: () => [],
  together: {
    reads: 'data flow from',
    groupsOf: (path) => (path.endsWith('.pair') ? ['pair'] : []),
    async scan(files, _, begin) {
      for (const { path, text } of files) {
        begin(path);
        while (text.includes('LOOP'));
        if (text.includes('BREAK')) throw new TypeError(text);
      }
      const findings = files.flatMap(({ path, text }) => findMarks(path, text, 'pairs/fault'));
      return { findings, left: files.filter(({ text }) => text.includes('PAST')).length };
    },
  },
};

export const fileScanners: readonly FileScanner[] = [marks, echo, slow, held, brittle, pairs];
