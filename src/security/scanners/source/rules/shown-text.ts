import type { Visible } from '../rule.ts';

/** Text of a page: a tag in its constant parts. */
export const HTML_TEXT: Visible = { is: /<[a-z][\w-]{0,20}[\s/>]/i, written: /<[a-z]/i };

/** The name of a view that sends the reader on, to an address of which not even the host is constant. */
export const REDIRECT_TEXT: Visible = { is: /^redirect:\s?(?:https?:\/\/)?\0/i, written: /redirect:/i };

/** The name of a view that is put together. */
export const VIEW_TEXT: Visible = {
  is: /^(?!redirect:|forward:)[\w/.-]{0,200}\0[\w/.\0-]{0,200}$/,
  written: /\//,
};

/** A header that is written as one text, and says which origin may read the answer. */
export const ORIGIN_TEXT: Visible = {
  is: /^access-control-allow-origin:/i,
  written: /access-control-allow-origin:/i,
};
