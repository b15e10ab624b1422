import { SEARXNG_URL } from '../parts/searxng.ts';
import { type DoctorCheck, type DoctorRemark, good, left, note, problem } from './finding.ts';

const USUAL_PLACES = [SEARXNG_URL, 'http://127.0.0.1:8080'];
const ANSWER_MS = 3000;
/** Maximum size of an answer. SearXNG's `/config` is large: it lists some 250 engines. */
const MAX_BYTES = 8_000_000;
const SWITCH_ON = 'add json under search: formats: in its settings.yml, and start it again';

export const searxngCheck: DoctorCheck = {
  what: 'searxng',
  online: true,
  async run({ config, signal }) {
    if (config.engines.length > 0 && !config.engines.includes('searxng')) return [];
    if (config.searxngUrl) return examineOwn(config.searxngUrl, signal);
    return findUnsetLocalSearxng(USUAL_PLACES, signal);
  },
};

async function examineOwn(url: string, signal: AbortSignal): Promise<DoctorRemark> {
  const status = await askWithoutQuestion(url, signal);
  if (status === undefined)
    return problem(
      `no SearXNG answers at ${url}, the address in MAGPIE_SEARXNG_URL`,
      'start it, or see `magpie add searxng`',
    );
  if (status === 403)
    return problem(`the SearXNG at ${url} refuses answers in JSON, which Magpie reads`, SWITCH_ON);
  if (status === 429)
    return note(
      `the SearXNG at ${url} limits how often it is asked`,
      'server: limiter: false in its settings.yml',
    );
  return good(`the SearXNG at ${url} answers`);
}

export async function findUnsetLocalSearxng(
  places: readonly string[],
  signal: AbortSignal,
): Promise<DoctorRemark> {
  for (const url of places) {
    if (!(await isSearxng(url, signal))) continue;
    const isOff = (await askWithoutQuestion(url, signal)) === 403;
    const setting = `set MAGPIE_SEARXNG_URL=${url}`;
    return isOff
      ? note(
          `a SearXNG runs at ${url} and is not asked: it refuses answers in JSON`,
          `${SWITCH_ON}; then ${setting}`,
        )
      : note(`a SearXNG runs at ${url} and is not asked`, setting);
  }
  return left(
    'no SearXNG runs on this machine, and none is needed: one of your own asks other engines for you',
    'magpie add searxng',
  );
}

/** Returns the status of a search without a query: 400 if JSON is enabled, 403 if not. No engine is asked. */
async function askWithoutQuestion(base: string, signal: AbortSignal): Promise<number | undefined> {
  const response = await ask(`${base}/search?format=json`, signal);
  await response?.body?.cancel();
  return response?.status;
}

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
