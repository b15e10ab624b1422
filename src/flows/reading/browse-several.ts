import { AppError, asAppError, badRequestError } from '../../errors.ts';
import { runWithCallSignal } from '../../lib/concurrency/call-signal.ts';
import { withDeadline } from '../../lib/concurrency/deadline.ts';
import type { OperationContext } from '../../operation.ts';
import { composeAnswerRules } from '../searching/rules.ts';
import type { SearchBody } from '../searching/search-body.ts';
import { browsePage } from './browse.ts';
import type { BrowseInput } from './browse-input.ts';

interface SeveralInput extends BrowseInput {
  readonly urls?: readonly string[] | undefined;
}

/** Share of the call's time after which a page is given up, so that the others can be answered. */
const OWN_TIME = 0.8;
const OF_ONE = ['map', 'crawl', 'paging', 'section', 'since'] as const;

/** Reads `q` and `urls`, each with an equal part of the budget. Throws if no page can be read. */
export async function browseSeveral(input: SeveralInput, ctx: OperationContext): Promise<SearchBody> {
  const { urls = [], ...one } = input;
  const all = [...new Set([one.q, ...urls])];
  if (all.length === 1) return browsePage(one, ctx);
  const asked = OF_ONE.find((name) => input[name] !== undefined && input[name] !== false);
  if (asked) throw badRequestError(`${asked} is for one page: leave out urls, or ${asked}`);
  const part = (whole: number) => Math.max(1, Math.floor(whole / all.length));
  const own = { ...ctx, log: ctx.log, responseBytes: part(ctx.responseBytes) };
  const words = one.inputwindowwords;
  const read = (q: string, signal: AbortSignal) =>
    runWithCallSignal(signal, () =>
      browsePage({ ...one, q, inputwindowwords: words && part(words) }, { ...own, signal }),
    );
  const ms = ctx.endsAt === undefined ? Infinity : OWN_TIME * (ctx.endsAt - performance.now());
  const bodies = await Promise.all(
    all.map((q) =>
      withDeadline(ctx.signal, ms, (signal) => read(q, signal)).catch((thrown: unknown) => {
        ctx.signal.throwIfAborted();
        const error = asAppError(thrown);
        if (error.code === 'internal') ctx.log.warn({ err: error }, 'one of several pages could not be read');
        return error;
      }),
    ),
  );
  const [first] = bodies;
  if (first instanceof AppError && bodies.every((body) => body instanceof AppError)) throw first;
  const common = composeAnswerRules({ hasLinks: false, hasText: true }, ctx);
  const about = bodies.map((body, at) => {
    const told = body instanceof AppError ? 'could not be read. ' : body.rules.replace(common, '');
    return told.trim() === '' ? '' : `${all[at]}: ${told}`;
  });
  return {
    results: bodies.flatMap((body, at) => {
      const link = all[at] ?? '';
      return body instanceof AppError ? [{ title: link, link, error: body.message }] : body.results;
    }),
    rules: about.join('') + common,
  };
}
