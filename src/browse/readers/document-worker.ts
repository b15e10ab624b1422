import { asAppError } from '../../errors.ts';
import type { DocumentAnswer, DocumentJob } from '../document-reader.ts';
import { readDocument } from './document.ts';

/** Takes one document at a time off the event loop; see document-reader.ts. */
export async function answer({ kind, raw }: DocumentJob): Promise<DocumentAnswer> {
  return readDocument(kind, raw).then(
    (content) => ({ content }),
    (thrown: unknown) => {
      const { code, message } = asAppError(thrown);
      return { error: { code, message, cause: thrown instanceof Error ? String(thrown.stack) : '' } };
    },
  );
}
