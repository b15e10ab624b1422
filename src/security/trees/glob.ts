import type { Meter } from '../scans/effort.ts';

/** Most characters of a pattern, and of its parts between slashes. */
const MAX_PATTERN_CHARACTERS = 500;
const MAX_PARTS = 50;

/**
 * Whether a path fits a pattern: `*` and `?` stand for anything within a part, `**` for any number of parts. A
 * pattern without a slash fits at any depth, as in .gitignore; one that ends with a slash, all below. In time of
 * pattern times path, whatever they hold: both come from the repository that is scanned.
 */
export function fitsGlob(pattern: string, path: string, meter: Meter = { steps: 0 }): boolean {
  if (pattern === '' || pattern.length > MAX_PATTERN_CHARACTERS) return false;
  const anchored = pattern.replace(/^\.?\//, '');
  const whole = anchored.endsWith('/') ? `${anchored}**` : anchored;
  const wanted = (whole.includes('/') ? whole : `**/${whole}`).split('/');
  return wanted.length <= MAX_PARTS && fitsParts(wanted, path.split('/'), meter);
}

/** Row by row: whether the parts up to here fit the first so many parts of the pattern. */
function fitsParts(wanted: readonly string[], parts: readonly string[], meter: Meter): boolean {
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

/** `*` and `?` in one part: on a mismatch only the last star is tried one further. `meter` counts what it takes. */
export function fitsPart(want: string, text: string, meter: Meter = { steps: 0 }): boolean {
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
