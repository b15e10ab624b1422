import { resolve } from 'node:path';
import { z } from 'zod';
import { defineCommand } from '../../command.ts';
import { formatCount } from '../../lib/text/format-count.ts';

export const testRules = defineCommand({
  name: 'rules test',
  summary: 'Tries your own scan rules on their samples.',
  description:
    'Reads the rules that `magpie scan --rules` would take, names each mistake with its file, line and rule, and tries every rule on its ' +
    'samples. It keeps nothing. Exit codes: 0 when every sample is as it says, 1 when one is not, 2 when the command line or a ' +
    'file is wrong. docs/scanning.md says how rules are written.',
  words: ['folder'],
  failedExit: 3,
  input: z.object({
    folder: z.string().min(1).max(2000).describe('A folder of .yaml files, or one of them.'),
  }),
  examples: [
    ['magpie rules test magpie-rules', 'all rules of that folder'],
    ['magpie rules test magpie-rules/no-raw-query.yaml', 'one rule'],
  ],
  effect: () => 'read',
  makesFolder: () => true,
  async run({ folder }, { services, signal, json, print }) {
    const room = await services.security();
    const checked = await room.checkRules(resolve(folder), signal);
    const { rules, samples, wrong, without } = checked;
    if (json) {
      await print(JSON.stringify(checked));
      return wrong.length > 0 ? 'found' : 'done';
    }
    for (const { file, line, rule, what } of wrong) {
      await print(`${file}:${line}: rule ${rule}: ${what}`, 'alarm');
    }
    for (const what of without) await print(what, 'hint');
    const good = samples - wrong.length;
    await print(
      `${formatCount(rules, 'rule')}: ${good} of ${formatCount(samples, 'sample')} as they should be.`,
    );
    return wrong.length > 0 ? 'found' : 'done';
  },
});
