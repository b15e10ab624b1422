import { AppError } from '../errors.ts';
import type { Assessment } from './assessment.ts';
import type { Seal, Verdict } from './report.ts';
import { digestOf, type Sealer } from './seal.ts';
import { readSeal } from './seal-text.ts';

/** Judges a report in any of its forms. AppError `bad_request` for a file without a seal. */
export async function verifyReport(
  file: string | Uint8Array,
  sealer: Sealer,
  readAssessment: (id: string) => Promise<Assessment | undefined>,
): Promise<Verdict> {
  const { id, seal, assessment } = await contentOf(file);
  const { good, own } = sealer.check(id, seal);
  const known = await readAssessment(id);
  const evidence =
    assessment === undefined ? 'absent' : fits(assessment, seal.digest) ? 'matches' : 'differs';
  const kept = known && digestOf(known) === seal.digest;
  return {
    id,
    signed: good && own,
    evidence,
    kept,
    reason: reasonOf({ good, own, evidence, kept }),
  };
}

function reasonOf(state: {
  readonly good: boolean;
  readonly own: boolean;
  readonly evidence: Verdict['evidence'];
  readonly kept: boolean | undefined;
}): string {
  if (!state.good) return 'the signature is not valid: the file was changed, or never signed';
  if (!state.own) return 'the signature is valid, but was made by another installation';
  if (state.evidence === 'differs') return 'the results in the file differ from those that were signed';
  if (state.kept === false) return 'the check that is stored under this id is a different one';
  if (state.evidence === 'matches') return 'the results in the file are as this installation made them';
  const which = state.kept ? 'the check that is stored here' : 'a check that is no longer stored';
  return `the seal is valid and belongs to ${which}; it does not cover the words around it: only the JSON form carries the results themselves`;
}

async function contentOf(
  file: string | Uint8Array,
): Promise<{ id: string; seal: Seal; assessment?: Assessment }> {
  const text = typeof file === 'string' ? file : Buffer.from(file).toString('utf8');
  const json = text.trimStart().startsWith('{') ? parsed(text) : undefined;
  if (typeof json?.assessment?.id === 'string' && typeof json.seal?.digest === 'string') {
    return { id: json.assessment.id, seal: json.seal, assessment: json.assessment };
  }
  const isPdf = typeof file !== 'string' && text.startsWith('%PDF');
  const sealed = readSeal(isPdf ? await textOfPdf(file) : text);
  if (sealed) return sealed;
  throw new AppError('bad_request', 'the file is not a compliance report of Magpie: it has no seal');
}

/** A check nests a few levels deep: a file that is too deep to walk was not made by Magpie. */
function fits(assessment: Assessment, digest: string): boolean {
  try {
    return digestOf(assessment) === digest;
  } catch (thrown) {
    if (thrown instanceof RangeError) return false;
    throw thrown;
  }
}

function parsed(text: string): { assessment?: Assessment; seal?: Seal } | undefined {
  try {
    return JSON.parse(text) as { assessment?: Assessment; seal?: Seal };
  } catch {
    return undefined;
  }
}

/** Empty for a file that only begins as a PDF does. */
async function textOfPdf(file: Uint8Array): Promise<string> {
  const { extractText, getDocumentProxy } = await import('unpdf');
  try {
    const document = await getDocumentProxy(new Uint8Array(file), { verbosity: 0 });
    return (await extractText(document, { mergePages: true })).text;
  } catch {
    return '';
  }
}
