import type { TextCondition } from '../rule.ts';

/** Matches the constant parts of SQL statements. Excludes sentences that begin with the same words. Runs in linear time. */
const STATEMENT = new RegExp(
  `(?:^|[;(\\n\\0]|\\*/)[\\s(]{0,40}(?:explain\\s(?:analyze\\s)?\\s{0,20})?(?:${[
    'select\\s(?!\\s{0,20}(?:an?|the|one|your|any|some)\\s{1,20}(?!from\\b|as\\b))[^;]{1,600}?\\sfrom\\s(?!\\s{0,20}(?:the|your|this|these|our)\\s)',
    'select\\s{1,20}[\\w.]{1,60}\\(',
    '(?:insert|replace|merge)\\s{1,20}(?:(?:ignore|overwrite|or\\s{1,20}\\w{1,20})\\s{1,20})?into\\s',
    'update\\s{1,20}\\S{1,80}(?:\\s{1,20}\\S{1,80}){0,3}?\\s{1,20}set\\s',
    'delete\\s{1,20}from\\s',
    '(?:create|alter|drop|truncate)\\s{1,20}(?:\\w{1,20}\\s{1,20}){0,3}?(?:table|view|index|database|schema)\\s',
    'call\\s{1,20}[\\w.]{1,60}\\s?\\(',
  ].join('|')})`,
  'i',
);

export const SQL_TEXT: TextCondition = {
  is: STATEMENT,
  written:
    /select|(?:insert|replace|merge)\b.{1,100}?into\b|update\b.{1,400}?set\b|delete\b.{1,40}?from\b|(?:create|alter|drop|truncate)\b.{1,100}?(?:table|view|index|database|schema)\b|call\b.{1,80}?\(/is,
};

export const HTML_TEXT: TextCondition = { is: /<[a-z][\w-]{0,20}[\s/>]/i, written: /<[a-z]/i };

/** Matches the name of a Spring view that redirects to a variable host: `redirect:` and then a value (`\0`). */
export const REDIRECT_TEXT: TextCondition = { is: /^redirect:\s?(?:https?:\/\/)?\0/i, written: /redirect:/i };

export const VIEW_TEXT: TextCondition = {
  is: /^(?!redirect:|forward:)[\w/.-]{0,200}\0[\w/.\0-]{0,200}$/,
  written: /\//,
};

/** Matches the CORS header `Access-Control-Allow-Origin`. It names the sites that may read the response. */
export const ORIGIN_TEXT: TextCondition = {
  is: /^access-control-allow-origin:/i,
  written: /access-control-allow-origin:/i,
};
