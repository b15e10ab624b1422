import type { VerificationResult } from './report.ts';
import { type PublicKey, requireSignatureLength } from './seal.ts';
import { findNamedKey } from './seal-text.ts';

/** Throws AppError `bad_request` if the signature has the wrong length. */
export function verifyReport(report: Uint8Array, signature: Uint8Array, key: PublicKey): VerificationResult {
  requireSignatureLength(signature);
  const named = findNamedKey(report);
  const state = key.isSigned(report, signature)
    ? 'genuine'
    : named !== undefined && named !== key.fingerprint
      ? 'unknown_key'
      : 'changed';
  return { state, key: key.fingerprint, named, reason: reasonOf(state, key.fingerprint, named) };
}

function reasonOf(state: VerificationResult['state'], key: string, named: string | undefined): string {
  if (state === 'genuine') return `every byte is as it was signed with the key ${key}`;
  if (state === 'unknown_key') {
    return (
      `it says that it is signed with the key ${named}, and was held against the key ${key}: ` +
      'only that key shows whether it was changed; ask who made it for the key, and give it by --key'
    );
  }
  const other = named === undefined ? 'is not a report of Magpie, or ' : '';
  return `it ${other}was changed after it was signed, or the signature belongs to another file`;
}
