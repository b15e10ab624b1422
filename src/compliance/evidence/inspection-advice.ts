import places from './inspection-places.json' with { type: 'json' };

const EXPLAINED =
  / such as |, (?:ensuring|including|for example|which|to prevent)\b| e\.g\.| to (?:prevent|avoid)\b/i;

const PLACES = places.map(({ about, place }) => [new RegExp(about, 'i'), place] as const);
const ELSEWHERE = 'the documents and settings that show it, and ask the people who do it';

export function inspectionAdvice(title: string): string {
  const [about = title] = title.split(EXPLAINED);
  const [, place = ELSEWHERE] = PLACES.find(([words]) => words.test(about)) ?? [];
  return `Inspect ${place}.`;
}
