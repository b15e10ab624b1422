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
const CONFIG: readonly ConfigLine[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.attributesFile', '/dev/null'],
  ['core.excludesFile', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  // Git ignores commit graphs and multi-pack indexes, because a hostile repository could contain forged ones.
  ['core.commitGraph', 'false'],
  ['core.multiPackIndex', 'false'],
  // Git hashes larger files as a stream and does not hold them in memory.
  ['core.bigFileThreshold', '32m'],
  ['core.deltaBaseCacheLimit', '64m'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['fetch.writeCommitGraph', 'false'],
  // Fetched objects stay in one pack file. As single files, they could take a thousand times the space.
  ['fetch.unpackLimit', '1'],
  ['transfer.unpackLimit', '1'],
  ['protocol.version', '2'],
  ['credential.helper', ''],
  ['credential.interactive', 'false'],
  ['http.followRedirects', 'initial'],
  ['http.sslVerify', 'true'],
];

/** Maximum memory that git allocates for one object. A small pack file can describe an object of any size. */
const ALLOCATION = '640m';

export function environmentOf(around: GitSurroundings): Record<string, string> {
  const env: Record<string, string> = {
    PATH: around.searchPath,
    HOME: around.home,
    XDG_CONFIG_HOME: around.home,
    // Magpie recognises git's errors by their text, which must be English.
    LC_ALL: 'C',
    LANGUAGE: 'C',
    GIT_DIR: around.gitDir,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOC_LIMIT: ALLOCATION,
    // No protocol has the name `none`, so all protocols are forbidden. `around.env` can allow a protocol.
    GIT_ALLOW_PROTOCOL: 'none',
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
