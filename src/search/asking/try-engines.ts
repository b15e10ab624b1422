import { AppError } from '../../errors.ts';
import { createLimiter } from '../../lib/concurrency/limiter.ts';
import { EngineError, type RefusalKind, type SearchCategory, type SearchEngine } from '../engine.ts';
import { type AnswerSample, recordLastAnswer } from './answer-sample.ts';
import { createEngineClient, type EngineClientOptions } from './engine-client.ts';
import type { EngineOutcome } from './gather-outcomes.ts';
import questions from './test-questions.json' with { type: 'json' };

export type TrialFailure = RefusalKind | 'slow' | 'network' | 'nothing';

export interface EngineTrial extends Pick<EngineOutcome, 'name' | 'ok' | 'ms' | 'reason'> {
  readonly hits: number;
  readonly asked: string;
  readonly first?: string;
  readonly kind?: TrialFailure;
  readonly sample?: AnswerSample;
}

export interface TryOptions extends EngineClientOptions {
  readonly engines: readonly SearchEngine[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  onTried(tried: EngineTrial, count: number): void;
}

const AT_ONCE = 6;
const HITS = 5;

const QUESTIONS: Readonly<Record<SearchCategory, string>> = questions;

/** Tests each engine with a question. An empty answer counts as a failure. */
export async function tryEngines(options: TryOptions): Promise<EngineTrial[]> {
  const { engines, signal, onTried, fetch, trusted, timeoutMs } = options;
  const limiter = createLimiter({ concurrency: AT_ONCE });
  let count = 0;

  async function tryOne(engine: SearchEngine): Promise<EngineTrial> {
    const asked = QUESTIONS[engine.about.categories[0] ?? 'general'];
    const started = performance.now();
    const deadline = AbortSignal.timeout(timeoutMs);
    const remembered = recordLastAnswer(fetch);
    const outcome = await createEngineClient({ fetch: remembered.fetch, trusted })
      .search(
        engine,
        { text: asked, limit: HITS },
        { signal: AbortSignal.any([signal, deadline]), timeoutMs },
      )
      .then(
        (hits) => ({ hits: hits.length, first: hits[0]?.title }),
        (error: unknown) => ({ hits: 0, error }),
      );
    signal.throwIfAborted();
    const ms = Math.round(performance.now() - started);
    const failure = 'error' in outcome ? failureOf(outcome.error, deadline, timeoutMs) : NOTHING;
    const tried: EngineTrial =
      'first' in outcome && outcome.first !== undefined
        ? { name: engine.name, ok: true, ms, hits: outcome.hits, asked, first: outcome.first }
        : { name: engine.name, ok: false, ms, hits: 0, asked, ...failure, sample: remembered.sample() };
    onTried(tried, ++count);
    return tried;
  }

  return Promise.all(engines.map((engine) => limiter.run(() => tryOne(engine), { signal })));
}

type EngineFailure = Required<Pick<EngineTrial, 'reason' | 'kind'>>;

const NOTHING: EngineFailure = {
  reason: 'it found nothing for a common question: its answers may have changed',
  kind: 'nothing',
};

function failureOf(error: unknown, deadline: AbortSignal, timeoutMs: number): EngineFailure {
  if (deadline.aborted) return { reason: `it did not answer within ${timeoutMs / 1000} s`, kind: 'slow' };
  if (error instanceof EngineError) return { reason: error.message, kind: error.kind };
  if (error instanceof AppError) return { reason: error.message, kind: kindOf(error) };
  return { reason: 'its answer could not be read', kind: 'changed' };
}

function kindOf({ code }: AppError): TrialFailure {
  if (code === 'timeout') return 'slow';
  return code === 'too_large' ? 'changed' : 'network';
}
