import { html } from 'hono/html';
import type { Html } from '../../app/page.ts';
import { sentence } from '../../app/parts.ts';

/** What went wrong, so that a person sees at once what to do: a sentence, what to do, and the reasons for who wants them. */

interface Problem {
  /** A sentence. */
  readonly what: string;
  readonly advice: readonly string[];
  readonly reasons: readonly string[];
}

/** An error's message: `what: reason; reason`, and a line for each thing to do. One of a single line is a sentence as it is. */
export function readProblem(message: string): Problem {
  const [first = '', ...advice] = message.split('\n').filter((line) => line.trim());
  const at = first.indexOf(': ');
  if (advice.length === 0 || at < 0) return { what: sentence(first), advice, reasons: [] };
  const reasons = first
    .slice(at + 2)
    .replace(/\.$/, '')
    .split('; ');
  return { what: sentence(first.slice(0, at)), advice, reasons };
}

/** A problem as the content of a box. */
export function problemBody({ what, advice, reasons }: Problem): Html {
  return html`<p><b>${what}</b></p>${listed(advice)}${reasons.length > 0 ? html`<details><summary>Reasons</summary>${listed(reasons)}</details>` : ''}`;
}

export function listed(lines: readonly string[]): Html | string {
  return lines.length > 0 ? html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>` : '';
}

/** What the reader of a page must see first. */
export function alertBox(message: string): Html {
  const problem = readProblem(message);
  if (problem.advice.length === 0) return html`<p class="alert" role="alert">${problem.what}</p>`;
  return html`<div class="alert" role="alert">${problemBody(problem)}</div>`;
}
