import settings from './git-settings.json' with { type: 'json' };

export type ConfigLine = readonly [key: string, value: string];

export interface GitSurroundings {
  readonly searchPath: string;
  /** Home folder for git. It is not the operator's, so git does not read the operator's settings. */
  readonly home: string;
  readonly gitDir: string;
  readonly config?: readonly ConfigLine[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Git settings that protect against hostile repositories, whatever the defaults of the git version are. */
const CONFIG: readonly ConfigLine[] = Object.entries(settings.config);

export function environmentOf(around: GitSurroundings): Record<string, string> {
  const env: Record<string, string> = {
    PATH: around.searchPath,
    HOME: around.home,
    XDG_CONFIG_HOME: around.home,
    GIT_DIR: around.gitDir,
    ...settings.environment,
    ...around.env,
  };
  const lines = [...CONFIG, ...(around.config ?? [])];
  env.GIT_CONFIG_COUNT = String(lines.length);
  for (const [index, [key, value]] of lines.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return env;
}
