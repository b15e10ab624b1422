import type { LockfileParseFunction, LockfileReader } from './lockfile-reader.ts';
import { billOfMaterials } from './lockfiles/bill-of-materials.ts';
import { bun } from './lockfiles/bun.ts';
import { cargo } from './lockfiles/cargo.ts';
import { composer } from './lockfiles/composer.ts';
import { conanfile, conanLock } from './lockfiles/conan.ts';
import { deno } from './lockfiles/deno.ts';
import { gemfile } from './lockfiles/gemfile.ts';
import { githubActions } from './lockfiles/github-actions.ts';
import { goMod, goSum } from './lockfiles/go.ts';
import { gradle } from './lockfiles/gradle.ts';
import { cabalFreeze, stackLock } from './lockfiles/haskell.ts';
import { hex } from './lockfiles/hex.ts';
import { apkInstalled, dpkgStatus, isDpkgStatusFile } from './lockfiles/installed.ts';
import { gemInstalled, nodeInstalled, pythonInstalled } from './lockfiles/installed-packages.ts';
import { julia } from './lockfiles/julia.ts';
import { nugetConfig, nugetLock, nugetProject } from './lockfiles/nuget.ts';
import { opam } from './lockfiles/opam.ts';
import { packageLock } from './lockfiles/package-lock.ts';
import { pdm, pylock } from './lockfiles/pdm.ts';
import { pipfile } from './lockfiles/pipfile.ts';
import { pnpm } from './lockfiles/pnpm.ts';
import { poetry } from './lockfiles/poetry.ts';
import { pom } from './lockfiles/pom.ts';
import { pub } from './lockfiles/pub.ts';
import { renv } from './lockfiles/renv.ts';
import { isRequirementsFile, requirements } from './lockfiles/requirements.ts';
import { swift } from './lockfiles/swift.ts';
import { uv } from './lockfiles/uv.ts';
import { yarn } from './lockfiles/yarn.ts';
import facts from './lockfiles.json' with { type: 'json' };

/** Readers with their facts in `lockfiles.json`, in its order: the first that wants a path reads it. */
const PARSERS: Readonly<Record<keyof typeof facts, LockfileParseFunction>> = {
  packageLock,
  yarn,
  pnpm,
  bun,
  deno,
  requirements,
  poetry,
  uv,
  pipfile,
  pdm,
  pylock,
  cargo,
  goMod,
  goSum,
  gemfile,
  composer,
  pom,
  gradle,
  nugetLock,
  nugetConfig,
  nugetProject,
  pub,
  hex,
  swift,
  githubActions,
  renv,
  cabalFreeze,
  stackLock,
  conanLock,
  conanfile,
  julia,
  opam,
  dpkgStatus,
  dpkgStatusFolder: dpkgStatus,
  apkInstalled,
  nodeInstalled,
  pythonInstalled,
  gemInstalled,
  billOfMaterials,
};

/** Files that a function knows. Others are known by the end of their path, or by a pattern in `lockfiles.json`. */
const TESTS: Readonly<Partial<Record<string, (path: string) => boolean>>> = {
  requirements: isRequirementsFile,
  dpkgStatusFolder: isDpkgStatusFile,
};

type LockfileFacts = Omit<LockfileReader, 'wants' | 'parse'> & {
  readonly files?: readonly string[];
  readonly path?: string;
  readonly anyCase?: true;
};

export const LOCKFILES = Object.entries(facts).map(([name, row]): LockfileReader => {
  const { files = [], path: pattern, anyCase, ...one } = row as LockfileFacts;
  const known = pattern === undefined ? undefined : new RegExp(pattern, anyCase && 'i');
  return {
    ...one,
    wants: (path) =>
      files.some((file) => path === file || path.endsWith(`/${file}`)) ||
      known?.test(path) === true ||
      TESTS[name]?.(path) === true,
    parse: PARSERS[name as keyof typeof facts],
  };
});
