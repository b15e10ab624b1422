import { z } from 'zod';
import { defined } from '../../lib/defined.ts';
import { EngineError, type EngineOptions, type SearchEngine } from '../engine.ts';
import { STARTPAGE_LANGUAGES, STARTPAGE_REGIONS } from '../engine-places.ts';
import { takeCharacters } from '../excerpt.ts';
import { readHits } from '../json-answer.ts';

const SERVICE = { name: 'Startpage' } as const;
/** Characters of a question: it travels in the address. */
const MAX_QUESTION_CHARS = 400;
const SINCE = { day: 'd', week: 'w', month: 'm', year: 'y' } as const;
/** Its page is drawn by scripts from this call's argument. */
const CALL = 'React.createElement(UIStartpage.AppSerpWeb,';
/** `2 Sep 2014 ... ` or `5 days ago ... ` before the words. */
const DATED = /^\s*(\d{1,2} [A-Z][a-z]{2} \d{4}|\d{1,3} (?:hour|day)s? ago) \.\.\. /;

const page = z.object({
  render: z.object({
    presenter: z.object({
      regions: z.object({
        mainline: z.array(
          z
            .object({ display_type: z.string(), results: z.array(z.unknown()).catch([]) })
            .nullable()
            .catch(null),
        ),
      }),
    }),
  }),
});
const result = z.object({
  clickUrl: z.string(),
  title: z.string().nullish().catch(undefined),
  description: z.string().nullish().catch(undefined),
});

/**
 * Google's results by Startpage. Asked as a browser's search field asks it (`pl=opensearch`): the form of its
 * own page would need a code from a page before, this address does not.
 */
export function startpage({ baseUrl = 'https://www.startpage.com' }: EngineOptions = {}): SearchEngine {
  return {
    name: 'startpage',
    about: {
      title: 'Startpage',
      website: 'https://www.startpage.com/',
      needsKey: false,
      subjects: ['general'],
      takes: ['language', 'region', 'timeRange', 'site'],
      pace: 5000,
    },
    pauses: [403],
    refusals: { 403: 'it refuses what seems to be a robot' },
    request: ({ text, language = '', region, timeRange, site }) => {
      const tongue = STARTPAGE_LANGUAGES.get(language);
      const place = region && placeOf(region, language);
      return {
        url: `${baseUrl}/sp/search?${new URLSearchParams(
          defined({
            query: takeCharacters(`${site ? `site:${site} ` : ''}${text}`, MAX_QUESTION_CHARS),
            cat: 'web',
            pl: 'opensearch',
            ...(tongue && { language: tongue, lui: 'english' }),
            qsr: place || undefined,
            with_date: timeRange ? SINCE[timeRange] : undefined,
          }),
        )}`,
        headers: { accept: 'text/html', 'accept-language': 'en-US,en;q=0.9' },
      };
    },
    parse(body) {
      const json = argument(body);
      if (json === undefined) {
        // It redirects robots to a page of its own, whose address stands in the body either way.
        if (/\/sp\/captcha|captcha-block|id="captcha|\/[a-z]{2}\/errors\b/.test(body)) {
          throw new EngineError('captcha', 'it asks for a captcha');
        }
        throw new EngineError('changed', 'its page has no results: the markup has changed');
      }
      const parsed = page.safeParse(json);
      if (!parsed.success) throw new EngineError('changed', 'its page is not what Startpage answers');
      const { mainline } = parsed.data.render.presenter.regions;
      // Beside `web-google` there are images, videos, news and advertisements.
      const found = mainline.flatMap((box) => (box?.display_type.startsWith('web-') ? box.results : []));
      return readHits(found, result, SERVICE, ({ clickUrl, title, description }) => {
        const words = description ?? '';
        const dated = DATED.exec(words);
        return {
          url: behind(clickUrl),
          title,
          snippet: dated ? words.slice(dated[0].length) : words,
          published: dated?.[1],
        };
      });
    },
  };
}

/** The object literal after the call, which is JSON. It ends with its line, before `),`. */
function argument(body: string): unknown {
  const call = body.indexOf(CALL);
  if (call < 0) return undefined;
  const end = body.indexOf('\n', call);
  const line = body.slice(call + CALL.length, end < 0 ? undefined : end);
  const close = line.lastIndexOf('}');
  try {
    return JSON.parse(line.slice(0, close + 1));
  } catch {
    return undefined;
  }
}

/** Its link goes to the page, or through its own redirect. */
function behind(link: string): string {
  if (!URL.canParse(link, 'https://www.startpage.com')) return '';
  const url = new URL(link, 'https://www.startpage.com');
  if (!/(^|\.)startpage\.com$/.test(url.hostname)) return url.href;
  return url.searchParams.get('url') ?? '';
}

function placeOf(region: string, language: string): string | undefined {
  const places = STARTPAGE_REGIONS.filter((place) => place.endsWith(`_${region}`));
  return places.find((place) => place.startsWith(language)) ?? places[0];
}
