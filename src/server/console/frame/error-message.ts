import { html } from 'hono/html';
import { type Html, toSentence } from '../../app/page.ts';

interface Problem {
  readonly what: string;
  readonly advice: readonly string[];
  readonly reasons: readonly string[];
}

/** Splits `what: reason; reason` and the lines of advice below it. A message without advice stays one sentence. */
export function parseErrorMessage(message: string): Problem {
  const [first = '', ...advice] = message.split('\n').filter((line) => line.trim());
  const at = first.indexOf(': ');
  if (advice.length === 0 || at < 0) return { what: toSentence(first), advice, reasons: [] };
  const reasons = first
    .slice(at + 2)
    .replace(/\.$/, '')
    .split('; ');
  return { what: toSentence(first.slice(0, at)), advice, reasons };
}

export function errorMessageHtml({ what, advice, reasons }: Problem): Html {
  return html`<p><b>${what}</b></p>${listHtml(advice)}${reasons.length > 0 ? html`<details><summary>Reasons</summary>${listHtml(reasons)}</details>` : ''}`;
}

export function listHtml(lines: readonly string[]): Html | string {
  return lines.length > 0 ? html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>` : '';
}

export function alertBox(message: string): Html {
  const problem = parseErrorMessage(message);
  if (problem.advice.length === 0) return html`<p class="alert" role="alert">${problem.what}</p>`;
  return html`<div class="alert" role="alert">${errorMessageHtml(problem)}</div>`;
}
