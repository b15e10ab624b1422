import { z } from 'zod';
import { formatCount } from '../../lib/text/format-count.ts';
import { documentedCommand } from '../documented-command.ts';
import { textFlag } from '../flags.ts';

export const updateAdvisories = documentedCommand('advisories update', {
  effect: () => 'write',
  flags: {
    from: textFlag(2000),
    ecosystem: z.array(z.string().min(1).max(100)).max(100).optional(),
  },
  async run({ from, ecosystem }, { services, signal, progress, print, json }) {
    const request = { from, ecosystems: ecosystem };
    const { ecosystems, taken, passed } = await services.maintenance.updateAdvisories(request, {
      signal,
      progress,
    });
    if (json) return print(JSON.stringify({ taken, passed, ecosystems }));
    for (const { ecosystem: name, advisories, updatedAt } of ecosystems) {
      const day = new Date(updatedAt).toISOString().slice(0, 10);
      await print(
        `${name.padEnd(10)} ${String(advisories).padStart(8)} ${advisories === 1 ? 'advisory' : 'advisories'} of ${day}`,
      );
    }
    await print(
      `${formatCount(taken, 'advisory', 'advisories')} taken; ${formatCount(passed, 'record')} passed over: withdrawn, or of no package that is known.`,
      'quiet',
    );
  },
});
