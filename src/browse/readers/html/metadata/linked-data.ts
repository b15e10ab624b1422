export type LinkedDataFacts = ReturnType<typeof readLinkedData>;

const MAX_CHARS = 500_000;
const MAX_OBJECTS = 2000;
const MAX_AUTHORS = 10;
const MAX_LEVELS = 4;

const TEXTS =
  /(?:Article|BlogPosting|NewsArticle|Posting|Report|WebPage|QAPage|Recipe|Product|Course|Review|HowTo|Event|VideoObject|TechArticle|Question)$/;

export type LinkedDataObject = Readonly<Record<string, unknown>>;

export function readLinkedData(scripts: readonly string[], isOwn: (value: string) => boolean = () => true) {
  const things: LinkedDataObject[] = [];
  for (const value of parseLinkedData(scripts)) collectObjects(value, things);
  const types = new Set(things.flatMap(typesOf));
  const main = withEntity(findMain(things, types, isOwn));
  const site = things.find((thing) => typesOf(thing).includes('WebSite'));
  if (!main) return { types, ...some('site', text(site?.name)) };
  return {
    types,
    ...some('title', text(main.headline) ?? text(main.name)),
    ...authorsOf(main, things, text(site?.name)),
    ...some('published', time(main.datePublished) ?? uploadedAt(main, isOwn) ?? time(main.dateCreated)),
    ...some('description', text(main.description)),
    ...some('site', text(site?.name) ?? people(main.publisher, things)),
  };
}

/** Finds the JSON-LD object that describes the page. Further articles may be teasers of other pages. */
function findMain(
  things: readonly LinkedDataObject[],
  types: ReadonlySet<string>,
  isOwn: (value: string) => boolean,
): LinkedDataObject | undefined {
  const named = (thing: LinkedDataObject) => [thing.headline, thing.name].flatMap((one) => text(one) ?? []);
  const isOfPage = (thing: LinkedDataObject) => [...addressesOf(thing), ...named(thing)].some(isOwn);
  const articles = things.filter((thing) =>
    typesOf(thing).some((type) => /Article|Posting|Report$/.test(type)),
  );
  const [first] = articles;
  const own = articles.find(isOfPage);
  if (own) return own;
  const distinct = new Set(articles.map((thing) => named(thing)[0]));
  const isForeign = first !== undefined && named(first).length > 0 && addressesOf(first).length > 0;
  if (first && distinct.size === 1 && !isForeign) return first;
  return things.find((thing) =>
    typesOf(thing).some(
      (type) => TEXTS.test(type) && !articles.includes(thing) && !(type === 'Review' && types.has('Product')),
    ),
  );
}

/** Adds the text of a page without an author, for example the question of a `QAPage`, but not a book under review. */
function withEntity(page: LinkedDataObject | undefined): LinkedDataObject | undefined {
  const [entity] = [page?.mainEntity].flat();
  if (!page || page.author !== undefined || typeof entity !== 'object' || entity === null) return page;
  const text = typesOf(page).includes('QAPage')
    ? /(?:Article|Posting|Report|^Question)$/
    : /(?:Article|Posting|Report)$/;
  return typesOf(entity as LinkedDataObject).some((type) => text.test(type)) ? { ...page, ...entity } : page;
}

/** Returns the upload date if the video is the page's topic. Dates of other videos do not count. */
function uploadedAt({ uploadDate, name }: LinkedDataObject, isOwn: (value: string) => boolean) {
  return isOwn(text(name) ?? '') ? time(uploadDate) : undefined;
}

function addressesOf(thing: LinkedDataObject): string[] {
  const page = thing.mainEntityOfPage;
  const inner = typeof page === 'object' && page !== null ? (page as LinkedDataObject)['@id'] : page;
  return [thing.url, inner, thing['@id']].filter(
    (one) => typeof one === 'string' && /^(?:https?:\/\/|\/)/.test(one),
  ) as string[];
}

export function parseLinkedData(scripts: readonly string[]): unknown[] {
  let left = MAX_CHARS;
  const values: unknown[] = [];
  for (const script of scripts) {
    left -= script.length;
    if (left < 0) break;
    values.push(parseLenientJson(script));
  }
  return values;
}

function some<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  return (value ? { [key]: value } : {}) as Partial<Record<K, string>>;
}

