import Keyv from 'keyv';
import { AppError, asAppError } from '../../../../errors.ts';
import { BoundedMap } from '../../../../lib/concurrency/bounded-map.ts';
import { formatCount } from '../../../../lib/text/format-count.ts';
import { moduleUrl } from '../../../../lib/workers/module-url.ts';
import { createWorkerPool, type WorkerPool } from '../../../../lib/workers/worker-pool.ts';
import type { AffectedEntry } from '../advisories/advisory.ts';
import { askBytes, createStatusError, type Fetch } from '../advisories/ask.ts';
import { type Ecosystem, familyOf } from '../ecosystem.ts';
import { registryOf, registryPath } from './registries.ts';
import type { PackageFacts, RegistryAnswerJob } from './registry-answer.ts';

export interface RegistriesOptions {
  readonly fetch: Fetch;
  readonly urls: Readonly<Record<string, string>>;
  readonly maxNames?: number;
  /** Maximum time of all requests of a scan together, in milliseconds. Default: 120,000. */
  readonly timeoutMs?: number;
}

export type AskedName = Pick<AffectedEntry, 'ecosystem' | 'name' | 'versions'>;

export interface RegistriesWatch {
  readonly signal: AbortSignal;
  found(asked: AskedName, version: string, facts: PackageFacts): void;
  leave(what: string): void;
  /** Reports that a registry was not asked about the packages in `what`. `fix` says what the user can do. */
  miss(what: string, fix: string): void;
}

export type PackageRegistries = ReturnType<typeof createRegistries>;

const MISSING_STATUSES = new Set([404, 410, 451]);
/** Status codes with which a registry refuses all requests, not only the request for one package. */
const REFUSING_STATUSES = new Set([401, 403, 429]);
const MAX_VERSIONS = 50;
const CONCURRENT_REQUESTS = 6;
const REQUEST_MS = 15_000;
const READ_MS = 10_000;
const CACHE_LIFETIME_MS = 86_400_000;
const MAX_CACHED = 20_000;
const MAX_WAITING_JOBS = 1000;
let pool: WorkerPool<RegistryAnswerJob, PackageFacts[] | undefined> | undefined;

/** Creates access to package registries. Sends only package names to a registry and caches the facts for a day. */
export function createRegistries({ fetch, urls, maxNames = 300, timeoutMs = 120_000 }: RegistriesOptions) {
  const kept = new Keyv<PackageFacts>({ store: new BoundedMap(MAX_CACHED), ttl: CACHE_LIFETIME_MS });
  kept.on('error', () => {});
  const keyOf = ({ ecosystem, name }: AskedName, version: string) => `${ecosystem} ${name} ${version}`;

  /** Returns facts about each version, or undefined if the answer is unreadable. Throws AppError. */
  async function ask(asked: AskedName, signal: AbortSignal): Promise<readonly PackageFacts[] | undefined> {
    const { ecosystem, name, versions } = asked;
    const registry = registryOf(ecosystem);
    if (!registry) return undefined;
    const url = urls[ecosystem] ?? registry.url;
    const options = { fetch, url, name: new URL(url).host, timeoutMs: REQUEST_MS };
    const { status, body } = await askBytes(options, registryPath(registry, name), signal);
    if (MISSING_STATUSES.has(status)) return versions.map(() => ({ isThere: false }));
    if (status >= 400 && status < 500 && !REFUSING_STATUSES.has(status)) return undefined;
    if (status !== 200) throw createStatusError(options.name, status);
    pool ??= createWorkerPool({
      file: moduleUrl('./registry-worker.ts', import.meta.url),
      workers: 1,
      queue: MAX_WAITING_JOBS,
      idleMs: 10_000,
      stopOnAbort: true,
    });
    const outcome = await pool.run({ ecosystem, versions, content: body }, READ_MS, signal);
    return 'answer' in outcome ? outcome.answer : undefined;
  }

  async function askOne(asked: AskedName, { signal, found }: RegistriesWatch): Promise<boolean> {
    const known = await Promise.all(asked.versions.map((version) => kept.get(keyOf(asked, version))));
    const facts = known.every((one) => one !== undefined) ? known : await ask(asked, signal);
    for (const [at, version] of asked.versions.entries()) {
      const one = facts?.[at];
      if (!one) continue;
      await kept.set(keyOf(asked, version), one);
      found(asked, version, one);
    }
    return facts !== undefined;
  }

  async function askAll(names: readonly AskedName[], watch: RegistriesWatch, deadline: AbortSignal) {
    const stop = new AbortController();
    const signal = AbortSignal.any([watch.signal, deadline, stop.signal]);
    const waiting = names.values();
    let unread = 0;
    let done = 0;
    const work = async () => {
      for (const asked of waiting) {
        try {
          if (!(await askOne(asked, { ...watch, signal }))) unread++;
        } catch (thrown) {
          if (!(thrown instanceof AppError) || thrown.code !== 'too_large') throw thrown;
          unread++;
        }
        done++;
      }
    };
    try {
      await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, work)).finally(() => stop.abort());
    } catch (thrown) {
      watch.signal.throwIfAborted();
      const why = deadline.aborted ? 'it took too long' : asAppError(thrown).message;
      watch.miss(
        `${formatCount(names.length - done, 'package')} that a registry was not asked about: ${why}`,
        'scan again when the registry answers, or look these packages up yourself',
      );
    }
    if (unread > 0)
      watch.leave(`${formatCount(unread, 'package')} about which a registry's answer cannot be read`);
  }

  return {
    covers: (ecosystem: Ecosystem) => registryOf(ecosystem) !== undefined,
    /** Asks registries about packages in the given order. Stops asking a registry after a failed request. */
    async findFacts(names: readonly AskedName[], watch: RegistriesWatch) {
      const deadline = AbortSignal.timeout(timeoutMs);
      const some = names
        .slice(0, maxNames)
        .map((one) => ({ ...one, versions: one.versions.slice(0, MAX_VERSIONS) }));
      const past = names.filter(({ versions }) => versions.length > MAX_VERSIONS).length;
      if (past > 0) watch.leave(`versions past the first ${MAX_VERSIONS} of ${formatCount(past, 'package')}`);
      const more = names.length - some.length;
      if (more > 0)
        watch.leave(
          `${formatCount(more, 'package')} past the first ${maxNames}, about which no registry was asked`,
        );
      const groups = Map.groupBy(some, ({ ecosystem }) => familyOf(ecosystem));
      await Promise.all([...groups.values()].map((group) => askAll(group, watch, deadline)));
    },
  };
}
