import { shareWords } from './budget.ts';
import { linksOf } from './links.ts';
import { type OutlineEntry, outlineOf, type Section, sectionAt, sectionOf } from './outline.ts';
import { cutParts } from './parts.ts';
import { rankText } from './reduce.ts';
import { summarize } from './summarize.ts';

/** Which parts of a text are wanted. */
export interface PortionWanted {
  /** What the text was reduced from. */
  readonly section: Section;
  /** The title of the page, for the summaries. */
  readonly title: string;
  /** The first part, from 1, and how many. */
  readonly first: number;
  readonly count: number;
  /** How many of the parts get a summary. */
  readonly summaries: number;
}

export interface Portion {
  readonly parts: readonly { readonly text: string; readonly summary?: string }[];
  /** Parts of the whole text. */
  readonly total: number;
  /** Headings of a text in several parts, with its first part only. */
  readonly outline: OutlineEntry[];
}

/** Some parts of a text. */
function portionOf(text: string, { section, title, first, count, summaries }: PortionWanted): Portion {
  const parts = cutParts(text);
  return {
    parts: parts.slice(first - 1, first - 1 + count).map((text, at) => ({
      text,
      summary: at < summaries ? summarize(text, section.title || title) : undefined,
    })),
    total: parts.length,
    outline: first === 1 && parts.length > 1 ? outlineOf(parts, section) : [],
  };
}

/** What is done with texts in time that grows with them; arguments and answers can be handed to a worker. */
const TEXT_TASKS = { rankText, portionOf, summarize, sectionOf, sectionAt, linksOf, shareWords };

export type TextTasks = typeof TEXT_TASKS;
export type TextTask = keyof TextTasks;

/** Does a task. The types of its values are those of `TextDesk.run`, which a worker's messages no longer have. */
export function runTask<Task extends TextTask>(task: Task, values: readonly unknown[]) {
  const work = TEXT_TASKS[task] as (...values: readonly unknown[]) => ReturnType<TextTasks[Task]>;
  return work(...values);
}
