import type { Config } from '../src/config/config.ts';
import { SETTINGS } from '../src/config/settings.ts';
import type { EngineAbout } from '../src/search/engine.ts';
import { ENGINES } from '../src/wiring/engines.ts';

/** What the documents say about the search engines, from the list of src/wiring/engines.ts. */

export interface ListedEngine {
  readonly name: string;
  readonly about: EngineAbout;
  /** Asked when nothing is configured. */
  readonly standard: boolean;
  /** The setting that holds its key or address. */
  readonly setting?: keyof Config & keyof typeof SETTINGS;
}

/** Every engine of the list, loaded. */
export function loadEngines(): Promise<ListedEngine[]> {
  return Promise.all(
    Object.entries(ENGINES).map(async ([name, { load, standard = false, key, url }]) => {
      // Google's key is two in one.
      const { about } = (await load())({ key: 'id:key', baseUrl: url && 'https://engine.example' });
      return { name, about, standard, setting: key ?? url };
    }),
  );
}

/** The bullets of README on engines and keys. */
export function engineBullets(engines: readonly ListedEngine[]): string {
  const titles = engines.filter(({ standard }) => standard).map(({ about }) => about.title);
  const keys = engines.flatMap(({ about, setting }) => (about.needsKey && setting ? [env(setting)] : []));
  return [
    `- **Engines.** ${listed(titles)} are asked without a key, those together that fit a question; any one of them ` +
      'may fail. An engine that asks for a captcha, or that was asked too often, is suspended for a while, over ' +
      'restarts too; the answer says which did not answer, and why. All of them: [docs/engines.md](docs/engines.md).',
    `- **Keys.** ${keys.join(', ')}: each one that is set adds its engine.`,
  ]
    .map(wrapped)
    .join('\n');
}

/** docs/engines.md: one line an engine. */
export function engineTable(engines: readonly ListedEngine[]): string {
  const rows = engines.map(({ name, about, standard, setting }) => {
    const asked = standard ? 'by default' : setting ? `with ${env(setting)}` : 'when named';
    const pace = about.pace > 0 ? `${about.pace / 1000} s` : '';
    const cells = [about.subjects.join(', '), about.takes.join(', '), asked, pace];
    return `| \`${name}\` | [${about.title}](${about.website}) | ${cells.join(' | ')} |`;
  });
  return [
    '| name | engine | good for | filters | asked | pause between requests |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** What is wrong with the sentence of MAGPIE_ENGINES, which names the engines by hand; undefined when nothing is. */
export function engineSettingProblem(engines: readonly ListedEngine[]): string | undefined {
  const names = (of: (engine: ListedEngine) => boolean) => engines.filter(of).map(({ name }) => name);
  const parts = [
    `Default: ${names(({ standard }) => standard).join(', ')} and local, and those whose key or address is set`,
    `Also ${listed(names(({ standard, setting }) => !standard && !setting))}.`,
  ];
  const missing = parts.filter((part) => !SETTINGS.engines.about.includes(part));
  if (missing.length === 0) return undefined;
  return `the text of MAGPIE_ENGINES in src/config/settings.ts does not say: ${missing.join(' ... ')}`;
}

function env(setting: keyof typeof SETTINGS): string {
  return `\`${SETTINGS[setting].env}\``;
}

function listed(names: readonly string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '');
}

/** Lines of at most 118 characters, those after the first under the bullet's text. */
function wrapped(bullet: string): string {
  const lines = [''];
  for (const word of bullet.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > 118) lines.push(`  ${word}`);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
