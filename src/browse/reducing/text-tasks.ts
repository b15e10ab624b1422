import { comparePages } from '../changes/changes.ts';
import { fitData } from '../extracting/fit-data.ts';
import type { DataPage, DataSchema, FittedData } from '../extracting/structured.ts';
import { outlineOf } from '../reading/outline.ts';
import type { PageLink } from '../reading/page.ts';
import { type Dropped, dropAddresses } from '../sections/addresses.ts';
import { type LinkList, listLinks } from '../sections/links.ts';
import { type Listed, listAddresses, numberAddresses, withList } from '../sections/listed-addresses.ts';
import { cutParts } from '../sections/parts.ts';
import { findSection, findSectionTitle } from '../sections/sections.ts';
import type {
  Changes,
  ChangesWanted,
  DigestWanted,
  Focus,
  Portion,
  PortionWanted,
  Section,
  Share,
} from '../types.ts';
import { shareWords } from './budget.ts';
import { type DigestParts, digestText } from './digest.ts';
import { keptOf, type Ranking, rankText } from './reduce.ts';
import { summarize } from './summarize.ts';

function cutPortion(markdown: string, ranking: Ranking, percentile: number, wanted: PortionWanted): Portion {
  const { section, title, first, count, summaries, maxChars = Infinity } = wanted;
  const parts = cutParts(keptOf(markdown, ranking, percentile));
  let left = maxChars + 1;
  const numbers = wanted.listed ? numberAddresses(markdown) : undefined;
  return {
    parts: parts.slice(first - 1, first - 1 + count).map((part, at) => {
      const text = part.slice(0, left);
      left -= text.length;
      const summary = at < summaries ? summarize(text, section.title || title) : undefined;
      return { ...(numbers ? listAddresses(text, numbers) : { text }), summary };
    }),
    total: parts.length,
    outline: first === 1 && parts.length > 1 ? outlineOf(parts, { ...section, markdown }) : [],
  };
}

/** Tasks whose time grows with the text. Their arguments and results can be sent to a worker. */
export interface TextTasks {
  rankText: { readonly values: [markdown: string, focus: Focus]; readonly result: Ranking };
  cutPortion: {
    readonly values: [markdown: string, ranking: Ranking, percentile: number, wanted: PortionWanted];
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
  dropAddresses: { readonly values: [markdown: string, dropped: Dropped]; readonly result: string };
  comparePages: {
    readonly values: [before: string, after: string, wanted: ChangesWanted];
    readonly result: Changes;
  };
  fitData: {
    readonly values: [page: DataPage, schema: DataSchema, mostChars: number];
    readonly result: FittedData;
  };
  summarize: { readonly values: [markdown: string, query: string]; readonly result: string };
  digestText: { readonly values: [markdown: string, wanted: DigestWanted]; readonly result: DigestParts };
  withList: { readonly values: [text: string, addresses: Listed['addresses']]; readonly result: string };
  shareWords: { readonly values: [shares: readonly Share[], ceiling: number]; readonly result: string[] };
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
  withList,
  shareWords,
};

/** Runs a task by its name. The caller must ensure the types, which a worker's messages do not have. */
export function runTask<Task extends keyof TextTasks>(
  task: Task,
  values: TextTasks[Task]['values'],
): TextTasks[Task]['result'] {
  return TASKS[task](...values);
}
