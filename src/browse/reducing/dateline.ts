import { countWords } from '../../lib/text/text.ts';
import { findDates, toIsoDay } from '../../lib/time/written-date.ts';
import { hasRange, OTHER_LABEL } from '../extracting/date-labels.ts';

const MAX_BLOCKS = 4;
const MAX_CHARS = 80;
const MAX_WORDS = 8;
const LEAST_PROSE = 12;
const DAY_MS = 24 * 3_600_000;
/** Earlier dates are ignored, because the web was not public before 1993. */
const FIRST_YEAR = 1993;

/** Returns the page's date in ISO 8601, or undefined. A future date belongs to an event and is ignored. */
export function findDatelineDate(
  markdown: string,
  language: string | undefined,
  now: number,
): string | undefined {
  const blocks = markdown.slice(0, MAX_BLOCKS * 1000).split('\n\n', MAX_BLOCKS + 1);
  const at = blocks.findIndex((block) => !block.startsWith('#') && countWords(block) > MAX_WORDS);
  const over = at < 0 ? [] : blocks.slice(0, at);
  if (over.length === blocks.length || countWords(blocks[at] ?? '') < LEAST_PROSE) return undefined;
  const lines = over.filter(isDateline).map((line) => line.replace(/\\(?=[^\p{L}\p{N}\s])/gu, ''));
  const dates = lines.flatMap((line) => datesIn(line, language));
  const [date] = dates;
  const time = Date.parse(date ?? '');
  const isLikely = Number(date?.slice(0, 4)) >= FIRST_YEAR && time <= now + DAY_MS;
  return dates.length === 1 && isLikely ? date : undefined;
}

function datesIn(line: string, language: string | undefined): string[] {
  const [first, ...more] = findDates(line, language);
  if (!first || more.length > 0 || hasRange(line) || OTHER_LABEL.test(line.slice(0, first.start))) return [];
  return [toIsoDay(first)];
}

function isDateline(block: string): boolean {
  return block.length <= MAX_CHARS && !/^(?:#|[-*>|] )|\n|[.!?。؟]$/.test(block) && /\p{Nd}/u.test(block);
}
