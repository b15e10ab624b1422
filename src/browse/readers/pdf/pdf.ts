import { fileURLToPath } from 'node:url';
import { AppError } from '../../../errors.ts';
import { minOf } from '../../../lib/long-lists.ts';
import { withoutInvisible } from '../../../lib/text/invisible.ts';
import { processorTime } from '../../../lib/workers/processor-time.ts';
import type { PageContent, PageLink } from '../../reading/page.ts';
import { brokenFile } from '../broken-file-error.ts';
import type { AttachmentReader } from '../email.ts';
import { oneLine } from '../markdown.ts';
import { type HiddenTextFinder, openHiddenTexts, type PdfHiddenFindings } from './hidden/hidden-texts.ts';
import { withoutHiddenTexts } from './hidden/visible-texts.ts';
import { textsOfItems, withSpanWords } from './hidden/worded-spans.ts';
import { MONOSPACE } from './pdf-code.ts';
import { commentLines, withoutPdfComments } from './pdf-comments.ts';
import { type FieldRun, fieldRuns, type PdfAnnotation } from './pdf-fields.ts';
import { UNREADABLE, unreadableLines, withFontMaps } from './pdf-font-maps.ts';
import { type GlyphTexts, replaceGlyphs } from './pdf-glyphs.ts';
import { mergeFieldRuns } from './pdf-labels.ts';
import { buildLines, type PdfLine } from './pdf-lines.ts';
import {
  attachmentLines,
  cleanPdfText,
  findSpacedTexts,
  joinSpacedLetters,
  linesInMargin,
  readAttached,
} from './pdf-margin.ts';
import { pdfMarkdown } from './pdf-markdown.ts';
import { markHeadings, type PdfOutline, readOutline } from './pdf-outline.ts';
import { repairPdf } from './pdf-repair.ts';
import { withRuledRows } from './pdf-ruled-tables.ts';
import { findShapes } from './pdf-rules.ts';
import { computeTextSizes } from './pdf-sizes.ts';
import { type QuarterTurns, turnOfText, turnPoint, turnRectangle, usualTurn } from './pdf-turn.ts';
import { withAccents } from './runs/pdf-accents.ts';
import { withDrawnBullets } from './runs/pdf-bullets.ts';
import { withDingbats } from './runs/pdf-dingbats.ts';
import type { PdfRun } from './runs/pdf-run.ts';

const MAX_PAGES = 2000;
/** Processor time in milliseconds after which reading stops. A thousand dense pages need less. */
const TIME_LIMIT_MS = 18_000;
const MAX_LINKS = 2000;
const MAX_ANNOTATIONS = 2000;
/** Minimum font size in points. People cannot read smaller letters, so they are skipped. */
const MIN_SIZE_POINTS = 1.5;

/** Folder of character maps (CMaps), which many East Asian files need. The path ends in a slash. */
const CMAPS = fileURLToPath(new URL('../cmaps/', import.meta.url)).replaceAll('\\', '/');

type Document = Awaited<ReturnType<typeof import('unpdf').getDocumentProxy>> & { readonly texts: GlyphTexts };
export type PdfPage = Awaited<ReturnType<Document['getPage']>>;

/** Converts a PDF to Markdown. Recognizes headings by the outline or font size. Throws AppError `unsupported`. */
export async function readPdf(
  body: Uint8Array,
  url: string,
  password?: string,
  readAttachment?: AttachmentReader,
): Promise<PageContent> {
  const { document, isCut } = await openOrMend(body, url, password);
  const hidden = await openHiddenTexts(body, password);
  try {
    const { pages, links } = await readLines(document, hidden, MAX_PAGES, TIME_LIMIT_MS);
    const { markdown, heading } = pdfMarkdown(pages);
    if (!withoutPdfComments(markdown)) throw isCut ? brokenFile(url, 'PDF') : noTextError(url, markdown);
    const left = document.numPages - pages.length;
    const reduced =
      left > 0
        ? `only the first ${pages.length} of ${document.numPages} pages were read`
        : isCut
          ? `the file is cut off or broken: ${pages.length} of its pages could be read, some of them in part`
          : undefined;
    const { title, ...facts } = await readPdfFacts(document);
    const notes = [
      reduced && `${reduced[0]?.toUpperCase()}${reduced.slice(1)}.`,
      readAttachment && (await readAttached(document, readAttachment)),
    ];
    return {
      title: title || heading,
      ...facts,
      markdown: [markdown, ...notes].filter(Boolean).join('\n\n'),
      links: links.length > 0 ? links : undefined,
      reduced,
    };
  } finally {
    hidden.close();
    await document.loadingTask.destroy();
  }
}

