import { comparePages } from '../changes/compare-pages.ts';
import { judgeWatch } from '../changes/judge-watch.ts';
import { fitData } from '../extracting/fit-data.ts';
import { buildOutline } from '../reading/outline.ts';
import { dropAddresses } from '../sections/addresses.ts';
import { listLinks } from '../sections/links.ts';
import {
  appendAddressList,
  numberAddresses,
  replaceAddressesByNumbers,
} from '../sections/numbered-addresses.ts';
import { cutParts } from '../sections/parts.ts';
import { findSection, findSectionTitle } from '../sections/sections.ts';
import type { PortionRequest, RelevanceFocus } from '../types.ts';
import { shareWordBudget } from './budget.ts';
import { buildPageDigest } from './digest.ts';
import { keepPercentile, rankText, type TextRanking } from './reduce.ts';
import { summarize } from './summarize.ts';

function cutPortion(markdown: string, ranking: TextRanking, percentile: number, wanted: PortionRequest) {
  const { section, title, first, count, summaries, maxChars = Infinity } = wanted;
  const parts = cutParts(keepPercentile(markdown, ranking, percentile));
  let left = maxChars + 1;
  const numbers = wanted.listed ? numberAddresses(markdown) : undefined;
  return {
    parts: parts.slice(first - 1, first - 1 + count).map((part, at) => {
      const text = part.slice(0, left);
      left -= text.length;
      const summary = at < summaries ? summarize(text, section.title || title) : undefined;
      return { ...(numbers ? replaceAddressesByNumbers(text, numbers) : { text }), summary };
    }),
    total: parts.length,
    outline: first === 1 && parts.length > 1 ? buildOutline(parts, { ...section, markdown }) : [],
  };
}

const TASKS = {
  rankText: (markdown: string, focus: RelevanceFocus) => rankText(markdown, focus),
  cutPortion,
  findSection,
  findSectionTitle,
  listLinks,
  dropAddresses,
  digestText: buildPageDigest,
  comparePages,
  judgeWatch,
  fitData,
  summarize: (markdown: string, query: string) => summarize(markdown, query),
  withList: appendAddressList,
  shareWords: shareWordBudget,
};

export type TextTasks = {
  readonly [Task in keyof typeof TASKS]: {
    readonly values: Parameters<(typeof TASKS)[Task]>;
    readonly result: ReturnType<(typeof TASKS)[Task]>;
  };
};

/** Runs a task by its name. The types are unchecked, because messages to a worker are untyped. */
export function runTextTask<Task extends keyof TextTasks>(
  task: Task,
  values: TextTasks[Task]['values'],
): TextTasks[Task]['result'] {
  type Run = (...values: TextTasks[Task]['values']) => TextTasks[Task]['result'];
  return (TASKS[task] as unknown as Run)(...values);
}
