import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '../../config/config.ts';
import { buildServerEntry, chooseAssistants, planChange } from '../assistants/plan.ts';
import { createDoctorFindings, type DoctorCheck, type DoctorFinding } from './finding.ts';

const run = promisify(execFile);
const VERSION_MS = 10_000;

export const assistantsCheck: DoctorCheck = {
  what: 'assistants',
  async run({ machine, signal }) {
    const { good, note, problem, left } = createDoctorFindings('assistants');
    const found = chooseAssistants([], machine);
    if (found.length === 0) return [left('no assistant that magpie setup knows was found on this machine')];
    const entry = buildServerEntry(machine, {});
    return Promise.all(
      found.map(async (assistant): Promise<DoctorFinding> => {
        const change = await planChange(assistant, machine, entry);
        const setup = `magpie setup ${assistant.name}`;
        if ('reason' in change)
          return problem(`${assistant.title}: ${change.reason}`, 'mend the file by hand');
        const version = await versionOf(assistant.program, machine.env, signal);
        const title = version === undefined ? assistant.title : `${assistant.title} ${version}`;
        if (change.before === undefined) return note(`${title} does not know Magpie`, setup);
        const missing = await missingOf(change.before);
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

async function missingOf(entry: unknown): Promise<string | undefined> {
  const { command, args } = (entry ?? {}) as { command?: unknown; args?: unknown };
  const [script] = Array.isArray(args) ? args : [];
  for (const path of [command, script]) {
    if (typeof path !== 'string' || !isAbsolute(path)) continue;
    const there = await access(path).then(
      () => true,
      () => false,
    );
    if (!there) return path;
  }
  return undefined;
}
