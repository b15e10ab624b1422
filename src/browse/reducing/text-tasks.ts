import { comparePages } from '../changes/compare-pages.ts';
import { fitData } from '../extracting/fit-data.ts';
import type { DataPage, DataSchema, FittedData } from '../extracting/structured.ts';
import { buildOutline } from '../reading/outline.ts';
import type { PageLink } from '../reading/page.ts';
import { type DroppedAddresses, dropAddresses } from '../sections/addresses.ts';
import { type LinkList, listLinks } from '../sections/links.ts';
import {
  appendAddressList,
  type NumberedText,
  numberAddresses,
  replaceAddressesByNumbers,
} from '../sections/numbered-addresses.ts';
import { cutParts } from '../sections/parts.ts';
import { findSection, findSectionTitle } from '../sections/sections.ts';
import type {
  DigestRequest,
  PageChanges,
  PageChangesLimits,
  Portion,
  PortionRequest,
  RelevanceFocus,
  Section,
  WeightedText,
} from '../types.ts';
import { shareWords } from './budget.ts';
import { type DigestParts, digestText } from './digest.ts';
import { keepPercentile, rankText, type TextRanking } from './reduce.ts';
import { summarize } from './summarize.ts';

function cutPortion(
  markdown: string,
  ranking: TextRanking,
  percentile: number,
  wanted: PortionRequest,
): Portion {
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

/** Tasks whose time grows with the text. Their arguments and results can be sent to a worker. */
export interface TextTasks {
  rankText: { readonly values: [markdown: string, focus: RelevanceFocus]; readonly result: TextRanking };
  cutPortion: {
    readonly values: [markdown: string, ranking: TextRanking, percentile: number, wanted: PortionRequest];
    readonly result: Portion;
  };
  findSection: { readonly values: [markdown: string, wanted: string]; readonly result: Section };
  findSectionTitle: {
    readonly values: [markdown: string, fragment: string];
    readonly result: string | undefined;
  };
  listLinks: {
    readonly values: [markdown: string, more: readonly PageLink[], most: number];
    readonly result: LinkList;
  };
  dropAddresses: { readonly values: [markdown: string, dropped: DroppedAddresses]; readonly result: string };
  comparePages: {
    readonly values: [before: string, after: string, wanted: PageChangesLimits];
    readonly result: PageChanges;
  };
  fitData: {
    readonly values: [page: DataPage, schema: DataSchema, mostChars: number];
    readonly result: FittedData;
  };
  summarize: { readonly values: [markdown: string, query: string]; readonly result: string };
  digestText: { readonly values: [markdown: string, wanted: DigestRequest]; readonly result: DigestParts };
  withList: {
    readonly values: [text: string, addresses: NumberedText['addresses']];
    readonly result: string;
  };
  shareWords: {
    readonly values: [shares: readonly WeightedText[], ceiling: number];
    readonly result: string[];
  };
}

const TASKS: {
  readonly [Task in keyof TextTasks]: (...values: TextTasks[Task]['values']) => TextTasks[Task]['result'];
} = {
  rankText,
  cutPortion,
  findSection,
  findSectionTitle,
  listLinks,
  dropAddresses,
  digestText,
  comparePages,
  fitData,
  summarize,
  withList: appendAddressList,
  shareWords,
};

/** Runs a task by its name. The caller must ensure the types, which a worker's messages do not have. */
export function runTextTask<Task extends keyof TextTasks>(
  task: Task,
  values: TextTasks[Task]['values'],
): TextTasks[Task]['result'] {
  return TASKS[task](...values);
}
