import type { ScannedFile } from '../../../scans/scanner.ts';
import type { SettingsFileEntry } from '../flow/run.ts';

const MAX_SETTINGS = 20_000;
const ENTRY = /^[ \t]{0,40}([\w.-]{1,120})[ \t]{0,40}[=:][ \t]{0,40}(\S.{0,300})$/;

export function isPropertiesFile(path: string): boolean {
  return path.endsWith('.properties');
}

/** Returns the values in Java's `.properties` files by key. A value is undefined if two files contradict each other. */
export function readProperties(
  files: readonly ScannedFile[],
): ReadonlyMap<string, SettingsFileEntry | undefined> {
  const settings = new Map<string, SettingsFileEntry | undefined>();
  for (const { path, text } of files) {
    if (!isPropertiesFile(path)) continue;
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
