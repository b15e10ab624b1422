import type { DocumentMatch } from './types.ts';

/** Where the passages of files are found: work of the knowledge room, handed in by src/wiring. */
export interface PassageIndex {
  /** Replaces a file of the same name. */
  putFile(
    owner: string,
    file: { readonly name: string; readonly title: string; readonly collection: string },
    pages: AsyncIterable<string>,
    signal: AbortSignal,
  ): Promise<void>;
  /** Does nothing where the file is not there. */
  removeFile(owner: string, name: string): Promise<void>;
  /** Passages of some pages, from 1, that come nearest to a question, best first. */
  findPassages(
    owner: string,
    name: string,
    pages: { readonly fromPage: number; readonly toPage: number },
    question: string,
    most: number,
    signal: AbortSignal,
  ): Promise<DocumentMatch[]>;
}
