export type ConfigLine = readonly [key: string, value: string];

export interface GitSurroundings {
  /** Folders in which git and its helpers are searched for: `/usr/bin:/bin`. */
  readonly searchPath: string;
  /** Home folder for git in place of the operator's, so that git reads none of the operator's settings. */
  readonly home: string;
  /** Folder of the repository's data: always one that Magpie wrote, never one from outside. */
  readonly gitDir: string;
  readonly config?: readonly ConfigLine[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Settings of every git process, against changed defaults and hostile data. `gitDir` has only Magpie's configuration. */
const CONFIG: readonly ConfigLine[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.attributesFile', '/dev/null'],
  ['core.excludesFile', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  // Turns commit graphs off, since a hostile folder could contain forged ones. Scans do not need the speed of commit graphs.
  ['core.commitGraph', 'false'],
  ['core.multiPackIndex', 'false'],
  // Makes git hash larger contents as a stream, so that they are not in memory.
  ['core.bigFileThreshold', '32m'],
  ['core.deltaBaseCacheLimit', '64m'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['fetch.writeCommitGraph', 'false'],
  // Keeps fetched git pack files packed, since unpacked objects could take a thousand times the space.
  ['fetch.unpackLimit', '1'],
  ['transfer.unpackLimit', '1'],
  ['protocol.version', '2'],
  ['credential.helper', ''],
  ['credential.interactive', 'false'],
  ['http.followRedirects', 'initial'],
  ['http.sslVerify', 'true'],
];

/** Git's memory limit for one object, since a small git pack file with deltas can describe an object of any size. */
const ALLOCATION = '640m';

/** Returns all environment variables of a git process; none of Magpie's own are passed on. */
export function environmentOf(around: GitSurroundings): Record<string, string> {
  const env: Record<string, string> = {
    PATH: around.searchPath,
    HOME: around.home,
    XDG_CONFIG_HOME: around.home,
    // Sets English, since Magpie recognises errors by git's English messages.
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
    // Blocks all protocols, since no protocol is named `none`. A connection then allows the protocol that it needs.
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
