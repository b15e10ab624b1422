import NAMES from './named-day-words.json' with { type: 'json' };

const YEAR = 2024;
/** The list has eves first, because `New Year's` is a part of `New Year's Eve`. */
const DAYS = Object.entries(NAMES as Readonly<Record<string, Readonly<Record<string, string>>>>)
  .flatMap(([day, names]) => Object.entries(names).map(([language, name]) => ({ day, language, name })))
  .map(({ day, language, name }): { readonly pattern: RegExp; readonly date: string } => {
    const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' });
    const edge = language === 'ja' || language === 'zh' ? '' : '\\p{L}';
    const around = edge && [`(?<!${edge})`, `(?!${edge})`];
    return {
      pattern: new RegExp(`${around[0] ?? ''}(?:${name})${around[1] ?? ''}`, 'iu'),
      date: format.format(Date.UTC(YEAR, Number(day.slice(0, 2)) - 1, Number(day.slice(3)))),
    };
  });

/** Writes the name of a day as its date: `on Valentine's day` becomes `on February 14`, or as another text. */
export function replaceNamedDays(text: string, other?: string): string {
  return DAYS.reduce((said, { pattern, date }) => said.replace(pattern, other ?? date), text);
}

/** Adds the date of a day that a text names, because other texts have only the date. */
export function addNamedDays(text: string): string {
  const { date } = DAYS.find(({ pattern }) => pattern.test(text)) ?? {};
  return date === undefined ? text : `${text} ${date}`;
}

/** Matches conditions on the words around a day's name. */
const AROUND = /\(\?(?:<=|!)(?:\([^()]*\)|[^()]){0,200}\)/g;
const ALONE = DAYS.map(({ pattern }) => new RegExp(`^(?:${pattern.source.replace(AROUND, '')})$`, 'iu'));

export const isNamedDay = (word: string): boolean => ALONE.some((pattern) => pattern.test(word));
