import type { LockfileReader } from './locked.ts';
import { bun } from './lockfiles/bun.ts';
import { cargo } from './lockfiles/cargo.ts';
import { composer } from './lockfiles/composer.ts';
import { gemfile } from './lockfiles/gemfile.ts';
import { goMod, goSum } from './lockfiles/go.ts';
import { gradle } from './lockfiles/gradle.ts';
import { nugetConfig, nugetLock, nugetProject } from './lockfiles/nuget.ts';
import { packageLock } from './lockfiles/package-lock.ts';
import { pipfile } from './lockfiles/pipfile.ts';
import { pnpm } from './lockfiles/pnpm.ts';
import { poetry } from './lockfiles/poetry.ts';
import { pom } from './lockfiles/pom.ts';
import { requirements } from './lockfiles/requirements.ts';
import { uv } from './lockfiles/uv.ts';
import { yarn } from './lockfiles/yarn.ts';

/** Every kind of file that fixes versions; the first that wants a path reads it. */
export const LOCKFILES: readonly LockfileReader[] = [
  packageLock,
  yarn,
  pnpm,
  bun,
  requirements,
  poetry,
  uv,
  pipfile,
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
];