/** Start of a comment or CDATA section around JSON. The HTML parser changes `<![CDATA[` to `<?[CDATA[`. */
const OPENING = /^(?:<!--|<[!?]\[CDATA\[|\/\*[^*]{0,40}\*\/|\/\/(?:<[!?]\[CDATA\[|[^\n]{0,40}\n))/;
const CLOSING = /(?:(?:\/\/\s*)?(?:-->|\]\]>)|\/\*[^*]{0,40}\*\/|;|\/\/)$/;

/** Parses JSON with comments around it, raw line breaks in strings, trailing commas or a final semicolon. */
export function parseLenientJson(script: string): unknown {
  let json = script.trim();
  for (let before = ''; before !== json; ) {
    before = json;
    json = json.replace(OPENING, '').replace(CLOSING, '').trim();
  }
  const flat = json.replace(/[\n\r\t]+/g, ' ');
  for (const text of [json, flat, flat.replace(/, *(?=[}\]])/g, '')]) {
    try {
      return JSON.parse(text);
    } catch {}
  }
  return undefined;
}

export function collectObjects(value: unknown, things: LinkedDataObject[]): void {
  const waiting = [value];
  for (let at = waiting.pop(); waiting.length > 0 || at !== undefined; at = waiting.pop()) {
    if (things.length >= MAX_OBJECTS) return;
    if (Array.isArray(at)) {
      // Pushes in reverse order, because the stack returns the last element first.
      for (let i = Math.min(at.length, MAX_OBJECTS) - 1; i >= 0; i--) waiting.push(at[i]);
    } else if (typeof at === 'object' && at !== null) {
      const thing = at as LinkedDataObject;
      things.push(thing);
      for (const key of ['mainEntity', 'mainEntityOfPage', '@graph'])
        if (thing[key]) waiting.push(thing[key]);
    }
  }
}

export function typesOf(thing: LinkedDataObject): string[] {
  const type = thing['@type'];
  const list = Array.isArray(type) ? type : [type];
  return list.filter((one) => typeof one === 'string').map((one) => one.replace(/^.*[/#:]/, ''));
}

function time(value: unknown): string | undefined {
  return text(typeof value === 'number' ? String(value) : value);
}

function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const plain = value
    .replace(/&amp;/g, '&')
    .replace(/&quot;|&#34;/g, '"')
    .replace(/&#0?39;|&#x27;|&rsquo;|&#8217;/g, '’')
    .replace(/\s+/g, ' ')
    .trim();
  return plain || undefined;
}

function authorsOf(main: LinkedDataObject, things: readonly LinkedDataObject[], site: string | undefined) {
  const given = main.author ?? main.creator;
  const list = [given].flat(MAX_LEVELS).slice(0, MAX_AUTHORS);
  const publisher = people(main.publisher, things);
  const isPerson = (one: unknown) => {
    const name = people(one, things);
    return name !== undefined && name !== site && name !== publisher && !isOrganization(one, things);
  };
  const persons = list.filter(isPerson);
  const author = people(persons.length > 0 ? persons : list, things);
  return author === undefined ? {} : { author, isOrganization: persons.length === 0 };
}

function isOrganization(value: unknown, things: readonly LinkedDataObject[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const thing = value as LinkedDataObject;
  const found = thing['@type'] === undefined ? (referenced(thing, things) ?? thing) : thing;
  return typesOf(found).some((type) => /Organization$|^(?:WebSite|Corporation|Brand)$/.test(type));
}

function referenced({ '@id': id }: LinkedDataObject, things: readonly LinkedDataObject[]) {
  return id === undefined
    ? undefined
    : things.find((thing) => thing['@id'] === id && thing.name !== undefined);
}

function nameInParts({ givenName, additionalName, familyName }: LinkedDataObject): string {
  return [givenName, additionalName, familyName].flatMap((part) => text(part) ?? []).join(' ');
}

function people(value: unknown, things: readonly LinkedDataObject[]): string | undefined {
  const list = [value].flat(MAX_LEVELS).slice(0, MAX_AUTHORS);
  const names = list.flatMap((one): (string | undefined)[] => {
    if (typeof one !== 'object' || one === null) return [text(one)];
    const person = one as LinkedDataObject;
    const name = person.name ?? referenced(person, things)?.name ?? nameInParts(person);
    return (Array.isArray(name) ? name.slice(0, MAX_AUTHORS) : [name]).map((part) =>
      text(typeof part === 'object' && part !== null ? (part as LinkedDataObject).name : part),
    );
  });
  const known = [...new Set(names.filter((name) => name !== undefined))];
  return known.length > 0 ? known.join(', ') : undefined;
}
