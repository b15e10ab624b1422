import { readFileSync } from 'node:fs';

const read = (name: string) => readFileSync(new URL(`./styles/${name}.css`, import.meta.url), 'utf8');

export const CSS_TOKENS = read('tokens');
export const CSS_BASE = read('base');
export const CSS_STANDALONE_PAGE = read('standalone-page');
