import { posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { RawFinding, SoftwareComponent } from '../../findings/finding.ts';
import type { TreeScanContext } from '../../scans/scanner.ts';
import type { TreeFile } from '../../trees/tree.ts';
import type { Ecosystem } from './ecosystem.ts';
import type { LockfileParser } from './lockfile-parser.ts';
import type { LockedPackage, LockfileReader } from './lockfile-reader.ts';
import { reportMissingLockfiles } from './missing-lockfiles.ts';
import { readerOf } from './parse.ts';

export interface ReadLockfile {
  readonly path: string;
  readonly ecosystem: Ecosystem;
  readonly packages: readonly LockedPackage[];
}

const MAX_LOCKFILES = 2000;
const MAX_IMAGE_MANIFESTS = 20_000;
const MAX_PACKAGES = 200_000;
const PIN_ADVICE = 'pin every package to one version, or let its package manager write a lockfile';
const VENDORED = /(?:^|\/)(?:node_modules|bower_components|vendor|site-packages|\.venv|\.git)\//;

export async function readLockfiles(scan: TreeScanContext, desk: LockfileParser) {
  const { tree, signal, progress, miss } = scan;
  const byPath = new Map(tree.files.map((file) => [file.path, file]));
  const queue = tree.files.flatMap((file) => {
    const isLeft = !tree.isImage && VENDORED.test(file.path);
    const reader = isLeft ? undefined : readerOf(file.path);
    return reader ? [{ file, reader }] : [];
  });
  const seen = new Set(queue.map(({ file }) => file.path));
  const lockfiles: ReadLockfile[] = [];
  const findings: RawFinding[] = [];
  let count = 0;
  const most = tree.isImage ? MAX_IMAGE_MANIFESTS : MAX_LOCKFILES;
  if (queue.length > most) miss('limits', `${queue.length - most} of ${queue.length} lockfiles`);
  for (const [at, { file, reader }] of queue.entries()) {
    if (at >= most) break;
    signal.throwIfAborted();
    progress(`reading the lockfile ${file.path}`);
    const { path } = file;
    const answer = await desk.parse(await jobOf(file, reader), signal);
    if ('broken' in answer) {
      findings.push(unreadable(path, reader, answer.broken));
      miss('lockfiles', `${path}: it cannot be read: ${answer.broken}`);
      continue;
    }
    const { packages, notes, includes } = answer.locked;
    for (const note of notes) miss('lockfiles', `${path}: ${note}`, reader.advice ?? PIN_ADVICE);
    // Adds the files that a lockfile includes by name. Their names may be unusual for a lockfile.
    for (const name of includes) {
      const included = byPath.get(posix.normalize(posix.join(posix.dirname(path), name)));
      if (!included || seen.has(included.path)) continue;
      seen.add(included.path);
      queue.push({ file: included, reader });
    }
    const left = Math.max(0, MAX_PACKAGES - count);
    if (packages.length > left)
      miss('limits', `${path}: ${packages.length - left} packages over the first ${MAX_PACKAGES}`);
    lockfiles.push({ path, ecosystem: reader.ecosystem, packages: packages.slice(0, left) });
    count += packages.length;
    await setImmediate();
  }
  await reportMissingLockfiles(scan, (path) => !VENDORED.test(path));
  return { lockfiles, findings };

  async function jobOf(file: TreeFile, reader: LockfileReader) {
    const folder = posix.dirname(file.path);
    const beside = (reader.beside ?? []).flatMap((name) => {
      const other = byPath.get(posix.join(folder, name));
      return other ? [[name, other] as const] : [];
    });
    return {
      kind: reader.kind,
      path: file.path,
      content: await tree.read(file),
      beside: await Promise.all(beside.map(async ([name, other]) => [name, await tree.read(other)] as const)),
    };
  }
}

export function componentsOf({ path, ecosystem, packages }: ReadLockfile): SoftwareComponent[] {
  const nameOf = ({ name, version }: LockedPackage) => `${name}@${version}`;
  return packages.map((one) => {
    const needs = [...new Set(one.needs.flatMap((to) => packages[to] ?? []).map(nameOf))];
    return {
      path,
      ecosystem: one.ecosystem ?? ecosystem,
      name: one.name,
      version: one.version,
      direct: one.direct ? true : undefined,
      development: one.development ? true : undefined,
      local: one.local ? true : undefined,
      license: one.license,
      hashes: one.hashes,
      needs: needs.length > 0 ? needs : undefined,
    };
  });
}

function unreadable(path: string, { kind }: LockfileReader, why: string): RawFinding {
  return {
    id: 'dependencies/unreadable-lockfile',
    severity: 'info',
    title: 'Lockfile that cannot be read',
    description: `The packages of this ${kind} are not compared with advisories: ${why}.`,
    fix: 'Let its package manager regenerate it, and commit the complete file.',
    path,
    cwe: ['CWE-1104'],
    identity: kind,
  };
}
