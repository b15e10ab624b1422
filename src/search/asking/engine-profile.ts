import type { EngineFacts, SearchEngine } from '../engine.ts';

/** What a person needs to know of an engine: who is asked, how, and what becomes of the question. */
export interface EngineProfile extends Partial<EngineFacts> {
  readonly title: string;
  /** The host that is sent the question; empty where the engine names none. */
  readonly host: string;
  /** `official`: an interface that its maker offers to programs. `page`: a result page that is made for browsers. */
  readonly access: 'official' | 'page';
  /** It is asked about any subject, and not only about its own. */
  readonly general: boolean;
  readonly needsKey: boolean;
}

export function profileEngine(engine: SearchEngine): EngineProfile {
  const { title, resultPage, categories, needsKey, facts } = engine.about;
  return {
    ...facts,
    title,
    host: hostOf(engine.request({ text: title, limit: 1 }).url),
    access: resultPage ? 'page' : 'official',
    general: categories.includes('general'),
    needsKey,
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
