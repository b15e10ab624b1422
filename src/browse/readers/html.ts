import { countWords } from '../../lib/text/text.ts';
import type { PageMetadata } from '../reading/page.ts';
import { findDatelineDate } from '../reducing/dateline.ts';
import { ContentRunSelector, isCertainArticle, type TextRunJudge } from './html/content/choose-runs.ts';
import { judgeRuns } from './html/content/model.ts';
import { replaceMath } from './html/formulas/math.ts';
import { dropAdjacentDuplicates, separateAdjacentWords } from './html/main-content/adjacent-text.ts';
import { rememberAnswerAuthors, writeAnswerAuthors } from './html/main-content/answers.ts';
import { dropCardButtons } from './html/main-content/card-buttons.ts';
import { chooseRoot, withIngredients } from './html/main-content/choose.ts';
import { dropOtherTexts } from './html/main-content/clean.ts';
import { countText } from './html/main-content/count-text.ts';
import { dropEmptyParts } from './html/main-content/empty-parts.ts';
import { dropBoilerplate, dropVoteCountHeadings } from './html/main-content/leftovers.ts';
import { findMainText } from './html/main-content/main-text.ts';
import { dropNotices } from './html/main-content/notices.ts';
import { rememberOverlayLinks } from './html/main-content/overlay-links.ts';
import { confirmByMetadata, isArticle, isDiscussion, isProduct } from './html/main-content/page-kind.ts';
import { insertButtonQuestions, rememberQuestions } from './html/main-content/question-buttons.ts';
import { hasManyReviews, lacksReviews } from './html/main-content/reviews.ts';
import { putTabLabels, rememberTabLabels } from './html/main-content/tab-labels.ts';
import { placeCodeBoxes } from './html/markdown/code-boxes.ts';
import { writeMarkdown } from './html/markdown/markdown.ts';
import { moveCaptionsIntoPictures } from './html/markdown/pictures.ts';
import { restoreQuotedWords } from './html/markdown/quotes.ts';
import { readFacts } from './html/metadata/metadata.ts';
import { readStructured } from './html/metadata/structured.ts';
import { putFootnotes, takeFootnotes } from './html/notes/notes.ts';
import { type AddressResolver, createAddresses } from './html/parsing/addresses.ts';
import { placeFrames, placeShadowRoots } from './html/parsing/embedded.ts';
import { markEmbeds, putEmbeds } from './html/parsing/embeds.ts';
import { writeForms } from './html/parsing/forms.ts';
import { placeLineBreaks } from './html/parsing/line-breaks.ts';
import { readLinks, shortenLocalLinks } from './html/parsing/links.ts';
import { decodeMailAddresses } from './html/parsing/mail-addresses.ts';
import { clearPageCaches } from './html/parsing/page-caches.ts';
import { MAX_ELEMENTS, parsePage } from './html/parsing/parse.ts';
import { findPreloadedHtml } from './html/parsing/preloaded.ts';
import { applyRoles } from './html/parsing/roles.ts';
import { placeRubyReadings } from './html/parsing/ruby.ts';
import { placeStreamed } from './html/parsing/streamed.ts';
import { joinVerses } from './html/parsing/verses.ts';
import { buildOfficeLists } from './html/parsing/word-lists.ts';
import { readRecords } from './html/records/records.ts';
import { dropHiddenElements } from './html/visibility/drop-invisible.ts';
import { placeDrawings, placeIconTexts } from './html/visibility/icon-texts.ts';
import { isBoilerplatePart } from './html/visibility/page-parts.ts';
import { showSlides } from './html/visibility/slides.ts';

export interface HtmlPage extends PageMetadata {
  readonly title: string;
  readonly markdown: string;
}

