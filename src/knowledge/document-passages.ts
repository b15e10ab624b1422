import { setImmediate } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { chunk } from './chunk.ts';
import type { NewPassage } from './store.ts';

/** Passages that are written together. */
const TOGETHER = 200;
/** Characters of a page, and of a whole file. */
const PAGE = 1_000_000;
const FILE = 200_000_000;

/**
 * The passages of a file, in groups, as its pages come. A page begins a passage, so that each passage has one
 * page number. AppError `too_large`.
 */
export async function* documentPassages(
  file: { readonly name: string; readonly title: string },
  pages: AsyncIterable<string> | Iterable<string>,
  window: number,
  signal: AbortSignal,
): AsyncGenerator<NewPassage[]> {
  let group: NewPassage[] = [];
  let page = 0;
  let characters = 0;
  for await (const text of pages) {
    signal.throwIfAborted();
    page++;
    characters += text.length;
    if (text.length > PAGE) throw tooLarge(`page ${page} of ${file.name}`, text.length, PAGE);
    if (characters > FILE) throw tooLarge(file.name, characters, FILE);
    const kept = text.replaceAll('\0', '').toWellFormed();
    if (kept.trim() === '') continue;
    for (const passage of await chunk(kept, { title: file.title, window })) group.push({ ...passage, page });
    if (group.length < TOGETHER) continue;
    yield group;
    group = [];
    await setImmediate();
  }
  if (group.length > 0) yield group;
}

function tooLarge(name: string, characters: number, most: number): AppError {
  return new AppError('too_large', `${name} has ${characters} characters of text: ${most} can be searched`);
}
