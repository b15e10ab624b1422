import signs from './boilerplate-words.json' with { type: 'json' };

const SIGNS = signs.map(({ pattern, flags }) => new RegExp(pattern, flags));
const MAX_NOTICE_CHARS = 300;

export function isBoilerplate(text: string): boolean {
  return text.length <= MAX_NOTICE_CHARS && SIGNS.some((sign) => sign.test(text));
}
