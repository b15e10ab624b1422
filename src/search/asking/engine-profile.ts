import type { EngineFacts, SearchEngine } from '../engine.ts';

export interface EngineProfile extends Partial<EngineFacts> {
  readonly title: string;
  readonly host: string;
  readonly access: 'official' | 'page';
  readonly general: boolean;
  readonly needsKey: boolean;
}

export function profileEngine(engine: SearchEngine): EngineProfile {
  const { title, resultPage, categories, needsKey = false, facts } = engine.about;
  return {
    ...facts,
    title,
    host: hostOf(engine.request({ text: title, limit: 1 }).url),
    access: resultPage ? 'page' : 'official',
    general: categories.includes('general'),
    needsKey,
  };
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');
