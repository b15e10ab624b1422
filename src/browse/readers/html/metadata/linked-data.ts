export interface LinkedDataFacts {
  readonly types: ReadonlySet<string>;
  readonly title?: string;
  readonly author?: string;
  readonly published?: string;
  readonly description?: string;
  readonly site?: string;
}

const MAX_CHARS = 500_000;
const MAX_OBJECTS = 2000;

/** Schema.org types that describe the page's own text. Other types describe things shown on the page. */
const TEXTS =
  /(?:Article|BlogPosting|NewsArticle|Posting|Report|WebPage|QAPage|Recipe|Product|Course|Review|HowTo|Event|VideoObject|TechArticle|Question)$/;

export type DataObject = Readonly<Record<string, unknown>>;

export function readLinkedData(scripts: readonly string[]): LinkedDataFacts {
  const things: DataObject[] = [];
  for (const value of parseLinkedData(scripts)) collectObjects(value, things);
  const types = new Set(things.flatMap(typesOf));
  const main =
    things.find((thing) => typesOf(thing).some((type) => /Article|Posting|Report$/.test(type))) ??
    things.find((thing) => typesOf(thing).some((type) => TEXTS.test(type)));
  const site = things.find((thing) => typesOf(thing).includes('WebSite'));
  if (!main) return { types, ...some('site', text(site?.name)) };
  return {
    types,
    ...some('title', text(main.headline) ?? text(main.name)),
    ...some('author', people(main.author ?? main.creator, things)),
    ...some('published', text(main.datePublished) ?? text(main.dateCreated)),
    ...some('description', text(main.description)),
    ...some('site', text(site?.name) ?? people(main.publisher, things)),
  };
}

/** Parses the scripts in order until `MAX_CHARS` is used up. The value of a script that is not JSON is undefined. */
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

/** Parses JSON as pages write it: inside comments, with raw line breaks in strings, or with a semicolon at the end. */
export function parseLenientJson(script: string): unknown {
  const json = script
    .replace(/^\s*(?:<!--|\/\*.{0,40}\*\/|\/\/.{0,40}\n|<!\[CDATA\[)/, '')
    .replace(/(?:-->|\]\]>|;|\/\/)\s*$/, '');
  for (const text of [json, json.replace(/[\n\r\t]+/g, ' ')]) {
    try {
      return JSON.parse(text);
    } catch {}
  }
  return undefined;
}

/** Appends all objects of a JSON-LD value to `things`, each parent before its children. */
export function collectObjects(value: unknown, things: DataObject[]): void {
  const waiting = [value];
  for (let at = waiting.pop(); waiting.length > 0 || at !== undefined; at = waiting.pop()) {
    if (things.length >= MAX_OBJECTS) return;
    if (Array.isArray(at)) {
      // Pushes elements in reverse order, so that the stack returns the first element first.
      for (let i = Math.min(at.length, MAX_OBJECTS) - 1; i >= 0; i--) waiting.push(at[i]);
    } else if (typeof at === 'object' && at !== null) {
      const thing = at as DataObject;
      things.push(thing);
      for (const key of ['mainEntity', 'mainEntityOfPage', '@graph'])
        if (thing[key]) waiting.push(thing[key]);
    }
  }
}

export function typesOf(thing: DataObject): string[] {
  const type = thing['@type'];
  const list = Array.isArray(type) ? type : [type];
  return list.filter((one) => typeof one === 'string').map((one) => one.replace(/^.*[/#:]/, ''));
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

/** Returns names of people or organisations, which the page gives as text, objects, references (`@id`) or a list. */
function people(value: unknown, things: readonly DataObject[]): string | undefined {
  const list = (Array.isArray(value) ? value : [value]).slice(0, 10);
  const names = list.map((one) => {
    if (typeof one !== 'object' || one === null) return text(one);
    const { name, '@id': id } = one as DataObject;
    if (name !== undefined) return text(Array.isArray(name) ? name[0] : name);
    return text(things.find((thing) => thing['@id'] === id && thing.name !== undefined)?.name);
  });
  const known = [...new Set(names.filter((name) => name !== undefined))];
  return known.length > 0 ? known.join(', ') : undefined;
}
