import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import places from './places.json' with { type: 'json' };

/** Paths of an assistant's files, with variables that `expandPaths` replaces. */
export interface AssistantPaths {
  /** A folder that exists if the assistant is installed. */
  readonly folder: readonly string[];
  readonly program?: string;
  /** Settings files that list MCP servers. `magpie setup` changes the first that exists. */
  readonly settings: readonly string[];
  /** Further settings, instructions, skills and plug-ins: files, or folders with all their content. */
  readonly reads: readonly string[];
}

export const ASSISTANT_PATHS: Readonly<Record<string, AssistantPaths>> = places;

export interface MachineEnvironment {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly node: string;
}

export function homeFolder({ env, platform }: MachineEnvironment): string {
  return (platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir();
}

function settingsFolder(machine: MachineEnvironment): string {
  const { platform, env } = machine;
  const home = homeFolder(machine);
  if (platform === 'win32') return env.APPDATA || win32.join(home, 'AppData', 'Roaming');
  return platform === 'darwin'
    ? posix.join(home, 'Library', 'Application Support')
    : env.XDG_CONFIG_HOME || posix.join(home, '.config');
}

/**
 * Expands paths: `~/` (home), `$SETTINGS/` (user settings), `./` (each of `folders`), `$NAME/` (environment
 * variable). A prefix `win32:`, `darwin:` or `linux:` limits a path to one operating system.
 */
export function expandPaths(
  places: readonly string[],
  machine: MachineEnvironment,
  folders: readonly string[] = [],
): string[] {
  const { platform, env } = machine;
  const { join } = platform === 'win32' ? win32 : posix;
  const system = platform === 'win32' || platform === 'darwin' ? platform : 'linux';
  return places.flatMap((place) => {
    const [, only = system, path = ''] = /^(?:(win32|darwin|linux):)?(.*)$/s.exec(place) ?? [];
    if (only !== system) return [];
    const [, base = '', rest = ''] = /^(\.|~|\$\w+)\/(.*)$/s.exec(path) ?? [];
    if (base === '.') return folders.map((folder) => join(folder, rest));
    if (base === '') return [path];
    const folder =
      base === '~'
        ? homeFolder(machine)
        : base === '$SETTINGS'
          ? settingsFolder(machine)
          : env[base.slice(1)];
    return folder ? [join(folder, rest)] : [];
  });
}
