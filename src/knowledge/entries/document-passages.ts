import { setImmediate } from 'node:timers/promises';
import { type AppError, tooLargeError } from '../../errors.ts';
import { isBlankText } from '../../lib/text/invisible.ts';
import type { NewPassage } from '../store.ts';
import { chunk } from './chunk.ts';

const GROUP_PASSAGES = 200;
const MAX_PAGE_CHARS = 1_000_000;
const MAX_FILE_CHARS = 200_000_000;

/** Yields a file's passages while it is read. No passage crosses a page. Throws AppError `too_large`. */
export async function* splitPagesIntoPassages(
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
    if (text.length > MAX_PAGE_CHARS)
      throw tooLarge(`page ${page} of ${file.name}`, text.length, MAX_PAGE_CHARS);
    if (characters > MAX_FILE_CHARS) throw tooLarge(file.name, characters, MAX_FILE_CHARS);
    const kept = text.replaceAll('\0', '').toWellFormed();
    if (isBlankText(kept)) continue;
    for (const passage of await chunk(kept, { title: file.title, window })) group.push({ ...passage, page });
    if (group.length < GROUP_PASSAGES) continue;
    yield group;
    group = [];
    await setImmediate();
  }
  if (group.length > 0) yield group;
}

function tooLarge(name: string, characters: number, most: number): AppError {
  return tooLargeError(`${name} has ${characters} characters of text: ${most} can be searched`);
}
