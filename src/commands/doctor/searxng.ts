import { SEARXNG_URL } from '../parts/searxng.ts';
import { type Examination, type Finding, findingsOf } from './finding.ts';

/** Where a SearXNG on this machine usually answers: as `magpie add searxng` publishes it, and as its own compose file does. */
const USUAL_PLACES = [SEARXNG_URL, 'http://127.0.0.1:8080'];
const ANSWER_MS = 3000;
/** Bytes of its description of itself, which names some 250 engines with their languages. */
const MAX_BYTES = 8_000_000;
const SWITCH_ON = 'add json under search: formats: in its settings.yml, and start it again';

/** A SearXNG of one's own: the one that is set, or else one that runs on this machine and is not asked. */
export const searxng: Examination = {
  what: 'searxng',
  online: true,
  async run({ config, signal }) {
    // The engines are named by hand, and without it.
    if (config.engines.length > 0 && !config.engines.includes('searxng')) return [];
    if (config.searxngUrl) return [await examineOwn(config.searxngUrl, signal)];
    return [await examineUsualPlaces(USUAL_PLACES, signal)];
  },
};

async function examineOwn(url: string, signal: AbortSignal): Promise<Finding> {
  const { good, note, problem } = findingsOf('searxng');
  const status = await askWithoutQuestion(url, signal);
  if (status === undefined)
    return problem(`none answers at ${url} (MAGPIE_SEARXNG_URL)`, 'start it, or see `magpie add searxng`');
  if (status === 403) return problem(`JSON is off at ${url}`, SWITCH_ON);
  if (status === 429)
    return note(`${url} limits how often it is asked`, 'server: limiter: false in its settings.yml');
  return good(`${url} answers`);
}

/** The first SearXNG that answers at one of the addresses. */
export async function examineUsualPlaces(places: readonly string[], signal: AbortSignal): Promise<Finding> {
  const { note, left } = findingsOf('searxng');
  for (const url of places) {
    if (!(await isSearxng(url, signal))) continue;
    const isOff = (await askWithoutQuestion(url, signal)) === 403;
    const setting = `set MAGPIE_SEARXNG_URL=${url}`;
    return isOff
      ? note(`one runs at ${url} and is not asked: JSON is off`, `${SWITCH_ON}; then ${setting}`)
      : note(`one runs at ${url} with JSON on, and is not asked`, setting);
  }
  return left('none runs on this machine: one of your own asks other engines for you', 'magpie add searxng');
}

/**
 * The status of a search without a question, for which no engine is asked: 400 where JSON is on and 403 where it is off.
 * Undefined where nothing answers.
 */
async function askWithoutQuestion(base: string, signal: AbortSignal): Promise<number | undefined> {
  const response = await ask(`${base}/search?format=json`, signal);
  await response?.body?.cancel();
  return response?.status;
}

/** Whether it describes itself as SearXNG does; another program may have the port. */
async function isSearxng(base: string, signal: AbortSignal): Promise<boolean> {
  const response = await ask(`${base}/config`, signal);
  try {
    const about = JSON.parse(await readText(response));
    return typeof about.instance_name === 'string' && Array.isArray(about.engines);
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

async function ask(url: string, signal: AbortSignal): Promise<Response | undefined> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  return fetch(url, { signal: deadline, redirect: 'manual' }).catch(() => {
    signal.throwIfAborted();
    return undefined;
  });
}

/** Its text; empty where it is longer than any description. */
async function readText(response: Response | undefined): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of response?.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) return '';
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}
