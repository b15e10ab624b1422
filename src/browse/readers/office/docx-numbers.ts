import { childrenOf, findByPath, type XmlElement } from '../xml.ts';
import { formatListNumber } from './number-labels.ts';

const LEVELS = 9;

export interface ParagraphNumbering {
  readonly numId: string;
  readonly level: number;
  /** Number that Word shows before the paragraph, for example `2.1` or `a)`. Undefined for a bullet. */
  readonly label: string | undefined;
}

export interface NumberingReader {
  countParagraph(paragraph: {
    readonly style?: string | undefined;
    readonly numId?: string | undefined;
    readonly level?: string | undefined;
  }): ParagraphNumbering | undefined;
}

interface Level {
  readonly start: number;
  readonly format: string;
  readonly text: string;
  readonly isLegal: boolean;
  /** Only the first `restart` levels restart the counter of this level. Undefined: all higher levels do. */
  readonly restart: number | undefined;
  readonly style: string | undefined;
}

interface DocxList {
  /** Id of the list's definition. Lists with the same definition share their counters. */
  readonly definition: string;
  readonly levels: ReadonlyMap<number, Level>;
  /** Levels whose counters restart when the list is used for the first time. */
  readonly restarted: readonly number[];
}

/** Counts the numbered paragraphs of a Word document as Word does (ECMA-376 part 1, 17.9). */
export function createNumbering(
  numbering: XmlElement | undefined,
  styles: XmlElement | undefined,
): NumberingReader {
  const byStyle = stylesOf(styles);
  const lists = listsOf(numbering, byStyle);
  const counters = new Map<string, (number | undefined)[]>();
  const started = new Set<string>();
  return {
    countParagraph({ style, numId: ownId, level: ownLevel }) {
      const inherited = numberingOf(byStyle, style ?? byStyle.usual);
      // If the file does not define the paragraph's list, Word uses the list of the style. 0 means no list.
      const isKnown = ownId === '0' || lists.has(ownId ?? '');
      const numId = isKnown ? ownId : inherited.numId;
      const list = lists.get(numId ?? '');
      if (!list || numId === undefined) return undefined;
      const linked = [...list.levels].find(([, one]) => style !== undefined && one.style === style)?.[0];
      const level = levelOf(ownLevel ?? (isKnown ? undefined : inherited.level) ?? linked);
      const counts = counters.get(list.definition) ?? [];
      counters.set(list.definition, counts);
      if (!started.has(numId)) {
        started.add(numId);
        for (const at of list.restarted) counts.fill(undefined, at);
      }
      advance(counts, level, list.levels);
      return { numId, level, label: labelOf(counts, level, list.levels) };
    },
  };
}

interface Style {
  readonly numId: string | undefined;
  readonly level: string | undefined;
  readonly parent: string | undefined;
}

interface Styles {
  readonly styles: ReadonlyMap<string, Style>;
  readonly usual: string | undefined;
}

function stylesOf(root: XmlElement | undefined): Styles {
  const all = childrenOf(root, 'style');
  const styles = all.map((style) => {
    const properties = findByPath(style, 'pPr');
    const value = (...path: string[]) => findByPath(properties, ...path)?.attributes.val;
    return [
      style.attributes.styleId ?? '',
      {
        numId: value('numPr', 'numId'),
        level: value('numPr', 'ilvl'),
        parent: findByPath(style, 'basedOn')?.attributes.val,
      },
    ] as const;
  });
  const usual = all.find(
    ({ attributes }) => attributes.type === 'paragraph' && /^(?:1|true)$/.test(attributes.default ?? ''),
  );
  return { styles: new Map(styles), usual: usual?.attributes.styleId };
}

function numberingOf({ styles }: Styles, id: string | undefined): Partial<Style> {
  let found: Partial<Style> = {};
  const seen = new Set<string>();
  for (let at = id; at !== undefined && !seen.has(at) && seen.size < 20; ) {
    seen.add(at);
    const style = styles.get(at);
    found = { numId: found.numId ?? style?.numId, level: found.level ?? style?.level };
    at = style?.parent;
  }
  return found;
}

function listsOf(root: XmlElement | undefined, styles: Styles): ReadonlyMap<string, DocxList> {
  const definitions = new Map(
    childrenOf(root, 'abstractNum').map((one) => [one.attributes.abstractNumId ?? '', one]),
  );
  const numbers = childrenOf(root, 'num');
  const definitionOf = (numId: string | undefined) => {
    const number = numbers.find(({ attributes }) => attributes.numId === numId);
    return findByPath(number, 'abstractNumId')?.attributes.val ?? '';
  };
  const lists = numbers.slice(0, MAX_LISTS).map((number): [string, DocxList] => {
    let id = findByPath(number, 'abstractNumId')?.attributes.val ?? '';
    const link = findByPath(definitions.get(id), 'numStyleLink')?.attributes.val;
    if (link !== undefined) id = definitionOf(styles.styles.get(link)?.numId);
    const levels = levelsOf(definitions.get(id));
    const restarted: number[] = [];
    for (const override of childrenOf(number, 'lvlOverride')) {
      const at = Number(override.attributes.ilvl);
      const start = findByPath(override, 'startOverride')?.attributes.val;
      for (const [level, own] of levelsOf(override)) levels.set(level, own);
      const level = levels.get(at);
      if (start === undefined || !level) continue;
      restarted.push(at);
      levels.set(at, { ...level, start: Number(start) });
    }
    return [number.attributes.numId ?? '', { definition: id, levels, restarted }];
  });
  return new Map(lists);
}

const MAX_LISTS = 5000;

function levelsOf(parent: XmlElement | undefined): Map<number, Level> {
  const levels = childrenOf(parent, 'lvl').map((level): [number, Level] => {
    const value = (name: string) => findByPath(level, name)?.attributes.val;
    const restart = value('lvlRestart');
    const legal = findByPath(level, 'isLgl');
    return [
      Number(level.attributes.ilvl ?? 0),
      {
        start: Number(value('start') ?? 1),
        format: value('numFmt') ?? 'decimal',
        text: value('lvlText') ?? '',
        isLegal: legal !== undefined && !/^(?:0|false)$/.test(legal.attributes.val ?? ''),
        restart: restart === undefined ? undefined : Number(restart),
        style: value('pStyle'),
      },
    ];
  });
  return new Map(levels.filter(([at]) => at >= 0 && at < LEVELS));
}

function levelOf(value: string | number = 0): number {
  const level = Number(value);
  return Number.isInteger(level) ? Math.min(Math.max(level, 0), LEVELS - 1) : 0;
}

function advance(counts: (number | undefined)[], level: number, levels: ReadonlyMap<number, Level>): void {
  for (let at = 0; at < level; at++) counts[at] ??= levels.get(at)?.start ?? 1;
  const last = counts[level];
  counts[level] = last === undefined ? (levels.get(level)?.start ?? 1) : last + 1;
  for (let at = level + 1; at < LEVELS; at++) {
    if (level < (levels.get(at)?.restart ?? LEVELS)) counts[at] = undefined;
  }
}

function labelOf(counts: readonly (number | undefined)[], level: number, levels: ReadonlyMap<number, Level>) {
  const own = levels.get(level);
  if (!own || own.format === 'bullet') return undefined;
  return own.text.slice(0, 100).replace(/%([1-9])/g, (_all, digit: string) => {
    const at = Number(digit) - 1;
    const format = own.isLegal ? 'decimal' : (levels.get(at)?.format ?? 'decimal');
    return formatListNumber(counts[at] ?? levels.get(at)?.start ?? 1, format);
  });
}
