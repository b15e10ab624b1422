import { posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Component, RawFinding } from '../../finding.ts';
import type { TreeScan } from '../../scanner.ts';
import type { TreeFile } from '../../tree.ts';
import type { Ecosystem, LockedPackage, LockfileReader } from './locked.ts';
import { readerOf } from './parse.ts';
import type { ParseDesk } from './parse-desk.ts';
import { tellUnlocked } from './unlocked.ts';

/** One lockfile with what it holds. */
export interface ReadLockfile {
  readonly path: string;
  readonly ecosystem: Ecosystem;
  readonly packages: readonly LockedPackage[];
}

/** Lockfiles of one scan, and packages of all. */
const FILES = 2000;
const PACKAGES = 200_000;
const PINNED = 'pin every package to one version, or let its package manager write a lockfile';
/** What others have put there is not what the project asks for. */
const OTHERS = /(?:^|\/)(?:node_modules|bower_components|vendor|site-packages|\.venv|\.git)\//;

/**
 * Reads all lockfiles of a tree. Those that cannot be read are told by a finding each, and what asks for packages
 * without a lockfile as a gap.
 */
export async function readLockfiles(
  scan: TreeScan,
  desk: ParseDesk,
): Promise<{ lockfiles: ReadLockfile[]; findings: RawFinding[] }> {
  const { tree, signal, progress, miss } = scan;
  const byPath = new Map(tree.files.map((file) => [file.path, file]));
  const queue = tree.files.flatMap((file) => {
    const reader = OTHERS.test(file.path) ? undefined : readerOf(file.path);
    return reader ? [{ file, reader }] : [];
  });
  const seen = new Set(queue.map(({ file }) => file.path));
  const lockfiles: ReadLockfile[] = [];
  const findings: RawFinding[] = [];
  let count = 0;
  if (queue.length > FILES) miss('limits', `${queue.length - FILES} of ${queue.length} lockfiles`);
  for (const [at, { file, reader }] of queue.entries()) {
    if (at >= FILES) break;
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
    for (const note of notes) miss('lockfiles', `${path}: ${note}`, PINNED);
    // Files that it includes are read as what it is, by whatever name.
    for (const name of includes) {
      const included = byPath.get(posix.normalize(posix.join(posix.dirname(path), name)));
      if (!included || seen.has(included.path)) continue;
      seen.add(included.path);
      queue.push({ file: included, reader });
    }
    const room = Math.max(0, PACKAGES - count);
    if (packages.length > room)
      miss('limits', `${path}: ${packages.length - room} packages over the first ${PACKAGES}`);
    lockfiles.push({ path, ecosystem: reader.ecosystem, packages: packages.slice(0, room) });
    count += packages.length;
    await setImmediate();
  }
  await tellUnlocked(scan, (path) => !OTHERS.test(path));
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

/** What the bill of materials lists of a lockfile. */
export function componentsOf({ path, ecosystem, packages }: ReadLockfile): Component[] {
  const nameOf = ({ name, version }: LockedPackage) => `${name}@${version}`;
  return packages.map((one) => {
    const needs = [...new Set(one.needs.flatMap((to) => packages[to] ?? []).map(nameOf))];
    return {
      path,
      ecosystem,
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
    fix: 'Let its package manager write it anew, and commit it whole.',
    path,
    cwe: ['CWE-1104'],
    identity: kind,
  };
}
