import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Machine } from '../../command.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { type Program, startProgram } from '../../lib/workers/program.ts';
import type { Sites } from './sites.ts';

/** What a command of the tour gave. */
export interface Answer {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

/** What programs of a system count on. Settings of the person are not taken over: the tour shows the same on each machine. */
const KEPT = /^(path|home|lang|tmpdir|temp|tmp|systemroot|userprofile|appdata|localappdata|no_color)$/i;
/** Most milliseconds of one command: a machine that is slow, or busy, takes its time. */
const COMMAND_MS = 120_000;

/** This program, run again with a data folder of the tour's own. */
export interface OwnProgram {
  start(args: readonly string[], input?: string): Promise<Program>;
  /** Runs it to its end; killed when the signal comes, or after two minutes. */
  run(args: readonly string[], signal: AbortSignal, input?: string): Promise<Answer>;
}

/** Runs in this folder, with the tour's own settings. */
export function ownProgram({ node, env }: Machine, folder: string, { site }: Sites): OwnProgram {
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
    // One that ends without reading it closes its input.
    program.stdin.on('error', () => {});
    program.stdin.end(input);
    return program;
  };
  return {
    start,
    async run(args, signal, input) {
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
