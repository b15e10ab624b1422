import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Machine } from '../../command.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { startProgram } from '../../lib/workers/program.ts';
import type { TourSites } from './sites.ts';

export interface CommandOutput {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

/** Environment variables that the tour's commands get. Other variables could change the output. */
const KEPT = /^(path|home|lang|tmpdir|temp|tmp|systemroot|userprofile|appdata|localappdata|no_color)$/i;
const COMMAND_MS = 120_000;

export type TourProgram = ReturnType<typeof createTourProgram>;

export function createTourProgram({ node, env }: Machine, folder: string, { site }: TourSites) {
  const main = fileURLToPath(moduleUrl('../../main.ts', import.meta.url));
  const kept = Object.entries(env).filter(([name]) => KEPT.test(name));
  const call = {
    command: node,
    cwd: folder,
    env: {
      ...(Object.fromEntries(kept) as Record<string, string>),
      MAGPIE_DATA: `${folder}/data`,
      MAGPIE_USER: 'you',
      MAGPIE_PORT: '0',
      MAGPIE_ENGINES: 'local',
      MAGPIE_ALLOW_HOSTS: site,
      MAGPIE_INVENTORY: `${folder}/infrastructure.yaml`,
    },
  };
  const start = async (args: readonly string[], input = '') => {
    const program = await startProgram({ ...call, args: [main, ...args] });
    // Ignores the error of a closed pipe, because a program may exit without reading its input.
    program.stdin.on('error', () => {});
    program.stdin.end(input);
    return program;
  };
  return {
    start,
    /** Kills the program when the signal aborts, or after two minutes. */
    async run(args: readonly string[], signal: AbortSignal, input?: string) {
      const program = await start(args, input);
      const ends = AbortSignal.any([signal, AbortSignal.timeout(COMMAND_MS)]);
      const kill = () => program.kill();
      ends.addEventListener('abort', kill);
      if (ends.aborted) kill();
      try {
        const [out, errors, code] = await Promise.all([
          text(program.stdout),
          text(program.stderr),
          program.ended,
        ]);
        return { code, out, errors };
      } finally {
        ends.removeEventListener('abort', kill);
      }
    },
  };
}
