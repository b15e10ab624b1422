import type { ScannedFile } from '../../../scans/scanner.ts';
import type { Setting } from '../flow/run.ts';

/** Settings that are kept of all files together. */
const MAX_SETTINGS = 20_000;
const ENTRY = /^[ \t]{0,40}([\w.-]{1,120})[ \t]{0,40}[=:][ \t]{0,40}(\S.{0,300})$/;

export function isSettings(path: string): boolean {
  return path.endsWith('.properties');
}

/** What Java's `.properties` files say by name: undefined where none does, or where two say different things. */
export function settingsOf(files: readonly ScannedFile[]): ReadonlyMap<string, Setting | undefined> {
  const settings = new Map<string, Setting | undefined>();
  for (const { path, text } of files) {
    if (!isSettings(path)) continue;
    for (const [at, line] of text.split(/\r?\n/).entries()) {
      const [, key, written = ''] = ENTRY.exec(line) ?? [];
      if (key === undefined || settings.size >= MAX_SETTINGS) continue;
      const value = written.trim();
      const same = !settings.has(key) || settings.get(key)?.value === value;
      settings.set(key, same ? (settings.get(key) ?? { path, line: at + 1, value }) : undefined);
    }
  }
  return settings;
}