async function openOrMend(body: Uint8Array, url: string, password?: string) {
  try {
    return { document: await openPdf(new Uint8Array(body), url, password), isCut: false };
  } catch (thrown) {
    const cause = thrown instanceof AppError ? thrown.cause : undefined;
    const mended = cause === undefined ? undefined : repairPdf(body);
    if (mended === undefined) throw thrown;
    return { document: await openPdf(new Uint8Array(mended), url, password), isCut: true };
  }
}

/** Opens a PDF and makes `body` unusable. Throws `unsupported` for a broken PDF or a wrong password. */
export async function openPdf(body: Uint8Array, name: string, password?: string): Promise<Document> {
  const { getDocumentProxy } = await import('unpdf');
  const open = (bytes: Uint8Array, key: string | undefined) =>
    getDocumentProxy(bytes, {
      verbosity: 0,
      cMapUrl: CMAPS,
      cMapPacked: true,
      password: key,
      maxImageSize: 1,
      // With these options, styles name the fonts that the file does not contain.
      useSystemFonts: true,
      fontExtraProperties: true,
    }).then((document) => Object.assign(document, { texts }));
  const isLocked = (thrown: unknown) => (thrown as Error).name === 'PasswordException';
  const file = withFontMaps(body);
  const texts = replaceGlyphs(file);
  try {
    if (password === undefined) return await open(file, undefined);
    return await open(new Uint8Array(file), password).catch((thrown: unknown) => {
      if (!isLocked(thrown)) throw thrown;
      // PDF 1.7 with Adobe's extension level 3 requires the password as UTF-8 bytes.
      return open(file, Buffer.from(password).toString('latin1'));
    });
  } catch (cause) {
    const locked = isLocked(cause);
    if (!locked) throw brokenFile(name, 'PDF', cause);
    const key = password === undefined ? 'needs a password' : 'does not open with this password';
    // The error has no `cause`, because the PDF library's message may contain the password.
    throw new AppError('unsupported', `${name} is an encrypted PDF and ${key}`);
  }
}

function noTextError(name: string, comments: string): AppError {
  const why = comments.includes(UNREADABLE)
    ? `with ${UNREADABLE}: ask for another copy, or upload it printed as pictures`
    : 'without text, such as a scan; upload it with pdfload, which reads scans by OCR where MAGPIE_OCR=eng is set';
  return new AppError('unsupported', `${name} is a PDF ${why}`);
}

/** Reads lines for at most `ms` milliseconds of processor time, but always at least one page. */
export async function readLines(
  document: Document,
  hidden: HiddenTextFinder,
  lastPage: number,
  ms: number,
  onPage: (page: number) => void = () => {},
  from = 0,
): Promise<{ pages: PdfLine[][]; links: PageLink[]; broken: number }> {
  const pages: PdfLine[][] = [];
  const links = new Map<string, PageLink>();
  const margins = new Set<string>();
  const end = processorTime() + ms;
  const context = { links, margins, outline: await readOutline(document), texts: document.texts };
  let broken = 0;
  for (let number = from + 1; number <= Math.min(document.numPages, lastPage); number++) {
    if (processorTime() > end && pages.length > 0) break;
    const page = await document.getPage(number).catch(() => undefined);
    const lines = page && (await readOne(page, hidden.find(number), context).catch(() => undefined));
    if (!lines) broken++;
    pages.push(lines ?? []);
    page?.cleanup();
    if (number === document.numPages) pages.at(-1)?.push(...(await attachmentLines(document)));
    onPage(number);
  }
  return { pages, links: [...links.values()], broken };
}

interface PageContext {
  readonly links: Map<string, PageLink>;
  readonly margins: Set<string>;
  readonly outline: PdfOutline;
  readonly texts: GlyphTexts;
}

