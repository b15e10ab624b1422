import { quoteName } from '../../lib/text/quote-name.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { runInWorker } from '../../lib/workers/worker-pool.ts';
import type { ControlCatalogue } from '../assessing/catalogue.ts';
import { ATTESTATIONS_FILE, type AttachedEvidence, type Attestation } from './attestation.ts';
import type { AttestationEntry, EvidenceFileEntry, ParsedAttestations } from './attestations-job.ts';
import { AttestationError, createAttestation } from './create-attestation.ts';

const MAX_CHARACTERS = 1_000_000;
/** Milliseconds of processor time after which parsing stops. */
const READ_MS = 10_000;
const MAX_NAMED = 5;
const [MAX_FILES, MAX_BYTES] = [500, 200_000_000];

export interface AttestationsFileResult {
  readonly attestations: readonly Attestation[];
  readonly trouble?: string;
}

export interface AttestationsFileSource {
  readonly text: string;
  readonly subject: string;
  readonly catalogues: readonly ControlCatalogue[];
  readonly now: number;
  read(path: string): Promise<Uint8Array | undefined>;
}

/** Reads an untrusted file: `parse` runs in a worker with a time limit. */
export async function readAttestationsFile(
  place: AttestationsFileSource,
  signal: AbortSignal,
  parse: (text: string, signal: AbortSignal) => Promise<ParsedAttestations | string> = parseInWorker,
): Promise<AttestationsFileResult> {
  const trouble = (what: string) => ({ attestations: [], trouble: `${ATTESTATIONS_FILE}: ${what}` });
  if (place.text.length > MAX_CHARACTERS) return trouble(`it is over ${MAX_CHARACTERS} characters`);
  const answer = await parse(place.text, signal);
  if (typeof answer === 'string') return trouble(answer);
  if ('what' in answer) return trouble(`line ${answer.line}: ${answer.what}`);
  const attestations: Attestation[] = [];
  const mistakes: string[] = [];
  const seen = new Map<string, number>();
  const digests = createDigests(place);
  for (const entry of answer.entries) {
    signal.throwIfAborted();
    try {
      const one = await attestationIn(entry, place, digests);
      const name = `${one.standard} ${one.control}`;
      const line = entry.lines[''] ?? 1;
      const before = seen.get(name);
      if (before !== undefined)
        throw new AttestationError(
          '',
          `${name} is judged on line ${before} already: one judgement a control`,
        );
      seen.set(name, line);
      attestations.push(one);
    } catch (error) {
      if (!(error instanceof AttestationError)) throw error;
      mistakes.push(`line ${entry.lines[error.field] ?? entry.lines[''] ?? 1}: ${error.message}`);
    }
  }
  if (mistakes.length === 0) return { attestations };
  const more = mistakes.length - MAX_NAMED;
  return trouble(
    `${mistakes.slice(0, MAX_NAMED).join('; ')}${more > 0 ? `; and ${more} more mistakes` : ''}`,
  );
}

async function parseInWorker(text: string, signal: AbortSignal): Promise<ParsedAttestations | string> {
  const file = moduleUrl('./attestations-worker.ts', import.meta.url);
  const outcome = await runInWorker<string, ParsedAttestations>(file, text, READ_MS, signal);
  if ('answer' in outcome) return outcome.answer;
  return outcome.failed === 'time' ? 'it takes too long to be read' : 'it cannot be read';
}

type Digests = (file: string) => Promise<AttachedEvidence>;

async function attestationIn(
  { given, files }: AttestationEntry,
  { subject, catalogues, now }: AttestationsFileSource,
  digests: Digests,
): Promise<Attestation> {
  const origin = { scope: subject, source: `${ATTESTATIONS_FILE} in ${subject}`, now, catalogues };
  const evidence: AttachedEvidence[] = [];
  for (const one of files) evidence.push(await asNamed(one, digests));
  return createAttestation({ ...given, evidence }, origin);
}

/** Reads an evidence file. Throws AttestationError if the file does not have the stated SHA-256. */
async function asNamed({ file, sha256 }: EvidenceFileEntry, digests: Digests): Promise<AttachedEvidence> {
  const found = await digests(file);
  if (sha256 === undefined || sha256 === found.sha256) return found;
  const what = `evidence has ${quoteName(file)}, whose SHA-256 is ${found.sha256} now and not ${sha256}`;
  throw new AttestationError('evidence', `${what}: it was changed since the judgement`);
}

function createDigests({ read }: AttestationsFileSource): Digests {
  const known = new Map<string, AttachedEvidence>();
  let bytes = 0;
  return async (file) => {
    const before = known.get(file);
    if (before) return before;
    const content = known.size < MAX_FILES && bytes < MAX_BYTES ? await read(file) : undefined;
    if (!content) {
      const why =
        bytes < MAX_BYTES && known.size < MAX_FILES ? 'the repository does not have' : 'is one too many';
      throw new AttestationError('evidence', `evidence has ${quoteName(file)}, which ${why}`);
    }
    bytes += content.length;
    const digest = await crypto.subtle.digest('SHA-256', Uint8Array.from(content));
    const attached = { name: file, sha256: Buffer.from(digest).toString('hex'), bytes: content.length };
    known.set(file, attached);
    return attached;
  };
}
