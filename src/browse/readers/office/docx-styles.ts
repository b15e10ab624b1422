import { childrenOf, findByPath, type XmlElement } from '../xml.ts';

const MAX_STYLES = 5000;
const MAX_PARENTS = 20;

export interface WordStyles {
  readonly hidden: ReadonlySet<string>;
  /** Mapping rules for Mammoth: paragraph styles that are headings by the style they are based on, or by their outline level. */
  readonly headings: readonly string[];
}

export function readWordStyles(root: XmlElement | undefined): WordStyles {
  const styles = new Map(
    childrenOf(root, 'style')
      .slice(0, MAX_STYLES)
      .map((style) => [style.attributes.styleId ?? '', style] as const),
  );
  const find = <Value>(id: string, read: (style: XmlElement) => Value | undefined): Value | undefined => {
    let style = styles.get(id);
    for (let count = 0; style && count < MAX_PARENTS; count++) {
      const value = read(style);
      if (value !== undefined) return value;
      style = styles.get(findByPath(style, 'basedOn')?.attributes.val ?? '');
    }
    return undefined;
  };
  const hidden = [...styles].filter(([id]) => find(id, isVanished));
  const headings = [...styles].flatMap(([id, style]) => {
    const level = style.attributes.type === 'paragraph' ? find(id, levelOf) : undefined;
    const isNamed = headingLevel(style) !== undefined;
    return level !== undefined && level < 6 && !isNamed && /^[\w-]{1,100}$/.test(id)
      ? [`p.${id} => h${level + 1}:fresh`]
      : [];
  });
  return { hidden: new Set(hidden.map(([id]) => id)), headings };
}

function isVanished(style: XmlElement): boolean | undefined {
  const vanish = findByPath(style, 'rPr', 'vanish');
  return vanish && !/^(?:0|false|off)$/.test(vanish.attributes.val ?? '');
}

/** Returns the level of a style in the outline, from 0; 9 is body text. */
function levelOf(style: XmlElement): number | undefined {
  const level = findByPath(style, 'pPr', 'outlineLvl')?.attributes.val;
  return level === undefined ? headingLevel(style) : Number(level);
}

function headingLevel(style: XmlElement): number | undefined {
  const [, level] = /^heading ([1-9])$/i.exec(findByPath(style, 'name')?.attributes.val ?? '') ?? [];
  return level === undefined ? undefined : Number(level) - 1;
}
