import { editDistance } from './edit-distance.ts';

const MAX_WORD_CHARACTERS = 40;
const MIN_PREFIX_CHARACTERS = 3;

export function likelyMeant(word: string, known: Iterable<string>): string | undefined {
  const wanted = bare(word);
  if (wanted === '' || wanted.length > MAX_WORD_CHARACTERS) return undefined;
  let best: string | undefined;
  let begun = '';
  const words = word.split(/[-_]+/).map(bare);
  const heads = new Set(words.slice(0, -1).map((_, at) => words.slice(0, at + 1).join('')));
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const name of known) {
    const candidate = bare(name);
    if (candidate.length >= MIN_PREFIX_CHARACTERS && heads.has(candidate) && name.length > begun.length)
      begun = name;
    const begins = wanted.length >= MIN_PREFIX_CHARACTERS && candidate.startsWith(wanted);
    const distance = begins ? Math.min(1, candidate.length - wanted.length) : editDistance(wanted, candidate);
    if (distance < least && distance < candidate.length) {
      least = distance;
      best = name;
    }
  }
  return best ?? (begun || undefined);
}

/** Suggests a known name, for example ` (did you mean magpie search?)`. Returns '' if none is similar. */
export function didYouMean(word: string, known: Iterable<string>, before = ''): string {
  const meant = likelyMeant(word, known);
  return meant === undefined ? '' : ` (did you mean ${before}${meant}?)`;
}

const bare = (name: string): string => name.toLowerCase().replace(/[-_]/g, '');
