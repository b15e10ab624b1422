import { detectNonEnglish, isNonEnglishQuestion } from '../../lib/language/detect-language.ts';
import type { Logger } from '../../log.ts';
import type { EntryStore } from '../store.ts';
import type { OwnerLanguages } from '../types.ts';
import type { Embedder } from './embedder.ts';
import { type LanguageCounts, MAX_QUESTION_WEIGHT_SUM, NON_ENGLISH_QUESTION_WEIGHTS } from './languages.ts';

export type ModelChoice = ReturnType<typeof createModelChoice>;

export interface ModelChoiceOptions {
  readonly store: Pick<EntryStore, 'readLanguages' | 'countQuestion' | 'countLanguages'>;
  readonly common: Embedder;
  readonly multilingual?: Embedder | undefined;
  readonly remedy?: string | undefined;
  readonly missing?: string | undefined;
  readonly log: Pick<Logger, 'warn'>;
}

export function createModelChoice(options: ModelChoiceOptions) {
  const { store, common, multilingual, remedy, missing, log } = options;
  const windows = [common, multilingual].flatMap((embedder) => embedder?.maxTokens ?? []);
  let warned = false;
  let failing = false;

  async function modelOf(owner: string): Promise<Embedder> {
    return multilingual && (await store.readLanguages(owner)).multilingual ? multilingual : common;
  }

  return {
    common,
    multilingual,
    names: { common: common.name, multilingual: multilingual?.name },
    window: Math.min(...windows),
    modelOf,

    async readLanguages(owner: string, question?: string): Promise<OwnerLanguages> {
      const { passages, nonenglish, multilingual: suits } = await store.readLanguages(owner);
      const what = unreadOf({ passages, nonenglish, suits }, question);
      const unread = what !== undefined && remedy !== undefined ? `${what}: ${UNREAD}. ${remedy}` : undefined;
      const advice = missing ?? unread;
      return {
        passages,
        nonenglish,
        suits: suits ? 'multilingual' : 'english',
        model: (multilingual && suits ? multilingual : common).name,
        ...(advice !== undefined && { advice }),
      };
    },

    /** Counts a question that is not in English. Resolves to true if the owner now uses another model. Never rejects. */
    async noteQuestion(owner: string, text: string): Promise<boolean> {
      const weight = NON_ENGLISH_QUESTION_WEIGHTS[detectNonEnglish(text)];
      if (weight === 0) return false;
      try {
        const before = await store.readLanguages(owner);
        // Does not count a question if the sum is near its maximum. This saves a database write.
        if (before.multilingual && before.asked > MAX_QUESTION_WEIGHT_SUM - 1) return false;
        await store.countQuestion(owner, weight);
        failing = false;
        return !before.multilingual && (await store.readLanguages(owner)).multilingual;
      } catch (err) {
        if (!failing) log.warn({ err }, 'the languages of questions cannot be counted');
        failing = true;
        return false;
      }
    },

    async warnUnread(): Promise<void> {
      if (warned || (remedy ?? missing) === undefined) return;
      if (missing !== undefined) {
        warned = true;
        log.warn({ model: common.name }, missing);
        return;
      }
      const { multilingual: users } = await store.countLanguages();
      if (users === 0) return;
      warned = true;
      log.warn(
        { users, model: common.name },
        `users have texts that are not in English: ${UNREAD}. ${remedy}`,
      );
    },
  };
}

const UNREAD =
  'the model in use reads English only, and finds them by their words and hardly by their meaning';

function unreadOf(
  { passages, nonenglish, suits }: Pick<LanguageCounts, 'passages' | 'nonenglish'> & { suits: boolean },
  question: string | undefined,
): string | undefined {
  if (suits && nonenglish > 0) return `${nonenglish} of ${passages} passages are not in English`;
  if (question !== undefined)
    return isNonEnglishQuestion(question) ? 'The question is not in English' : undefined;
  return suits ? 'Questions were not in English' : undefined;
}
