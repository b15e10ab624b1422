import { badRequestError, upstreamError } from '../../../../errors.ts';
import { quoteName } from '../../../../lib/text/quote-name.ts';
import { DEFAULT_ECOSYSTEMS, ECOSYSTEMS, type EcosystemFamily, ecosystemOf, familyOf } from '../ecosystem.ts';
import type { Fetch } from './ask.ts';
import type { OfflineEcosystem } from './offline.ts';
import { startOfflineBuild } from './offline-build.ts';
import { OSV_LIMITS, type OsvLimits, osvRecords, splitIntoChunks, zipRecords } from './osv-files.ts';
import { readOsvRecord } from './osv-record.ts';

export interface AdvisoryUpdateOptions {
  readonly folder: string;
  readonly fetch: Fetch;
  /** Base URL of OSV's ZIP files. The file of an ecosystem has the URL `<exportUrl>/<ecosystem>/all.zip`. */
  readonly exportUrl: string;
  readonly limits?: OsvLimits;
}

export interface UpdateRequest {
  /** ZIP file, folder or URL with OSV records. By default, the records are downloaded from OSV. */
  readonly from?: string;
  readonly ecosystems?: readonly string[];
}

export interface AdvisoryUpdateResult {
  readonly ecosystems: readonly OfflineEcosystem[];
  /** Number of stored advisories. `passed`: skipped records (withdrawn, invalid, unknown ecosystem). */
  readonly taken: number;
  readonly passed: number;
}

export interface AdvisoryUpdateWatch {
  readonly signal: AbortSignal;
  progress(message: string): void;
}

/** Maximum bytes of an ecosystem's ZIP file. The largest is npm's, with about 250 MB in 2026. */
const ARCHIVE_BYTES = 1_000_000_000;
const ARCHIVE_MS = 1_800_000;

/** Builds the offline database. If the update fails before the end, the old database stays in use. */
export async function updateAdvisories(
  options: AdvisoryUpdateOptions,
  { from, ecosystems = DEFAULT_ECOSYSTEMS }: UpdateRequest,
  { signal, progress }: AdvisoryUpdateWatch,
): Promise<AdvisoryUpdateResult> {
  const { folder, limits = OSV_LIMITS, exportUrl } = options;
  const wanted = [...new Set(ecosystems.map(exportOf))];
  const build = startOfflineBuild(folder);
  let [taken, passed] = [0, 0];
  const read = async (name: string, records: AsyncIterable<unknown>) => {
    for await (const record of records) {
      const advisory = readOsvRecord(record);
      if (advisory) {
        build.put(advisory);
        taken++;
      } else passed++;
      if ((taken + passed) % 2000 !== 0) continue;
      signal.throwIfAborted();
      progress(`read ${taken} advisories of ${name}`);
    }
  };
  const fetched = async (name: string, url: string) => {
    progress(`fetching ${name}`);
    const archive = await archiveOf(options.fetch, url, signal);
    await read(name, zipRecords(name, splitIntoChunks(archive), signal, limits));
  };
  try {
    if (from !== undefined && !/^https?:\/\//i.test(from)) await read(from, osvRecords(from, signal, limits));
    else if (from !== undefined && /\.zip(?:[?#]|$)/i.test(from)) await fetched(from, from);
    else {
      const base = (from ?? exportUrl).replace(/(?<!\/)\/+$/, '');
      for (const one of wanted)
        await fetched(`${one} advisories`, `${base}/${encodeURIComponent(one)}/all.zip`);
    }
    if (taken === 0) throw badRequestError(`${from ?? exportUrl} holds no advisory of the OSV format`);
    progress('putting the database in its place');
    return { ecosystems: build.finish(Date.now()), taken, passed };
  } finally {
    build.drop();
  }
}

/** Returns the ecosystem's family, which names its OSV export. Throws AppError `bad_request` if unknown. */
function exportOf(stated: string): EcosystemFamily {
  const known = ecosystemOf(stated);
  if (known !== undefined) return familyOf(known);
  throw badRequestError(`OSV has no ecosystem ${quoteName(stated)}: there are ${ECOSYSTEMS.join(', ')}`);
}

async function archiveOf(fetch: Fetch, url: string, signal: AbortSignal): Promise<Uint8Array> {
  const allow = URL.canParse(url) ? [new URL(url).host] : [];
  const answer = await fetch(url, { signal, allow, maxBytes: ARCHIVE_BYTES, timeoutMs: ARCHIVE_MS });
  if (answer.status === 200) return answer.body;
  throw upstreamError(`${url} answered with status ${answer.status}: the database in use stays as it is`);
}
