import { resolve } from 'node:path';
import { z } from 'zod';
import { formatCount } from '../../lib/text/format-count.ts';
import { documentedCommand } from '../documented-command.ts';

export const testRules = documentedCommand('rules test', {
  words: ['folder'],
  failedExit: 3,
  flags: {
    folder: z.string().min(1).max(2000),
  },
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
