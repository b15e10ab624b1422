import { html } from 'hono/html';
import type { Html } from '../../app/page.ts';
import { sentence } from '../../app/parts.ts';

/** An error as a person reads it: a sentence, what to do, and the reasons. */

interface Problem {
  readonly what: string;
  readonly advice: readonly string[];
  readonly reasons: readonly string[];
}

/** Parses `what: reason; reason`, then one line of advice each. A message of one line is one sentence. */
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

export function problemBody({ what, advice, reasons }: Problem): Html {
  return html`<p><b>${what}</b></p>${listed(advice)}${reasons.length > 0 ? html`<details><summary>Reasons</summary>${listed(reasons)}</details>` : ''}`;
}

export function listed(lines: readonly string[]): Html | string {
  return lines.length > 0 ? html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>` : '';
}

export function alertBox(message: string): Html {
  const problem = readProblem(message);
  if (problem.advice.length === 0) return html`<p class="alert" role="alert">${problem.what}</p>`;
  return html`<div class="alert" role="alert">${problemBody(problem)}</div>`;
}
