import type { LockfileParseFunction } from '../lockfile-reader.ts';
import { isForeignRegistryUrl } from '../registries/foreign-registries.ts';
import { hexHash } from './hashes.ts';

const SPEC = /^ {4}([\w.-]{1,200}) \(([^()\s]{1,100})\)$/;
const NEED = /^ {6}([\w.-]{1,200})(?: \(([^()]{1,300})\))?$/;
const DIRECT = /^ {2}([\w.-]{1,200})(?: \(([^()]{1,300})\))?!?(?: sha256=([0-9a-f]{64}))?$/;
const PLATFORM =
  /-(?:java|jruby|x86|x64|x86_64|arm|arm64|aarch64|universal|mingw|mswin|ruby|armv\w{1,20})(?:[-_].*)?$/s;

export const gemfile: LockfileParseFunction = (text, collector) => {
  const indexes = new Map<string, number>();
  const needs: { from: number; name: string; range: string | undefined }[] = [];
  const directNeeds: { name: string; range: string | undefined }[] = [];
  const lines = text.split(/\r?\n/);
  const hashes = checksums(lines);
  let section = '';
  let remote: string | undefined;
  let current = -1;
  lines.forEach((content, at) => {
    if (/^[A-Z]/.test(content)) section = content.trim();
    remote = /^ {2}remote: (\S{1,500})$/.exec(content)?.[1] ?? remote;
    const [, name, stated] = SPEC.exec(content) ?? [];
    if (name !== undefined && stated !== undefined) {
      const version = stated.replace(PLATFORM, '');
      const known = indexes.get(name);
      current =
        known ??
        collector.addPackage({
          name,
          version,
          line: at + 1,
          local: section !== 'GEM',
          foreign: isForeignRegistryUrl(remote),
          hashes: hexHash('sha256', hashes.get(`${name} ${stated}`) ?? ''),
        });
      indexes.set(name, current);
      return;
    }
    const [, needed, range] = NEED.exec(content) ?? [];
    if (needed !== undefined) needs.push({ from: current, name: needed, range });
    const [, direct, directRange] = section === 'DEPENDENCIES' ? (DIRECT.exec(content) ?? []) : [];
    if (direct !== undefined) directNeeds.push({ name: direct, range: directRange });
  });
  for (const { from, name, range } of needs) collector.addNeed(from, indexes.get(name), range);
  for (const { name, range } of directNeeds) collector.addDirect(indexes.get(name), range);
};

function checksums(lines: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  const from = lines.indexOf('CHECKSUMS');
  for (const line of from < 0 ? [] : lines.slice(from + 1)) {
    const [, name, version, hash] = DIRECT.exec(line) ?? [];
    if (name === undefined) break;
    if (version !== undefined && hash !== undefined) found.set(`${name} ${version}`, hash);
  }
  return found;
}
