import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import type { Machine } from '../../command.ts';

export function homeFolder({ env, platform }: Machine): string {
  return (platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir();
}

/** Returns a path in the folder where programs keep user settings on this operating system. */
export function settingsPath(machine: Machine, ...parts: readonly string[]): string {
  const { platform, env } = machine;
  const home = homeFolder(machine);
  if (platform === 'win32') {
    return win32.join(env.APPDATA || win32.join(home, 'AppData', 'Roaming'), ...parts);
  }
  const folder =
    platform === 'darwin'
      ? posix.join(home, 'Library', 'Application Support')
      : env.XDG_CONFIG_HOME || posix.join(home, '.config');
  return posix.join(folder, ...parts);
}

export function homePath(machine: Machine, ...parts: readonly string[]): string {
  return (machine.platform === 'win32' ? win32 : posix).join(homeFolder(machine), ...parts);
}
