import type { PassageIndex } from '../documents/passage-index.ts';
import type { Knowledge } from '../knowledge/types.ts';
import { TYPICAL_SCORES } from '../lib/severity.ts';
import type { RepositoryScan, ScanFinding } from '../monitor/types.ts';
import type { Finding, SecurityService } from '../security/types.ts';

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
