import type { StepCounter } from '../scans/step-budget.ts';

const MAX_PATTERN_CHARACTERS = 500;
const MAX_PARTS = 50;

/** True if the pattern matches the path. Supports `*`, `?`, `**` and a final slash, as .gitignore does. */
export function fitsGlob(pattern: string, path: string, meter: StepCounter = { steps: 0 }): boolean {
  if (pattern === '' || pattern.length > MAX_PATTERN_CHARACTERS) return false;
  const anchored = pattern.replace(/^\.?\//, '');
  const whole = anchored.endsWith('/') ? `${anchored}**` : anchored;
  const wanted = (whole.includes('/') ? whole : `**/${whole}`).split('/');
  return wanted.length <= MAX_PARTS && fitsParts(wanted, path.split('/'), meter);
}

/** Compares part by part. `row[n]` is true if the path's parts so far match the first `n` pattern parts. */
function fitsParts(wanted: readonly string[], parts: readonly string[], meter: StepCounter): boolean {
  let row = [true, ...wanted.map((_, at) => wanted.slice(0, at + 1).every((part) => part === '**'))];
  for (const part of parts) {
    const next = [false];
    wanted.forEach((want, at) => {
      const fits = want === '**' ? row[at + 1] || next[at] : row[at] && fitsPart(want, part, meter);
      next.push(fits === true);
    });
    meter.steps += wanted.length;
    row = next;
  }
  return row.at(-1) === true;
}

export function fitsPart(want: string, text: string, meter: StepCounter = { steps: 0 }): boolean {
  let [w, t, star, mark] = [0, 0, -1, 0];
  while (t < text.length) {
    meter.steps++;
    if (want[w] === '*') [star, mark, w] = [w, t, w + 1];
    else if (w < want.length && (want[w] === '?' || want[w] === text[t])) [w, t] = [w + 1, t + 1];
    else if (star >= 0) [w, mark, t] = [star + 1, mark + 1, mark + 1];
    else return false;
  }
  while (want[w] === '*') w++;
  return w === want.length;
}
