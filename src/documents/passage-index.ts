import type { DocumentMatch } from './types.ts';

/** Where the passages of files are found; another room's work, handed in where the rooms are put together. */
export interface PassageIndex {
  /** Takes the place of a file of the same name. */
  putFile(
    owner: string,
    file: { readonly name: string; readonly title: string },
    pages: AsyncIterable<string>,
    signal: AbortSignal,
  ): Promise<void>;
  /** Nothing happens where there is no such file. */
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
