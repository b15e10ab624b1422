import type { ScannedFile } from '../../../scans/scanner.ts';
import type { SettingsFileEntry } from '../flow/run.ts';
import { propertiesIn } from '../settings-names.ts';
import { nearestPath } from './declarations.ts';

const MAX_SETTINGS = 20_000;

export type ApplicationSettings = ReadonlyMap<string, readonly SettingsFileEntry[]>;

export const isPropertiesFile = (path: string): boolean => path.endsWith('.properties');

export function readProperties(files: readonly ScannedFile[]): ApplicationSettings {
  const settings = new Map<string, SettingsFileEntry[]>();
  for (const { path, text } of files) {
    if (!isPropertiesFile(path)) continue;
    for (const { name, value, line } of propertiesIn(text)) {
      if (value === '' || settings.size >= MAX_SETTINGS) continue;
      settings.set(name, [...(settings.get(name) ?? []), { path, line, value }]);
    }
  }
  return settings;
}

export function findSetting(
  settings: ApplicationSettings,
  key: string,
  file: string | undefined,
  from: string,
): SettingsFileEntry | undefined {
  const all = settings.get(key) ?? [];
  const own = file === undefined ? all : all.filter(({ path }) => `/${path}`.endsWith(`/${file}`));
  if (own.every(({ value }) => value === own[0]?.value)) return own[0];
  const nearest = nearestPath(
    own.map(({ path }) => path),
    from,
  );
  return file === undefined ? undefined : own.find(({ path }) => path === nearest);
}
