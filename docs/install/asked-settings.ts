import type { Setting } from '../../src/config/setting.ts';
import { SETTINGS, type SettingName } from '../../src/config/settings.ts';

/**
 * The settings that a form of an assistant asks for when it installs Magpie. Registries and bundles show each one to a person, so
 * these are the few that a person has an answer to; all others stay in the settings file.
 */
const ASKED: Readonly<Partial<Record<SettingName, string>>> = {
  toolsets: 'Toolsets',
  readOnly: 'Read only',
  data: 'Data folder',
  scanRoots: 'Folders that may be scanned',
  searxngUrl: 'Address of a SearXNG',
  braveKey: 'Key for Brave Search',
  tavilyKey: 'Key for Tavily',
  exaKey: 'Key for Exa',
  openaiBaseUrl: 'Address of an OpenAI-compatible service',
  openaiKey: 'Key for that service',
};

/** One of them, with its declaration. */
export interface AskedSetting {
  /** Its name in the settings file. */
  readonly name: SettingName;
  /** Two to five words over its field. */
  readonly title: string;
  readonly setting: Setting;
}

export const ASKED_SETTINGS: readonly AskedSetting[] = Object.entries(ASKED).map(([key, title]) => {
  const name = key as SettingName;
  return { name, title, setting: SETTINGS[name] };
});
