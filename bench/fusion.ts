import { parseArgs } from 'node:util';
import type { SearchHit } from '../src/search/engine.ts';
import { fuseHitLists } from '../src/search/merging/merge.ts';
import { randomOf } from '../test/helpers/simulated-web.ts';
import { printTable } from './figures.ts';

/**
 * nDCG@10 of the merged list on simulated webs: today's fusion, in which every engine counts alike, against weights by
 * tier (services with an official interface, result pages, those that pass Bing's index on, engines of one field).
 * Weights are fitted on odd seeds and judged on even ones, once for each belief about how good the tiers are, since
 * nothing of ours says which is true.
 */

type Tier = 'service' | 'page' | 'bing' | 'field';
type Weights = Readonly<Record<Tier, number>>;

/** How an engine of a tier ranks: noise on its scores, share of the pages in its index, share of spam. */
interface Quality {
  readonly noise: number;
  readonly coverage: number;
  readonly spam: number;
}
type Belief = Readonly<Record<Tier, Quality>>;

const ENGINES: readonly (readonly [string, Tier])[] = [
  ...['tavily', 'exa', 'firecrawl', 'keenable'].map((name) => [name, 'service'] as const),
  ...['brave', 'yandex', 'startpage'].map((name) => [name, 'page'] as const),
  ...['bing', 'yahoo', 'duckduckgo'].map((name) => [name, 'bing'] as const),
  ...['hackernews', 'wikipedia'].map((name) => [name, 'field'] as const),
];
const SOURCES = { bing: 'bing', yahoo: 'bing', duckduckgo: 'bing' };
const EQUAL: Weights = { service: 1, page: 1, bing: 1, field: 1 };
const GRID: readonly Weights[] = [0.75, 1, 1.25, 1.5, 2].flatMap((service) =>
  [0.5, 0.75, 1].flatMap((bing) => [0.25, 0.5, 0.75, 1].map((field) => ({ service, page: 1, bing, field }))),
);
const BELIEFS: Readonly<Record<string, Belief>> = {
  'all alike': {
    service: { noise: 1, coverage: 0.6, spam: 0.1 },
    page: { noise: 1, coverage: 0.6, spam: 0.1 },
    bing: { noise: 1, coverage: 0.6, spam: 0.1 },
    field: { noise: 1, coverage: 0.1, spam: 0 },
  },
  'services better': {
    service: { noise: 0.7, coverage: 0.6, spam: 0.05 },
    page: { noise: 1, coverage: 0.6, spam: 0.1 },
    bing: { noise: 1.3, coverage: 0.6, spam: 0.25 },
    field: { noise: 1, coverage: 0.1, spam: 0 },
  },
  'services worse': {
    service: { noise: 1.3, coverage: 0.35, spam: 0.1 },
    page: { noise: 0.9, coverage: 0.7, spam: 0.1 },
    bing: { noise: 1, coverage: 0.7, spam: 0.15 },
    field: { noise: 1, coverage: 0.1, spam: 0 },
  },
};
const PAGES = 200;
const HITS = 10;

/** `--seeds <n>`: simulated questions of each belief; 400 when left out. */
export async function run(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { seeds: { type: 'string', default: '400' } } });
  const seeds = Array.from({ length: Number(values.seeds) }, (_, seed) => seed);
  const fitted = new Map(
    Object.entries(BELIEFS).map(([name, belief]) => [name, chooseWeights(belief, seeds)]),
  );
  const rows = Object.entries(BELIEFS).flatMap(([truth, belief]) =>
    [...fitted].map(([believed, weights]) => [truth, believed, ...judge(belief, weights, seeds)]),
  );
  printTable(
    ['the web is', 'weights fitted where', 'service/page/bing/field', 'equal', 'weighted', 'difference'],
    rows,
  );
}

function chooseWeights(belief: Belief, seeds: readonly number[]): Weights {
  const odd = seeds.filter((seed) => seed % 2 === 1).map((seed) => questionOf(belief, seed));
  const scored = GRID.map((weights) => ({ weights, score: mean(odd.map((one) => ndcg(one, weights))) }));
  return scored.reduce((best, one) => (one.score > best.score ? one : best)).weights;
}

/** The weights, both means over even seeds, and their difference with twice its standard error. */
function judge(belief: Belief, weights: Weights, seeds: readonly number[]): string[] {
  const even = seeds.filter((seed) => seed % 2 === 0).map((seed) => questionOf(belief, seed));
  const equal = even.map((one) => ndcg(one, EQUAL));
  const weighted = even.map((one) => ndcg(one, weights));
  const gains = weighted.map((score, at) => score - (equal[at] ?? 0));
  const gain = mean(gains);
  const error = Math.sqrt(mean(gains.map((one) => (one - gain) ** 2)) / Math.max(1, gains.length - 1));
  return [
    [weights.service, weights.page, weights.bing, weights.field].join('/'),
    mean(equal).toFixed(3),
    mean(weighted).toFixed(3),
    `${gain < 0 ? '' : '+'}${gain.toFixed(4)} ± ${(2 * error).toFixed(4)}`,
  ];
}

interface SimulatedQuestion {
  readonly gains: ReadonlyMap<string, number>;
  readonly lists: readonly { readonly engine: string; readonly hits: readonly SearchHit[] }[];
}

/** One question: how well each page answers it, and the lists of the engines that answered this time. */
function questionOf(belief: Belief, seed: number): SimulatedQuestion {
  const random = randomOf(seed * 7919 + 13);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const worth = Array.from({ length: PAGES }, normal);
  const ranked = worth.toSorted((a, b) => b - a);
  const [first, second, third] = [ranked[4] ?? 0, ranked[14] ?? 0, ranked[39] ?? 0];
  const gainOf = (at: number) => [first, second, third].filter((least) => (worth[at] ?? 0) >= least).length;
  const urlOf = (at: number) => `https://p${at}.example/`;
  // What passes Bing's index on shares its noise and its holes.
  const shared = worth.map(() => ({ noise: normal(), kept: random() }));
  const lists = ENGINES.flatMap(([engine, tier]) => {
    const { noise, coverage, spam } = belief[tier];
    // A third of them refuses.
    if (random() < 1 / 3) return [];
    const scores = worth.map((value, at) => {
      const common = tier === 'bing' ? shared[at] : undefined;
      const kept = (common?.kept ?? random()) < coverage;
      const off = common ? 0.8 * common.noise + 0.6 * normal() : normal();
      return { at, score: kept ? value + noise * off : Number.NEGATIVE_INFINITY };
    });
    const best = scores.toSorted((a, b) => b.score - a.score).slice(0, HITS);
    const hits = best.map(({ at }, place) => {
      const url = random() < spam ? `https://spam${Math.floor(random() * 40)}.example/${place}` : urlOf(at);
      return { title: `Page ${url}`, url, snippet: '' };
    });
    return [{ engine, hits }];
  });
  return { gains: new Map(worth.map((_, at) => [urlOf(at), gainOf(at)])), lists };
}

function ndcg({ gains, lists }: SimulatedQuestion, byTier: Weights): number {
  const weights = Object.fromEntries(ENGINES.map(([name, tier]) => [name, byTier[tier]]));
  const found = fuseHitLists(lists, HITS, { weights, sources: SOURCES }).map(
    ({ url }) => gains.get(url) ?? 0,
  );
  const ideal = [...gains.values()].toSorted((a, b) => b - a).slice(0, HITS);
  return discounted(found) / discounted(ideal);
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, at) => sum + (2 ** gain - 1) / Math.log2(at + 2), 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
