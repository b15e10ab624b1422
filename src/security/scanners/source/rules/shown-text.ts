import type { TextCondition } from '../rule.ts';

export const HTML_TEXT: TextCondition = { is: /<[a-z][\w-]{0,20}[\s/>]/i, written: /<[a-z]/i };

/** Condition for the name of a Spring view that redirects to a URL whose host is not constant. */
export const REDIRECT_TEXT: TextCondition = { is: /^redirect:\s?(?:https?:\/\/)?\0/i, written: /redirect:/i };

export const VIEW_TEXT: TextCondition = {
  is: /^(?!redirect:|forward:)[\w/.-]{0,200}\0[\w/.\0-]{0,200}$/,
  written: /\//,
};

/** Matches texts that are a CORS header (`Access-Control-Allow-Origin: ...`), which names who may read the response. */
export const ORIGIN_TEXT: TextCondition = {
  is: /^access-control-allow-origin:/i,
  written: /access-control-allow-origin:/i,
};
