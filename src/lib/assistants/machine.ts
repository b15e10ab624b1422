import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import places from './places.json' with { type: 'json' };

/** Places of an assistant's files, in the form that `expandPlaces` takes. */
export interface AssistantPlaces {
  /** A folder that exists if the assistant is installed. */
  readonly folder: readonly string[];
  readonly program?: string;
  /** Settings files with servers. `magpie setup` writes into the first that exists. */
  readonly settings: readonly string[];
  /** Further settings, instructions, skills and plug-ins. A folder counts with all that is in it. */
  readonly reads: readonly string[];
}

export const ASSISTANT_PLACES: Readonly<Record<string, AssistantPlaces>> = places;

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly node: string;
}

export function homeFolder({ env, platform }: Machine): string {
  return (platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir();
}

function settingsFolder(machine: Machine): string {
  const { platform, env } = machine;
  const home = homeFolder(machine);
  if (platform === 'win32') return env.APPDATA || win32.join(home, 'AppData', 'Roaming');
  return platform === 'darwin'
    ? posix.join(home, 'Library', 'Application Support')
    : env.XDG_CONFIG_HOME || posix.join(home, '.config');
}

/**
 * Returns the absolute paths of places, which are written as in places.json: `~/` is the home folder, `$SETTINGS/` the folder of user
 * settings, `./` each of `folders`, `$NAME/` an environment variable. `win32:`, `darwin:` or `linux:` before a place is its system.
 */
export function expandPlaces(
  places: readonly string[],
  machine: Machine,
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
