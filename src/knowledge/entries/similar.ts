import { detectTextLanguage } from '../../lib/language/detect-language.ts';
import { takeCharacters } from '../../lib/text/text.ts';
import { extractQueryWords } from '../ranking/search-words.ts';
import type { EntryStore } from '../store.ts';
import type { NewEntry, RelatedEntries } from '../types.ts';
import { findContradiction, readTextStatements } from './contradiction.ts';
import { computeTextSketch, estimateTextSimilarity } from './text-sketch.ts';

const COMPARED_CHARS = 2000;
/** Number of words used to find similar entries. The longest are used, because few texts share them. */
const SOUGHT_WORDS = 16;
const READ_ENTRIES = 6;
/** Number of entries to read for a short text, whose few words occur in many entries. */
const READ_FOR_CONFLICTS = 12;
const NAMED = 3;
const MIN_LIKENESS = 0.6;

export async function findRelated(
  store: Pick<EntryStore, 'findSharing'>,
  owner: string,
  {
    id,
    text,
    collection,
    title = '',
  }: Pick<NewEntry, 'title'> & { readonly id: string; readonly text: string; readonly collection: string },
): Promise<RelatedEntries> {
  const begin = takeCharacters(text, COMPARED_CHARS);
  const language = detectTextLanguage(begin);
  const words = extractQueryWords(begin, language === undefined ? [] : [language])
    .sort((a, b) => b.word.length - a.word.length)
    .slice(0, SOUGHT_WORDS)
    .flatMap(({ word, inLanguages }) => [word, ...inLanguages.values()]);
  const own = readTextStatements(text);
  const found = await store.findSharing(owner, words, {
    collection,
    limit: own ? READ_FOR_CONFLICTS : READ_ENTRIES,
    chars: COMPARED_CHARS,
  });
  const sketch = computeTextSketch(begin);
  const others = found.filter((other) => other.id !== id);
  const similar = others
    .map((other) => ({
      id: other.id,
      score: Math.round(estimateTextSimilarity(sketch, computeTextSketch(other.text)) * 100) / 100,
    }))
    .filter(({ score }) => score >= MIN_LIKENESS)
    .sort((a, b) => b.score - a.score)
    .slice(0, NAMED);
  const conflicts = others
    .filter((other) => own !== undefined && other.title === title)
    .flatMap((other) => {
      const older = readTextStatements(other.text.trim());
      const contradiction = own && older && findContradiction(older, own);
      return contradiction
        ? [{ id: other.id, text: contradiction.older, differs: contradiction.differs }]
        : [];
    })
    .sort((a, b) => compareIds(b.id, a.id))
    .slice(0, NAMED);
  return { similar, conflicts };
}

const compareIds = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1);
