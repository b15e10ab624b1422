import type { LockfileReader } from './lockfile-reader.ts';
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
import { apkInstalled, dpkgStatus, dpkgStatusFolder } from './lockfiles/installed.ts';
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
import { requirements } from './lockfiles/requirements.ts';
import { swift } from './lockfiles/swift.ts';
import { uv } from './lockfiles/uv.ts';
import { yarn } from './lockfiles/yarn.ts';

/** All lockfile readers. The first reader whose `wants` accepts a path reads the file. */
export const LOCKFILES: readonly LockfileReader[] = [
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
  dpkgStatusFolder,
  apkInstalled,
  nodeInstalled,
  pythonInstalled,
  gemInstalled,
  billOfMaterials,
];
