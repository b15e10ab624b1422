import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findPart, PARTS, type PartName } from '../../lib/parts.ts';
import { VERSION } from '../../version.ts';
import { type Examination, findingsOf } from './finding.ts';

const run = promisify(execFile);
const GIT_MS = 10_000;

export const program: Examination = {
  what: 'program',
  async run({ machine }) {
    const { good } = findingsOf('program');
    return [
      good(
        `Magpie ${VERSION} on Node.js ${process.versions.node}, ${machine.platform} ${process.arch}: ${machine.node}`,
      ),
    ];
  },
};

/** Lists the installed parts of `magpie add`, and the purpose of the missing ones. */
export const parts: Examination = {
  what: 'parts',
  async run() {
    const { good, left } = findingsOf('parts');
    return (Object.keys(PARTS) as PartName[]).map((name) =>
      findPart(name)
        ? good(`${name} is there`)
        : left(`${name} is not there: it ${PARTS[name].about}`, `magpie add ${name}`),
    );
  },
};

export const git: Examination = {
  what: 'git',
  async run({ signal }) {
    const { good, note } = findingsOf('git');
    try {
      const { stdout } = await run('git', ['--version'], { signal, timeout: GIT_MS });
      return [good(stdout.trim())];
    } catch {
      return [
        note(
          'git was not found: scans read folders, and no repository by its address or history',
          'install git',
        ),
      ];
    }
  },
};
