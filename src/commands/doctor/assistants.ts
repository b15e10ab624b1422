import { access } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { assistantsOf, changeOf, entryOf } from '../assistants/plan.ts';
import { type Examination, type Finding, findingsOf } from './finding.ts';

/** Whether the assistants on this machine know Magpie, and whether what their files name is there. */
export const assistants: Examination = {
  what: 'assistants',
  async run({ machine }) {
    const { good, note, problem, left } = findingsOf('assistants');
    const found = assistantsOf([], machine);
    if (found.length === 0) return [left('none that magpie setup knows is on this machine')];
    const entry = entryOf(machine, {});
    return Promise.all(
      found.map(async (assistant): Promise<Finding> => {
        const change = await changeOf(assistant, machine, entry);
        const setup = `magpie setup ${assistant.name}`;
        if ('reason' in change)
          return problem(`${assistant.title}: ${change.reason}`, 'mend the file by hand');
        if (change.before === undefined) return note(`${assistant.title} does not know Magpie`, setup);
        const missing = await missingOf(change.before);
        if (missing !== undefined)
          return problem(`${assistant.title} starts ${missing}, which is not there`, setup);
        return good(`${assistant.title} has Magpie: ${change.file}`);
      }),
    );
  },
};

/** The first path of an entry that is not there. */
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
