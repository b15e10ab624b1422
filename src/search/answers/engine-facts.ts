import type { EngineFacts } from '../engine.ts';

export const WIKIMEDIA_FACTS: EngineFacts = {
  limits: 'No number for reading: one request after the other, by a name that says who asks.',
  atLimit: '429 with Retry-After.',
  keeps: 'question',
  privacy: 'What could show who asked is deleted or made anonymous after 90 days at most.',
  sources: [
    'https://www.mediawiki.org/wiki/Wikimedia_APIs/Access_policy',
    'https://foundation.wikimedia.org/wiki/Legal:Data_retention_guidelines',
  ],
  checked: '2026-11-27',
};

/** Returns the facts about an engine whose privacy policy was not read. `sources` are documents about its limits. */
export function describeUnreadPrivacy(
  ...sources: string[]
): Pick<EngineFacts, 'keeps' | 'privacy' | 'sources' | 'checked'> {
  return {
    keeps: 'unsaid',
    privacy: 'Its privacy policy was not read.',
    sources,
    checked: '2026-11-27',
  };
}