async function readOne(
  page: PdfPage,
  { hidden, spans }: PdfHiddenFindings,
  { links, margins, outline, texts: glyphs }: PageContext,
): Promise<PdfLine[]> {
  // Requests marks only if the page has replacement texts (ActualText), because pdf.js splits texts at marks.
  const { items, styles } = await page.getTextContent({ includeMarkedContent: spans.length > 0 });
  const texts = withSpanWords(withoutHiddenTexts(withGlyphTexts(textsOfItems(items), glyphs), hidden), spans);
  const turn = usualTurn(texts);
  const annotations = await annotationsOf(page);
  const areas = linkAreas(annotations, turn);
  const [x1 = 0, y1 = 0, x2 = 600, y2 = 842] = page.view;
  const [left, bottom, right, top] = turnRectangle(turn, [x1, y1, x2, y2]);
  const [spaced, runs]: [ReadonlySet<unknown>, PdfRun[]] = [findSpacedTexts(texts), []];
  const columns: PdfRun[] = [];
  for (const { item, size } of computeTextSizes(texts)) {
    const [, , , , atX = 0, atY = 0] = item.transform as number[];
    // Text in another direction, for example a stamp, is returned by `linesInMargin`.
    if (turnOfText(item.transform) !== turn && item.str.trim()) continue;
    const [x, y] = turnPoint(turn, atX, atY);
    const style: { fontFamily: string; fontSubstitution?: string } | undefined = styles[item.fontName];
    const signs = withDingbats(item.str, style?.fontSubstitution);
    const text = spaced.has(item) ? signs.replaceAll(' ', '') : joinSpacedLetters(cleanPdfText(signs));
    // Text that is tiny or outside the page is skipped: people cannot see it, but an assistant would.
    if (size < MIN_SIZE_POINTS || x + item.width < left || x > right || y + size < bottom || y > top)
      continue;
    // Text that runs from top to bottom is rotated, so that its columns become lines.
    if (item.dir === 'ttb') {
      columns.push({ text, x: top - y, y: x, width: item.height, size });
    } else {
      const isMono = style?.fontFamily === MONOSPACE;
      runs.push({ text, x, y, width: item.width, size, font: isMono ? MONOSPACE : item.fontName });
    }
  }
  const linked = withAccents(runs).flatMap((run) => withLinks(run, areas));
  const isSeen = ({ x, y, width, size }: FieldRun) =>
    size >= MIN_SIZE_POINTS && x <= right && x + width >= left && y <= top && y + size >= bottom;
  const fields = fieldRuns(annotations, turn).filter(isSeen);
  for (const { url, text } of areas) {
    if (url.startsWith('http') && !links.has(url) && links.size < MAX_LINKS)
      links.set(url, { url, text: oneLine(text) });
  }
  return [
    ...buildLines(columns, right, left),
    ...markHeadings(
      await linesAndTables(mergeFieldRuns(linked, fields), page, turn, [bottom, top]),
      outline.get(page.ref?.num ?? -1),
    ),
    ...linesInMargin(texts, turn, page.view, margins),
    ...unreadableLines(texts),
    ...commentLines(annotations),
  ];
}

function withGlyphTexts<Text extends { readonly str: string }>(items: readonly Text[], texts: GlyphTexts) {
  const replaced = (str: string) =>
    str.replace(/[\x80-\x9f\uec00-\uefff]/g, (sign) => texts.get(sign) ?? sign);
  return texts.size === 0 ? items : items.map((item) => ({ ...item, str: replaced(item.str) }));
}

async function linesAndTables(
  runs: readonly PdfRun[],
  page: PdfPage,
  turn: QuarterTurns,
  [bottom, top]: readonly [number, number],
): Promise<PdfLine[]> {
  const lines = buildLines(runs, top, bottom);
  // Reads shapes only if texts are side by side or indented, because it takes as long as reading the texts.
  const isSplit = lines.some(
    ({ cells, pieces }) => cells.length > 1 || pieces.some((some) => some.length > 0),
  );
  const edge = minOf(lines.map(({ left }) => left));
  const isIndented = lines.some(({ left, size }) => left - edge > 1.5 * size);
  if (!isSplit && !isIndented) return lines;
  const ruledLines = async () => {
    const { grids, bullets } = await findShapes(page, turn);
    const ruled = withRuledRows(withDrawnBullets(runs, bullets), grids, top - bottom);
    return ruled === runs ? lines : buildLines(ruled, top, bottom);
  };
  return ruledLines().catch(() => lines);
}

interface LinkArea {
  readonly url: string;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
  text: string;
}

/** Matches marks at the end of a link's words. `MARK_SIZES` is the least width of a mark in font sizes. */
const MARKS = /[,;:.!?]{1,3}\s{0,9}$/;
const MARKS_AND_BRACKETS = /[,;:.!?)\]»”]{1,4}\s{0,9}$/;
const MARK_SIZES = 0.15;

