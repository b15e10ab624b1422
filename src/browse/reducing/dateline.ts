import { countWords } from '../../lib/text/text.ts';
import { dateIn } from '../extracting/written-dates.ts';

/** Blocks at the beginning of an article, headings among them, and words of one that says where and when it was written. */
const MAX_BLOCKS = 4;
const MAX_CHARS = 80;
const MAX_WORDS = 8;
/** Words of the text that follows it. */
const LEAST_PROSE = 12;
const DAY_MS = 24 * 3_600_000;
/** Before the web nothing was published on it. */
const FIRST_YEAR = 1993;

/**
 * The day that an article without a date for programs has over its text, as press releases do ("Görlitz, 17. November 2026"):
 * ISO 8601, or undefined. A day to come is of what the page is about.
 */
export function dateOver(markdown: string, language: string | undefined, now: number): string | undefined {
  const blocks = markdown.slice(0, MAX_BLOCKS * 1000).split('\n\n', MAX_BLOCKS + 1);
  const at = blocks.findIndex((block) => !block.startsWith('#') && countWords(block) > MAX_WORDS);
  const over = at < 0 ? [] : blocks.slice(0, at);
  if (over.length === blocks.length || countWords(blocks[at] ?? '') < LEAST_PROSE) return undefined;
  const dates = over.filter(isDateline).flatMap((line) => dateIn(line, language, false) ?? []);
  const [date] = dates;
  const time = Date.parse(date ?? '');
  const isLikely = Number(date?.slice(0, 4)) >= FIRST_YEAR && time <= now + DAY_MS;
  return dates.length === 1 && isLikely ? date : undefined;
}

/** One line, neither a sentence nor a list nor a heading. */
function isDateline(block: string): boolean {
  return block.length <= MAX_CHARS && !/^(?:#|[-*>|] )|\n|[.!?。؟]$/.test(block) && /\p{Nd}/u.test(block);
}