export function readHtml(
  html: string,
  url = '',
  withData = false,
  judge: TextRunJudge = judgeRuns,
): HtmlPage {
  clearPageCaches();
  const { root: page, cut } = parsePage(html);
  placeShadowRoots(page, html);
  decodeMailAddresses(page, html);
  applyRoles(page, html);
  placeRubyReadings(page, html);
  placeCodeBoxes(page, html);
  placeLineBreaks(page, html);
  joinVerses(page, html);
  buildOfficeLists(page, html);
  const { title, titles, types, ...facts } = readFacts(page, url);
  const structured = withData ? readStructured(page, url) : undefined;
  const addresses = createAddresses(page, url);
  const named = isDiscussion(page, { title, titles, types }, url);
  shortenLocalLinks(page, addresses, [url, facts.canonical]);
  placeFrames(page, html);
  markEmbeds(page, addresses);
  replaceMath(page);
  placeStreamed(page);
  const preloaded = findPreloadedHtml(page);
  const tabs = rememberTabLabels(page);
  const questionsNoted = rememberQuestions(page);
  rememberAnswerAuthors(page);
  placeIconTexts(page);
  placeDrawings(page);
  writeForms(page, html);
  showSlides(page, html);
  dropHiddenElements(page, true);
  const repeated = withData ? readRecords(page, url) : undefined;
  const links = readLinks(page, addresses, url);
  rememberOverlayLinks(page);
  dropNotices(page, title);
  const notes = takeFootnotes(page);
  const discussion = countText(page, named);
  moveCaptionsIntoPictures(page);
  const questions = discussion && (types.has('QAPage') || types.has('Question'));
  const product = !discussion && isProduct({ title, titles, types }, url);
  const choice = withIngredients(chooseRoot(page), page, types.has('Recipe'));
  const article = !discussion && isArticle(page, choice, { title, titles, types }, url);
  dropOtherTexts(choice.root, article);
  const [prose, rootProse] = [page.prose, choice.root.prose];
  const reviews = product && hasManyReviews(page);
  const signs = { article, discussion, product, root: choice.root, types, url, prose, rootProse };
  const choosing =
    judge.everyPage || !isCertainArticle(signs) ? new ContentRunSelector(page, judge) : undefined;
  const { root: ruled, reduced } = findMainText(
    page,
    article ? confirmByMetadata(choice, { title, titles, types }) : undefined,
    { discussion, questions, product, article, titles },
  );
  const { root, changed } = choosing?.settle(ruled, signs) ?? { root: ruled, changed: false };
  putFootnotes(root, notes);
  dropBoilerplate(root);
  dropVoteCountHeadings(root);
  dropCardButtons(root);
  dropEmptyParts(root);
  dropAdjacentDuplicates(root);
  separateAdjacentWords(root);
  putEmbeds(root, isBoilerplatePart);
  putTabLabels(root, tabs);
  insertButtonQuestions(root, questionsNoted);
  restoreQuotedWords(root);
  if (discussion) writeAnswerAuthors(root);
  const unsaid = lacksReviews(reviews, root) ? REVIEWS : undefined;
  const shown = writeMarkdown(root, addresses);
  const markdown = isThin(shown) ? fuller(shown, preloaded(), addresses) : shown;
  clearPageCaches();
  return {
    title,
    markdown,
    ...(discussion || product || types.has('Event') ? facts : dated(facts, markdown)),
    ...(structured && { structured: { ...structured, ...repeated } }),
    links: links.length > 0 ? links : undefined,
    reduced: cut ? CUT : (chosenAs(reduced, changed) ?? unsaid),
  };
}

function dated(facts: PageMetadata, markdown: string): PageMetadata {
  return { ...facts, published: facts.published ?? findDatelineDate(markdown, facts.language, Date.now()) };
}

function chosenAs(reduced: string | undefined, changed: boolean): string | undefined {
  return reduced && changed ? CHOSEN : reduced;
}

const CUT = `the page has over ${MAX_ELEMENTS} elements: what comes after them is plain text`;
const REVIEWS = 'what buyers say of the thing is left out';
const CHOSEN = 'no part of the page stands out as its text: these are the parts of it that look like content';

/** A page with fewer words is replaced by text from its scripts if that has `TIMES_FULLER` times as many. */
const THIN_WORDS = 150;
const TIMES_FULLER = 3;

function isThin(markdown: string): boolean {
  return markdown.length < THIN_WORDS * 20 && countWords(markdown) < THIN_WORDS;
}

function fuller(shown: string, html: string, addresses: AddressResolver): string {
  if (html === '') return shown;
  const { root } = parsePage(html);
  dropHiddenElements(root, false);
  const said = writeMarkdown(root, addresses);
  return countWords(said) > TIMES_FULLER * Math.max(1, countWords(shown)) ? said : shown;
}
