import { asObject, asTrimmedText, type ImportFields, toListOrEmpty } from '../importing/import-values.ts';

export type FoundRecord =
  /** `list` is the name of the record's list. It is set if the file has several lists. */
  | { readonly record: ImportFields; readonly list?: string }
  | { readonly problem: string }
  | { readonly skipped: string; readonly count: number };

/** Joplin's numbers for kinds of items, with Standard Notes' names for the same kinds. */
const KINDS: Readonly<Record<string, string>> = { 1: 'Note', 2: 'Tag', 4: 'File', 5: 'Tag', 6: 'Link' };

/**
 * Returns the notes of a Joplin or Standard Notes export. Tags and folders are separate items in the export.
 * They become tags of the notes to which they are linked. Records of other programs stay as they are.
 */
export function tagLinkedNotes(items: readonly ImportFields[]): FoundRecord[] {
  const links = Map.groupBy(items.flatMap(linksOf), ([from]) => from);
  const isTag = (item: ImportFields) => kindOf(item) === 'Tag';
  const names = new Map(items.filter(isTag).map((item) => [idOf(item), titleOf(item)]));
  return items.flatMap((item): FoundRecord[] => {
    const kind = kindOf(item);
    if (kind === undefined) return [{ record: item }];
    if (kind === 'Tag' || kind === 'Link') return [];
    if (kind !== 'Note')
      return [
        {
          skipped: kind === 'File' ? 'an attachment' : 'an item that is not a note, such as a setting',
          count: 1,
        },
      ];
    const found = new Set([idOf(item)]);
    // The loop also visits ids that are added meanwhile, so the folders around a folder become tags too.
    for (const one of found) for (const [, to] of links.get(one) ?? []) if (names.has(to)) found.add(to);
    return [{ record: { ...item, tags: [...found].flatMap((one) => names.get(one) ?? []) } }];
  });
}

function linksOf(item: ImportFields): (readonly [from: unknown, to: unknown])[] {
  const references = toListOrEmpty(asObject(item.content).references).map(asObject);
  return [
    [idOf(item), item.parent_id],
    [item.note_id, item.tag_id],
    ...references.map(({ uuid, content_type: kind }) =>
      kind === 'Tag' ? ([idOf(item), uuid] as const) : ([uuid, idOf(item)] as const),
    ),
  ];
}

const idOf = ({ id, uuid = id }: ImportFields): unknown => uuid;

function titleOf({ content, title }: ImportFields): string | undefined {
  return asTrimmedText(asObject(content).title ?? title);
}

function kindOf({ content_type: kind, type_: number }: ImportFields): string | undefined {
  return asTrimmedText(kind) ?? (number === undefined ? undefined : (KINDS[String(number)] ?? 'Other'));
}

/** Parses a Joplin item: title and text, then lines `name: value`. Returns undefined for any other file. */
export function parseJoplinItem(file: string): ImportFields | undefined {
  const whole = file.replaceAll('\r\n', '\n').trimEnd();
  const start = whole.lastIndexOf('\n\n');
  const meta = whole
    .slice(start + 1)
    .trim()
    .split('\n');
  const pairs = meta.flatMap((line) => {
    const [, name, value = ''] = /^([a-z_]{1,40}):(?: (.*))?$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value] as const];
  });
  if (pairs.length < meta.length || !pairs.some(([name]) => name === 'type_')) return undefined;
  const [title = '', ...lines] = whole.slice(0, Math.max(start, 0)).split('\n');
  const isSet = ([, value]: readonly [string, string]) => value !== '' && Number(value) !== 0;
  const facts: ImportFields = Object.fromEntries(pairs.filter(isSet));
  const field = facts.markup_language === '2' ? 'html' : 'content';
  return { title, [field]: lines.join('\n').trim(), ...facts };
}
