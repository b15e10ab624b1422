import tables from './tex-symbols.json' with { type: 'json' };

/** Lists of pairs, each of a mathematical sign, MathML name or code point and a TeX command. `functions` is a list of commands. */
const TABLES: Readonly<Record<string, string>> = tables;

const pairs = (name: string): ReadonlyMap<string, string> =>
  new Map(
    TABLES[name]
      ?.split(' ')
      .map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]),
  );

export const TEX_SYMBOLS: ReadonlyMap<string, string> = new Map(
  ['greek', 'large', 'signs'].flatMap((name) => [...pairs(name)]),
);

/** Signs whose limits are drawn above and below the sign, such as sums. */
export const LARGE_OPERATORS: ReadonlySet<string> = new Set(pairs('large').keys());

/** Signs that TeX writes as another sign. Invisible signs become ''. */
export const SIGN_REPLACEMENTS = pairs('replacements');
export const TEX_FUNCTIONS: ReadonlySet<string> = new Set(TABLES.functions?.split(' '));
export const COMMANDS_ABOVE = pairs('above');
export const COMMANDS_BELOW = pairs('below');
export const STYLE_COMMANDS = pairs('styles');

/** Last code point of a Unicode block, and the TeX command for its letters. */
export const STYLED_LETTER_BLOCKS: readonly (readonly [until: number, command: string])[] = [
  ...pairs('blocks'),
].map(([until, command]) => [Number.parseInt(until, 16), command]);

/** Styled letters that are not in the mathematical Unicode blocks but in an older block. */
export const LETTERLIKE_COMMANDS = pairs('letterlike');
