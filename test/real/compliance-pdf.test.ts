import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assessControls } from '../../src/compliance/assessing/assess.ts';
import { CATALOGUES } from '../../src/compliance/catalogues/list.ts';
import { writePdfReport } from '../../src/compliance/reports/pdf.ts';
import { AT, evidence, finding } from '../helpers/compliance.ts';
import { complianceScan } from '../helpers/compliance-scan.ts';
import { temporaryFolder } from '../helpers/magpie.ts';

/** The pages of a report as pictures, by Poppler: .ci/run installs it and names its program in MAGPIE_TEST_PDFTOPPM. */

const program = process.env.MAGPIE_TEST_PDFTOPPM ?? '';
const folder = temporaryFolder();
/** Dots an inch, and dots of the outermost margin that stays white. */
const [DENSITY, MARGIN] = [36, 12];
let pages: Picture[];

interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each dot. */
  readonly dots: Buffer;
}

beforeAll(async () => {
  const standards = await assessControls(
    CATALOGUES.filter(({ id }) => ['owasp-top-10-2025', 'openssf-scorecard', 'iso-27001'].includes(id)),
    evidence([
      finding('source/sql-injection', { severity: 'critical', location: `${'deep/'.repeat(80)}app.js:1` }),
      finding('secrets/password', { title: 'x'.repeat(3000) }),
    ]),
  );
  const assessment = { id: 'c'.repeat(24), createdAt: AT, version: '1', ...evidence(), standards };
  const file = join(folder.path, 'report.pdf');
  writeFileSync(file, await writePdfReport({ assessment, key: 'f'.repeat(64) }));
  pages = drawn(file, folder.path);
});
afterAll(() => folder.remove());

/** The pages of a file, drawn into a folder. */
function drawn(file: string, into: string): Picture[] {
  execFileSync(program, ['-r', String(DENSITY), file, join(into, 'page')], { timeout: 60_000 });
  return readdirSync(into)
    .filter((name) => name.endsWith('.ppm'))
    .sort()
    .map((name) => pictureOf(readFileSync(join(into, name))));
}

/** A PPM file: `P6 width height 255` and a dot's three bytes each. */
function pictureOf(file: Buffer): Picture {
  const [head = '', width, height] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', 0, 50)) ?? [];
  return { width: Number(width), height: Number(height), dots: file.subarray(head.length) };
}

/** Dots of a page that are not white, and those of them in its margin. */
function inkOf({ width, height, dots }: Picture): { ink: number; margin: number } {
  let [ink, margin] = [0, 0];
  for (let at = 0; at < width * height; at++) {
    if ((dots[at * 3] ?? 255) > 240 && (dots[at * 3 + 1] ?? 255) > 240 && (dots[at * 3 + 2] ?? 255) > 240)
      continue;
    ink++;
    const [x, y] = [at % width, Math.floor(at / width)];
    if (x < MARGIN || y < MARGIN || x >= width - MARGIN || y >= height - MARGIN) margin++;
  }
  return { ink, margin };
}

test('every page is A4, contains words, and has no content beyond its edge', () => {
  expect(pages.length).toBeGreaterThan(5);
  for (const page of pages) {
    expect(page.width / page.height).toBeCloseTo(210 / 297, 2);
    const { ink, margin } = inkOf(page);
    expect(ink).toBeGreaterThan(100);
    expect(margin).toBe(0);
  }
});

test('the page after the contents shows the charts in their colours', () => {
  const [, first] = pages;
  const seen = { passed: 0, failed: 0, open: 0 };
  for (let at = 0; at < (first?.dots.length ?? 0); at += 3) {
    const [red = 0, green = 0, blue = 0] = first?.dots.subarray(at, at + 3) ?? [];
    if (green > red + 60 && green > blue) seen.passed++;
    if (red > green + 90 && red > blue + 90) seen.failed++;
    if (red > 120 && blue > red + 60 && blue > green + 50) seen.open++;
  }
  expect(seen.passed).toBeGreaterThan(50);
  expect(seen.failed).toBeGreaterThan(50);
  expect(seen.open).toBeGreaterThan(50);
});

test('every standard has a report of a real scan with pages that can be rendered [compliance.forms]', async () => {
  const scan = await complianceScan();
  try {
    for (const { id } of CATALOGUES) {
      const into = join(folder.path, id);
      mkdirSync(into);
      const report = await scan.report(await scan.check(id), 'pdf');
      const file = join(into, 'report.pdf');
      writeFileSync(file, Buffer.from(await report.arrayBuffer()));
      const inks = drawn(file, into).map(inkOf);
      expect([id, inks.filter(({ ink, margin }) => ink < 100 || margin > 0)]).toEqual([id, []]);
      expect(inks.length).toBeGreaterThan(1);
    }
  } finally {
    await scan.close();
  }
});
