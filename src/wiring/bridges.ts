import type { PageBrowser } from '../browse/types.ts';
import type { PassageIndex } from '../documents/passage-index.ts';
import { upstreamError } from '../errors.ts';
import type { Knowledge } from '../knowledge/types.ts';
import { createUrlGuard } from '../lib/network/url-guard.ts';
import { TYPICAL_SCORES } from '../lib/severity.ts';
import type { PageWatcher, RepositoryScan, ScanFinding } from '../monitor/types.ts';
import { createRobotsCache } from '../search/crawling/robots.ts';
import type { Finding, SecurityService } from '../security/types.ts';
import type { ServicesFoundation } from './foundation.ts';

export function createPassageIndex(knowledge: () => Promise<Knowledge>): PassageIndex {
  return {
    async putFile(owner, file, pages, signal) {
      await (await knowledge()).putDocument(owner, file, pages, signal);
    },
    async removeFile(owner, name) {
      await (await knowledge()).removeDocument(owner, name);
    },
    async findPassages(owner, name, pages, question, most, signal) {
      const matches = await (await knowledge()).findDocumentPassages(
        owner,
        name,
        pages,
        question,
        most,
        signal,
      );
      return matches.map(
        ({ passage: { page = pages.fromPage, ordinal, title, text }, start, score, weak, missing }) => {
          return { page, passage: ordinal + 1, start, title, text, score, weak, missing };
        },
      );
    },
  };
}

export function createRepositoryScan(security: () => Promise<SecurityService>): RepositoryScan {
  return async (owner, { name: repository, branch }, signal) => {
    const room = await security();
    const request = { repository, deep: false, dependencies: true, branch };
    // The operator has listed the repository, so it may be in any folder and on any host.
    const { id, report } = await room.scan(
      owner,
      request,
      { anyFolder: true, listed: true },
      { signal, progress() {} },
    );
    const failed = (report?.scanners ?? [])
      .filter(({ ok }) => !ok)
      .map(({ name, reason = 'it failed' }) => ({ scanner: name, why: `${name}: ${reason}` }));
    const findings = await room.listFindings(owner, id);
    return { findings: findings.filter(({ suppressed }) => !suppressed).map(scannedFinding), failed };
  };
}

/** Milliseconds for which rules of robots.txt are kept. */
const ROBOTS_MS = 3_600_000;

/** Watches pages through the room that reads them, and only where the site's robots.txt allows it. */
export function createPageWatcher(
  { config, fetch }: Pick<ServicesFoundation, 'config' | 'fetch'>,
  browse: () => Promise<PageBrowser>,
): PageWatcher {
  const [createRobots, begun] = [() => createRobotsCache(fetch, config.pageTimeout), { at: 0 }];
  let robots = createRobots();
  return {
    guard: createUrlGuard({ allowHosts: config.allowHosts }),
    check: async (watch) => (await browse()).checkWatch(watch),
    async look(url, watch, state, how) {
      if (how.now - begun.at > ROBOTS_MS) [robots, begun.at] = [createRobots(), how.now];
      const { allows, trouble } = await robots.rulesFor(url, how.signal);
      if (trouble !== undefined) {
        robots.forget(url);
        throw upstreamError(`robots.txt of the site could not be read: ${trouble}`);
      }
      if (!allows(url)) throw upstreamError('robots.txt of the site does not allow it');
      return (await browse()).watchPage(url, watch, state, how);
    },
  };
}

function scannedFinding(one: Finding): ScanFinding {
  return {
    id: one.id,
    score: one.cvss?.score ?? TYPICAL_SCORES[one.severity],
    title: one.title,
    description: `${one.path}${one.line === undefined ? '' : `:${one.line}`}: ${one.description}`,
    fix: one.fix,
    fingerprint: one.fingerprint,
    scanners: one.scanners,
    cwe: one.cwe,
  };
}
