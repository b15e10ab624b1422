import type { CosineThresholds } from '../embedding/embedder.ts';
import type { FoundPassage } from '../store.ts';
import { CANDIDATES_PER_LIST } from './candidates.ts';
import type { MissingWords } from './missing-words.ts';
import { dotProduct } from './smooth-by-neighbours.ts';
import type { EmbeddedQuestion } from './vector-search.ts';

/** What a search knows of a question when it decides whether the passages answer it. */
export interface QuestionClues {
  readonly question: string;
  readonly found: readonly FoundPassage[];
  readonly near: EmbeddedQuestion | undefined;
  readonly vectorOf: (place: number) => Float32Array | undefined;
  readonly missing: MissingWords;
  /** Greatest share of the question's words in one passage, weighted by their rarity. */
  readonly wordShare: number;
}

/** Number of unrelated texts that count beside the found ones in means, for knowledge bases of few texts. */
const ASSUMED_TEXTS = 4;
const GAP_PART = 0.5;

/** Returns how much nearer a passage is to a text than passages usually are, which allows for kinds of texts and languages. */
export function createCloseness(
  found: readonly FoundPassage[],
  scale: CosineThresholds | undefined,
  vectorOf: QuestionClues['vectorOf'],
) {
  const vectors = found.flatMap(({ place }) => vectorOf(place) ?? []);
  return (vector: Float32Array): ((place: number) => number) => {
    const all = vectors.map((one) => dotProduct(one, vector)).sort((a, b) => a - b);
    // Of many passages, only the nearest are found. The farthest of them come near to what is usual.
    const usual = all.length < CANDIDATES_PER_LIST ? all : all.slice(0, Math.ceil(all.length / 4));
    const sum = usual.reduce((one, other) => one + other, 0);
    const mean = (sum + ASSUMED_TEXTS * (scale?.unrelated ?? 0)) / (usual.length + ASSUMED_TEXTS);
    return (place) => dotProduct(vectorOf(place) ?? vector, vector) - mean;
  };
}

/** Returns how much the passage nearest to the question stands out: an answer is nearer than all other passages. */
export function findStandingOut({
  found,
  near,
  vectorOf,
}: QuestionClues): { place: number; by: number } | undefined {
  if (!near) return undefined;
  const toQuestion = createCloseness(found, near.scale, vectorOf)(near.query);
  const [first, second] = found
    .flatMap(({ place }) => (vectorOf(place) ? [{ place, by: toQuestion(place) }] : []))
    .sort((a, b) => b.by - a.by);
  if (!first) return undefined;
  return { place: first.place, by: first.by + GAP_PART * (second ? first.by - second.by : 0) };
}
