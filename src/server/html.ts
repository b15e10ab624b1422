import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export function renderBackticksAsCode(line: string): Html {
  const pieces = line.split('`');
  const isCommand = (at: number) => at % 2 === 1 && at < pieces.length - 1;
  return html`${pieces.map((piece, at) => (isCommand(at) ? html`<code>${piece}</code>` : `${at % 2 === 1 ? '`' : ''}${piece}`))}`;
}

export function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
