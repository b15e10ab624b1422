import type { PassageIndex } from '../documents/passage-index.ts';
import type { Knowledge } from '../knowledge/knowledge.ts';
import { TYPICAL_SCORES } from '../lib/severity.ts';
import type { RepositoryScan } from '../monitor/visit.ts';
import type { Security } from '../security/security.ts';

/** Where two rooms meet: one is handed what the other does. */

/** Passages of uploaded files are the knowledge room's: the two rooms meet here. */
export function passageIndex(knowledge: () => Promise<Knowledge>): PassageIndex {
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
      return matches.map(({ passage: { page = pages.fromPage, title, text }, score }) => {
        return { page, title, text, score };
      });
    },
  };
}

/** Repositories that are watched are scanned by the security room, and their scans are kept there. */
export function repositoryScan(security: () => Promise<Security>): RepositoryScan {
  return async (owner, { name: repository, branch }, signal) => {
    const room = await security();
    const request = { repository, deep: false, dependencies: true, branch };
    // The operator has named the folder or the host, in the inventory.
    const { id } = await room.scan(
      owner,
      request,
      { anyFolder: true, listed: true },
      { signal, progress() {} },
    );
    const scanners = room.get(owner, id).report?.scanners ?? [];
    const failed = scanners
      .filter(({ ok }) => !ok)
      .map(({ name, reason = 'it failed' }) => ({ scanner: name, why: `${name}: ${reason}` }));
    const faults = room
      .findings(owner, id)
      .filter(({ suppressed }) => !suppressed)
      .map(
        ({
          id: rule,
          severity,
          title,
          description,
          fix,
          fingerprint,
          path,
          line,
          scanners: by,
          cwe,
          cvss,
        }) => ({
          id: rule,
          score: cvss?.score ?? TYPICAL_SCORES[severity],
          title,
          description: `${path}${line === undefined ? '' : `:${line}`}: ${description}`,
          fix,
          fingerprint,
          scanners: by,
          cwe,
        }),
      );
    return { faults, failed };
  };
}
