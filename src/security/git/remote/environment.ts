/** One line of git's configuration. */
export type ConfigLine = readonly [key: string, value: string];

/** What a git process is given besides its arguments. */
export interface GitSurroundings {
  /** Folders in which programs are searched for: `/usr/bin:/bin`. */
  readonly searchPath: string;
  /** Stands for the home folder, so that nothing of the operator's own is read. */
  readonly home: string;
  /** The folder of the repository's data: one that Magpie wrote, never one that it was given. */
  readonly gitDir: string;
  readonly config?: readonly ConfigLine[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Holds for every git process. The repository's own configuration is never read, since `gitDir` is ours; this
 * guards against what a later git might do by default, and against what comes over the wire.
 */
const CONFIG: readonly ConfigLine[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.attributesFile', '/dev/null'],
  ['core.excludesFile', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  // Derived data that a hostile folder could bring along; what it speeds up is not what scans wait for.
  ['core.commitGraph', 'false'],
  ['core.multiPackIndex', 'false'],
  // Larger contents are hashed as they stream, without being held.
  ['core.bigFileThreshold', '32m'],
  ['core.deltaBaseCacheLimit', '64m'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['fetch.writeCommitGraph', 'false'],
  // A pack stays one: unpacked objects could take a thousand times its room.
  ['fetch.unpackLimit', '1'],
  ['transfer.unpackLimit', '1'],
  ['protocol.version', '2'],
  ['credential.helper', ''],
  ['credential.interactive', 'false'],
  ['http.followRedirects', 'initial'],
  ['http.sslVerify', 'true'],
];

/** Most memory for one object in git, which a small pack of deltas can make as large as it likes. */
const ALLOCATION = '640m';

/** The whole environment of a git process; nothing of Magpie's own is handed on. */
export function environmentOf(around: GitSurroundings): Record<string, string> {
  const env: Record<string, string> = {
    PATH: around.searchPath,
    HOME: around.home,
    XDG_CONFIG_HOME: around.home,
    // Errors are recognised by git's English words.
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
    // No protocol at all; a route opens the one it needs. No protocol is named `none`.
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
