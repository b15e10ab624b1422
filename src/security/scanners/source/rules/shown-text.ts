import type { TextCondition } from '../rule.ts';

export const HTML_TEXT: TextCondition = { is: /<[a-z][\w-]{0,20}[\s/>]/i, written: /<[a-z]/i };

/** Matches the name of a Spring view, such as `redirect:..`, that redirects to a URL with an unknown host. */
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
