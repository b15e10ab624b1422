import type { DocumentMatch } from './types.ts';

export interface PassageIndex {
  putFile(
    owner: string,
    file: { readonly name: string; readonly title: string; readonly collection: string },
    pages: AsyncIterable<string>,
    signal: AbortSignal,
  ): Promise<void>;
  removeFile(owner: string, name: string): Promise<void>;
  /** Returns the passages on a range of pages (from 1) that are most similar to a question, best first. */
  findPassages(
    owner: string,
    name: string,
    pages: { readonly fromPage: number; readonly toPage: number },
    question: string,
    most: number,
    signal: AbortSignal,
  ): Promise<DocumentMatch[]>;
}
