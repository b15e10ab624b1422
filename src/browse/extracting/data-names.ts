import { mapWordsToKeys } from '../../lib/text/word-table.ts';
import type { DataItem } from './structured.ts';

/** schema.org paths and `<meta>` names that can hold a property's value. */
const SYNONYMS: Readonly<Record<string, string>> = {
  title: 'headline name og:title twitter:title',
  headline: 'title name og:title',
  name: 'headline title og:title',
  price:
    'offers.price offers.lowPrice offers.priceSpecification.price product:price:amount og:price:amount lowPrice',
  currency: 'priceCurrency offers.priceCurrency product:price:currency og:price:currency',
  availability: 'offers.availability product:availability og:availability',
  stock: 'availability offers.availability',
  condition: 'itemCondition offers.itemCondition',
  seller: 'offers.seller',
  author: 'creator article:author by byl',
  authors: 'author creator citation_author',
  published: 'datePublished article:published_time dateCreated uploadDate datePosted pubdate',
  modified: 'dateModified article:modified_time og:updated_time',
  image: 'og:image twitter:image thumbnailUrl photo logo',
  images: 'image og:image',
  url: 'og:url canonical link mainEntityOfPage',
  description: 'og:description twitter:description abstract summary articleBody text',
  text: 'reviewBody articleBody body content message description',
  oldprice: 'originalprice listprice wasprice regularprice priceold pricewas priceregular',
  rating: 'aggregateRating.ratingValue reviewRating.ratingValue ratingValue',
  reviews: 'review',
  reviewcount: 'aggregateRating.reviewCount aggregateRating.ratingCount ratingCount',
  brand: 'product:brand manufacturer',
  publisher: 'og:site_name sourceOrganization',
  site: 'og:site_name publisher',
  language: 'inLanguage og:locale',
  tags: 'keywords article:tag',
  category: 'articleSection article:section product:category',
  ingredients: 'recipeIngredient',
  steps: 'recipeInstructions step',
  servings: 'recipeYield yield',
  cooktime: 'totalTime',
  duration: 'totalTime og:video:duration',
  start: 'startDate',
  end: 'endDate',
  venue: 'location',
  phone: 'telephone',
  mail: 'email',
  hours: 'openingHours openingHoursSpecification',
  company: 'hiringOrganization worksFor employer',
  salary: 'baseSalary.value baseSalary estimatedSalary',
  job: 'jobTitle title',
  question: 'name',
  answer: 'acceptedAnswer.text suggestedAnswer.text',
  questions: 'mainEntity',
};

const SAME = mapWordsToKeys({
  price: 'amount cost',
  currency: 'pricecurrency',
  availability: 'instock available',
  author: 'writer byline creator user username poster',
  published: 'date datepublished publishedat publisheddate publicationdate releasedate',
  modified: 'updated updatedat datemodified',
  image: 'picture photo thumbnail imageurl',
  url: 'link href',
  description: 'summary excerpt',
  rating: 'score ratingvalue',
  reviewcount: 'numberofreviews ratingcount',
  brand: 'manufacturer',
  site: 'sitename',
  tags: 'keywords',
  category: 'section',
  steps: 'instructions',
  start: 'startdate starttime',
  end: 'enddate endtime',
  venue: 'location',
  phone: 'telephone',
  mail: 'email',
  company: 'employer',
  text: 'body content message comment',
  oldprice: 'originalprice listprice regularprice',
});

export function normalizePropertyName(name: string): string {
  return name
    .slice(0, 200)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Lists possible paths of a property, in normalized names, the most reliable first. */
export function listCandidatePaths(name: string): string[][] {
  const own = normalizePropertyName(name);
  const meant = SAME.get(own) ?? own;
  const synonyms = Object.hasOwn(SYNONYMS, meant) ? (SYNONYMS[meant] ?? '').split(' ') : [];
  const paths = [own, meant, ...synonyms, ...otherNumber(own)].map((path) =>
    path.split('.').map(normalizePropertyName),
  );
  return paths.filter((path) => path.every((part) => part !== ''));
}

function otherNumber(own: string): string[] {
  if (own.length <= 3 || !own.endsWith('s')) return [`${own}s`, own.replace(/y$/, 'ies')];
  return own.endsWith('ies') ? [own.slice(0, -1), `${own.slice(0, -3)}y`] : [own.slice(0, -1)];
}

export function getValueAtPath(
  thing: DataItem,
  path: readonly string[],
  namesOf: PropertyNameLookup,
): unknown {
  let at: unknown = thing;
  for (const part of path) {
    const one = Array.isArray(at) ? at[0] : at;
    if (typeof one !== 'object' || one === null) return undefined;
    const key = namesOf(one as DataItem).get(part);
    at = key === undefined ? undefined : (one as DataItem)[key];
  }
  return at;
}

export type PropertyNameLookup = (thing: DataItem) => ReadonlyMap<string, string>;

export function createNameLookup(): PropertyNameLookup {
  const known = new WeakMap<DataItem, ReadonlyMap<string, string>>();
  return (thing) => {
    let names = known.get(thing);
    if (!names) {
      const found = new Map<string, string>();
      for (const key of Object.keys(thing)) {
        const own = normalizePropertyName(key);
        if (!key.startsWith('@') && !found.has(own)) found.set(own, key);
      }
      names = found;
      known.set(thing, names);
    }
    return names;
  };
}
