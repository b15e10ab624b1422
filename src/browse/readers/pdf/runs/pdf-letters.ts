import { median, sameLine } from '../pdf-segments.ts';
import type { PdfRun } from './pdf-run.ts';

const BULLET_LETTER = /^[lnuqvoØü]$/;
const MIN_BULLETS = 2;
/** Minimum and maximum gap between a bullet and its text, in font sizes. */
const BULLET_GAP_SIZES = [0.5, 4] as const;
const DROP_CAP_SIZES = 1.8;
const MAX_CAPS = 20;

export function mendRuns(all: readonly PdfRun[]): PdfRun[] {
  const lines: PdfRun[][] = [];
  for (const run of withoutDropCaps(all)) {
    const line = lines.at(-1);
    if (line?.[0] && sameLine(line[0], run)) line.push(run);
    else lines.push([run]);
  }
  for (const line of lines) {
    if (line.some(({ x }, index) => x < (line[index - 1]?.x ?? x)))
      line.sort((one, other) => one.x - other.x);
  }
  const fonts = bulletFonts(lines);
  for (const line of lines) {
    const [first, next] = line.filter(({ text }) => text.trim());
    if (first && next && fonts.has(first.font) && isBullet(first, next))
      line[line.indexOf(first)] = { ...first, text: '•' };
  }
  return lines.flat();
}

function withoutDropCaps(runs: readonly PdfRun[]): readonly PdfRun[] {
  const usual = median(runs.map(({ size }) => size));
  const caps = runs.filter(({ size, text }) => size > DROP_CAP_SIZES * usual && /^\s*\p{Lu}\s*$/u.test(text));
  return caps.slice(0, MAX_CAPS).reduce((all, cap) => {
    const [first] = all
      .filter((one) => isDropCap(cap, one))
      .sort((one, other) => other.y - one.y || one.x - other.x);
    if (!first) return all;
    const whole = { ...first, text: cap.text.trim() + first.text.trimStart() };
    return all.flatMap((one) => (one === cap ? [] : one === first ? [whole] : [one]));
  }, runs);
}

function isDropCap(cap: PdfRun, text: PdfRun): boolean {
  const gap = (text.x - cap.x - cap.width) / text.size;
  const isLarger = cap.size > DROP_CAP_SIZES * text.size && text.y > cap.y && text.y < cap.y + cap.size;
  return isLarger && Math.abs(gap) < 1 && /^\s*[\p{L}’']/u.test(text.text);
}

function bulletFonts(lines: readonly (readonly PdfRun[])[]): ReadonlySet<string | undefined> {
  const texts = Map.groupBy(
    lines.flatMap((line) => line.filter(({ text }) => text.trim())),
    ({ font }) => font,
  );
  const bullets = lines.flatMap((line) => {
    const [first, next] = line.filter(({ text }) => text.trim());
    return first && next && isBullet(first, next) ? [first] : [];
  });
  const fonts = new Set<string | undefined>();
  for (const [font, all] of Map.groupBy(bullets, (one) => one.font)) {
    const isAll = all.length === texts.get(font)?.length && all.every(({ text }) => text === all[0]?.text);
    if (isAll && all.length >= MIN_BULLETS) fonts.add(font);
  }
  return fonts;
}

function isBullet(first: PdfRun, next: PdfRun): boolean {
  const gap = (next.x - first.x - first.width) / next.size;
  const [least, most] = BULLET_GAP_SIZES;
  return BULLET_LETTER.test(first.text) && first.font !== next.font && gap > least && gap < most;
}
