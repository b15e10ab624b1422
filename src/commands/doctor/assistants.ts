import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '../../config/config.ts';
import { buildServerEntry, chooseAssistants, planChange } from '../assistants/plan.ts';
import { type DoctorCheck, type DoctorRemark, good, left, note, problem } from './finding.ts';

const run = promisify(execFile);
const VERSION_MS = 10_000;

export const assistantsCheck: DoctorCheck = {
  what: 'assistants',
  async run({ machine, signal }) {
    const found = chooseAssistants([], machine);
    if (found.length === 0) return left('no assistant that magpie setup knows was found on this machine');
    const entry = buildServerEntry(machine, {});
    return Promise.all(
      found.map(async (assistant): Promise<DoctorRemark> => {
        const change = await planChange(assistant, machine, entry);
        const setup = `magpie setup ${assistant.name}`;
        if ('reason' in change)
          return problem(`${assistant.title}: ${change.reason}`, 'mend the file by hand');
        const version = await versionOf(assistant.program, machine.env, signal);
        const title = version === undefined ? assistant.title : `${assistant.title} ${version}`;
        if (change.before === undefined) return note(`${title} does not know Magpie`, setup);
        const missing = missingOf(change.before);
        if (missing !== undefined) return problem(`${title} starts ${missing}, which is not there`, setup);
        return good(`${title} has Magpie: ${change.file}`);
      }),
    );
  },
};

async function versionOf(program: string | undefined, env: Environment, signal: AbortSignal) {
  if (program === undefined) return undefined;
  try {
    const { stdout } = await run(program, ['--version'], { env: { ...env }, signal, timeout: VERSION_MS });
    return /\d{1,6}\.\d{1,6}[\w.-]{0,40}/.exec(stdout)?.[0];
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

function missingOf(entry: unknown): string | undefined {
  const { command, args } = (entry ?? {}) as { command?: unknown; args?: unknown };
  const [script] = Array.isArray(args) ? args : [];
  return [command, script].find(
    (path): path is string => typeof path === 'string' && isAbsolute(path) && !existsSync(path),
  );
}
