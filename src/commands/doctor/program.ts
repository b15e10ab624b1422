import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  isOptionalPackageInstalled,
  OPTIONAL_PACKAGES,
  type OptionalPackageName,
} from '../../lib/optional-packages.ts';
import { VERSION } from '../../version.ts';
import { type DoctorCheck, good, left, note } from './finding.ts';

const run = promisify(execFile);
const GIT_MS = 10_000;

export const programCheck: DoctorCheck = {
  what: 'program',
  async run({ machine }) {
    return good(
      `Magpie ${VERSION} runs on Node.js ${process.versions.node} (${machine.platform} ${process.arch}) at ${machine.node}`,
    );
  },
};

export const optionalPartsCheck: DoctorCheck = {
  what: 'parts',
  async run() {
    return (Object.keys(OPTIONAL_PACKAGES) as OptionalPackageName[]).map((name) =>
      isOptionalPackageInstalled(name)
        ? good(`${name} is installed: it ${OPTIONAL_PACKAGES[name].about}`)
        : left(`${name} is not installed: it ${OPTIONAL_PACKAGES[name].about}`, `magpie add ${name}`),
    );
  },
};

export const gitCheck: DoctorCheck = {
  what: 'git',
  async run({ signal }) {
    try {
      const { stdout } = await run('git', ['--version'], { signal, timeout: GIT_MS });
      return good(`${stdout.trim()} is installed, so that repositories can be scanned`);
    } catch {
      return note(
        'git was not found: scans read folders, and no repository by its address or history',
        'install git',
      );
    }
  },
};
