import type { Filter, SearchEngine, SearchQuery } from './engine.ts';
import type { Question } from './question.ts';

/** Which engines are asked, and which were left out for a reason that the caller should hear. */
export interface Choice {
  readonly asked: readonly SearchEngine[];
  readonly left: readonly { readonly name: string; readonly reason: string }[];
}

/** Filters that an engine cannot make up for: without them its hits are mostly beside the question. */
const STRICT: readonly { readonly filter: Filter; readonly reason: string }[] = [
  { filter: 'site', reason: 'left out: it cannot search within one site' },
  { filter: 'timeRange', reason: 'left out: it cannot search within a time' },
];

/**
 * General engines always take part, those for a subject where the question is about it; a set without any
 * general engine is asked whole. Of these, engines that do not take a `site` or `timeRange` that was asked
 * for are left out, unless none would remain.
 */
export function chooseEngines(
  engines: readonly SearchEngine[],
  question: Question,
  query: SearchQuery,
): Choice {
  const fitting = engines.filter(
    ({ about }) => isGeneral(about.subjects) || about.subjects.some(has(question)),
  );
  const candidates = engines.some(({ about }) => isGeneral(about.subjects)) ? fitting : engines;
  const missing = (engine: SearchEngine) =>
    STRICT.find(({ filter }) => query[filter] !== undefined && !engine.about.takes.includes(filter));
  const asked = candidates.filter((engine) => !missing(engine));
  if (asked.length === 0) return { asked: candidates, left: [] };
  return {
    asked,
    left: candidates.flatMap((engine) => {
      const lack = missing(engine);
      return lack ? [{ name: engine.name, reason: lack.reason }] : [];
    }),
  };
}

/** Whether the engine was chosen for a subject of the question, and not for everything. */
export function isSpecial({ about }: SearchEngine, question: Question): boolean {
  return !isGeneral(about.subjects) && about.subjects.some(has(question));
}

function isGeneral(subjects: SearchEngine['about']['subjects']): boolean {
  return subjects.includes('general');
}

function has({ subjects }: Question) {
  return (subject: SearchEngine['about']['subjects'][number]) => subjects.has(subject);
}