function withLinks(run: PdfRun, areas: readonly LinkArea[]): PdfRun[] {
  const middle = run.y + run.size / 3;
  const near = areas.filter(
    ({ left, right, bottom, top }) =>
      middle >= bottom && middle <= top && left < run.x + run.width && right > run.x,
  );
  if (near.length === 0 || run.text.length === 0) return [run];
  const letter = run.width / run.text.length;
  const runs: { run: PdfRun; area: LinkArea | undefined }[] = [];
  for (const { 0: word, index } of run.text.matchAll(/^\s+|\S+\s*/g)) {
    const x = run.x + index * letter;
    const center = x + (word.trimEnd().length * letter) / 2;
    const area = near.find(({ left, right }) => center >= left && center <= right);
    const last = runs.at(-1);
    if (last && last.area === area) {
      last.run = { ...last.run, text: last.run.text + word, width: x + word.length * letter - last.run.x };
    } else {
      runs.push({ run: { ...run, text: word, x, width: word.length * letter }, area });
    }
  }
  return runs.flatMap(({ run: part, area }, at) => {
    if (!area) return [part];
    const isLast = at + 1 === runs.length && area.right > run.x + run.width - MARK_SIZES * run.size;
    const isWhole = isLast || runs[at + 1]?.area?.url === area.url;
    const marks = /[([«“]/.test(part.text) ? MARKS : MARKS_AND_BRACKETS;
    const end = (!isWhole && marks.exec(part.text)?.index) || part.text.length;
    const width = end * letter;
    const [linked, rest] = [part.text.slice(0, end), part.text.slice(end)];
    area.text += linked;
    const beside = { ...part, text: rest, x: part.x + width, width: part.width - width };
    return [{ ...part, text: linked, width, url: area.url }, ...(rest ? [beside] : [])];
  });
}

async function annotationsOf(page: PdfPage): Promise<readonly PdfAnnotation[]> {
  const annotations: readonly PdfAnnotation[] = await page.getAnnotations().catch(() => []);
  return annotations.slice(0, MAX_ANNOTATIONS);
}

function linkAreas(annotations: readonly PdfAnnotation[], turn: QuarterTurns): LinkArea[] {
  return annotations.flatMap(({ subtype, url, rect, quadPoints }) => {
    if (subtype !== 'Link' || !url || !/^https?:|^mailto:[^\s()]{1,500}$/.test(url) || !rect) return [];
    // `quadPoints` has four corners for each line of a link. Two opposite corners are enough.
    const quads = Array.from({ length: Math.floor((quadPoints?.length ?? 0) / 8) }, (_, at) =>
      [0, 1, 6, 7].map((corner) => quadPoints?.[8 * at + corner] ?? 0),
    );
    return (quads.length > 0 ? quads : [rect]).map(([x1 = 0, y1 = 0, x2 = 0, y2 = 0]) => {
      const [left, bottom, right, top] = turnRectangle(turn, [x1, y1, x2, y2]);
      return { url, left, right, bottom, top, text: '' };
    });
  });
}

const NO_TITLE =
  /^(untitled|document\d*|microsoft \w+ - .*|.*\.(docx?|pptx?|xlsx?|indd|tex|dvi|pdf|qxd|rtf|odt))$/i;

export async function readPdfFacts(document: Document): Promise<Omit<PageContent, 'markdown'>> {
  const { info, metadata } = await document.getMetadata().catch(() => ({ info: {}, metadata: undefined }));
  const fact = (name: string, xmp: string) => {
    const value = (info as Record<string, unknown>)[name] || metadata?.get(xmp);
    const text = Array.isArray(value) ? value.join(', ') : value;
    return typeof text === 'string' ? oneLine(withoutInvisible(text)) : '';
  };
  const [title, author, date] = [
    fact('Title', 'dc:title'),
    fact('Author', 'dc:creator'),
    fact('CreationDate', 'xmp:createdate'),
  ];
  const language = fact('Language', 'dc:language');
  const [, year, month = '01', day = '01'] = /^D?:?(\d{4})-?(\d\d)?-?(\d\d)?/.exec(date) ?? [];
  return {
    title: NO_TITLE.test(title) ? '' : title,
    author: author || undefined,
    published: year ? `${year}-${month}-${day}` : undefined,
    language: language || undefined,
  };
}
