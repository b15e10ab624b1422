import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes the collections of `npm run bench -- retrieve` out of public repositories, in BEIR's form:
 * `node bench/make-sets.ts <folder> [<folder with clones named owner+name>]`. Without clones it makes them, by git. Cranfield comes from
 * the folder beside the project, or from the first repository. docs/figures.md says which of them the ranking was tuned on.
 */

interface Row {
  readonly id: string;
  readonly title?: string;
  readonly text: string;
}
interface Judgement {
  readonly query: string;
  readonly document: string;
}
type Read = (path: string) => string;

/** Each set with its repository; a name of a set is the name of its folder. */
const SETS: readonly (readonly [repository: string, make: (read: Read) => void])[] = [
  [
    'lailaglez/belief-network-irs',
    (read) => writeSmart('med', read('med/MED.ALL'), read('med/MED.QRY'), pairs(read('med/MED.REL'))),
  ],
  [
    'PsychoProg/tf-idf',
    (read) => writeSmart('cisi', read('CISI.ALL'), read('CISI.QRY'), pairs(read('CISI.REL'))),
  ],
  [
    'sansha94/Okapi-on-CACM',
    (read) =>
      writeSmart('cacm', read('CACM/cacm.all'), read('CACM/query.text'), pairs(read('CACM/qrels.text'))),
  ],
  ['stefreschke/Information-Retrieval', (read) => writeNpl(read)],
  ['snap-research/LoCoMo', (read) => writeConversations(JSON.parse(read('data/locomo10.json')))],
  ['google-deepmind/xquad', (read) => writeLanguages(read)],
  ['Jun-jie-Huang/CoCLR', (read) => writeCode(read)],
];
const LANGUAGES = ['ar', 'de', 'ru', 'zh'];

const [out = '', clones] = process.argv.slice(2);
if (out === '') {
  process.stderr.write('node bench/make-sets.ts <folder> [<folder with clones>]\n');
  process.exit(2);
}
const temporary = mkdtempSync(join(tmpdir(), 'magpie-sets-'));
for (const [repository, make] of SETS) make(readFrom(repository));
rmSync(temporary, { recursive: true });

function readFrom(repository: string): Read {
  const name = repository.replace('/', '+');
  const near = [`${name}/repo`, name].map((path) => join(clones ?? temporary, path)).find(existsSync);
  const folder = near ?? join(temporary, name);
  if (!near) {
    execFileSync('git', ['clone', '-q', '--depth', '1', `https://github.com/${repository}`, folder]);
  }
  return (path) =>
    execFileSync('git', ['-C', folder, 'show', `HEAD:${path}`], { encoding: 'utf8', maxBuffer: 1e9 });
}

function write(
  name: string,
  documents: readonly Row[],
  queries: readonly Row[],
  judged: readonly Judgement[],
): void {
  const folder = join(out, name);
  mkdirSync(folder, { recursive: true });
  const lines = (rows: readonly Row[]) =>
    rows.map(({ id, ...row }) => `${JSON.stringify({ _id: id, ...row })}\n`).join('');
  writeFileSync(join(folder, 'corpus.jsonl'), lines(documents));
  writeFileSync(join(folder, 'queries.jsonl'), lines(queries));
  const rows = new Set(judged.map(({ query, document }) => `${query}\t${document}\t1\n`));
  writeFileSync(join(folder, 'qrels.tsv'), `query-id\tcorpus-id\tscore\n${[...rows].join('')}`);
  process.stdout.write(
    `${name}: ${documents.length} documents, ${queries.length} questions, ${rows.size} judgements\n`,
  );
}

/** Collections in the form of the SMART system: `.I 1`, then `.T`, `.W` and others, each with its lines. */
function smart(text: string): Row[] {
  return text
    .split(/^\.I\s+/m)
    .slice(1)
    .map((record) => {
      const [id = '', ...parts] = record.split(/^\.([A-Z])\s*$/m);
      const field = (letter: string) => {
        const at = parts.findIndex((part, i) => i % 2 === 0 && part === letter);
        return at < 0 ? '' : (parts[at + 1] ?? '').replace(/\s+/g, ' ').trim();
      };
      return { id: id.trim(), title: field('T'), text: field('W') };
    });
}

function writeSmart(name: string, documents: string, queries: string, judged: readonly Judgement[]): void {
  const asked = smart(queries).map(({ id, title, text }) => ({ id, text: `${title} ${text}`.trim() }));
  write(name, smart(documents), asked, judged);
}

/** Lines that begin with the numbers of a question and of a document. */
function pairs(text: string): Judgement[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [query = '', document = ''] = line.trim().split(/\s+/);
      return { query: `${Number(query)}`, document: `${Number(document)}` };
    });
}

/** A number, lines and a slash, again and again. */
function writeNpl(read: Read): void {
  const rows = (path: string): Row[] =>
    read(`npl/${path}`)
      .split(/^\s*\/\s*$/m)
      .flatMap((block) => {
        const [, id, text = ''] = /^\s*(\d+)([\s\S]*)$/.exec(block) ?? [];
        return id === undefined ? [] : [{ id, text: text.replace(/\s+/g, ' ').trim().toLowerCase() }];
      });
  const judged = rows('rlv-ass').flatMap(({ id, text }) =>
    text.split(' ').map((document) => ({ query: id, document })),
  );
  write('npl', rows('doc-text'), rows('query-text'), judged);
}

interface Talk {
  readonly conversation: Readonly<Record<string, unknown>>;
  readonly qa: readonly {
    readonly question: string;
    readonly evidence: readonly string[];
    readonly category: number;
  }[];
}

/** A folder for each conversation; a document is a turn with its time and speaker, as a chat is kept. */
function writeConversations(talks: readonly Talk[]): void {
  for (const [at, { conversation, qa }] of talks.entries()) {
    const turns = Object.keys(conversation)
      .filter((key) => /^session_\d+$/.test(key))
      .flatMap((key) =>
        (conversation[key] as readonly { speaker: string; dia_id: string; text: string }[]).map((turn) => ({
          id: turn.dia_id,
          text: `[${conversation[`${key}_date_time`]}] ${turn.speaker}: ${turn.text}`,
        })),
      );
    const known = new Set(turns.map(({ id }) => id));
    const judged = qa.flatMap(({ evidence }, query) =>
      evidence
        .flatMap((one) => one.split(/[;,\s]+/))
        .filter((document) => known.has(document))
        .map((document) => ({ query: `${query}`, document })),
    );
    const asked = qa.map(({ question }, id) => ({ id: `${id}`, text: question }));
    write(`conversations-${at}`, turns, asked, judged);
  }
}

interface Squad {
  readonly data: readonly {
    readonly paragraphs: readonly {
      readonly context: string;
      readonly qas: readonly { readonly id: string; readonly question: string }[];
    }[];
  }[];
}

/** English questions on the paragraphs of another language. */
function writeLanguages(read: Read): void {
  const paragraphs = (language: string) =>
    (JSON.parse(read(`xquad.${language}.json`)) as Squad).data.flatMap((one) => one.paragraphs);
  const english = paragraphs('en');
  const asked = english.flatMap(({ qas }, at) =>
    qas.map(({ id, question }) => ({ id, text: question, document: `${at}` })),
  );
  for (const language of LANGUAGES) {
    const documents = paragraphs(language).map(({ context }, at) => ({ id: `${at}`, text: context }));
    const queries = asked.map(({ id, text }) => ({ id, text }));
    write(
      `xquad-${language}`,
      documents,
      queries,
      asked.map(({ id, document }) => ({ query: id, document })),
    );
  }
}

/** Questions to a search engine on Python functions: CoSQA's dev part. Its test part stays unread. */
function writeCode(read: Read): void {
  const functions = Object.entries(
    JSON.parse(read('data/search/code_idx_map.txt')) as Record<string, number>,
  );
  const asked = JSON.parse(read('data/search/cosqa-retrieval-dev-500.json')) as readonly {
    readonly idx: string;
    readonly doc: string;
    readonly retrieval_idx: number;
  }[];
  write(
    'cosqa-dev',
    functions.map(([text, id]) => ({ id: `${id}`, text })),
    asked.map(({ idx, doc }) => ({ id: idx, text: doc })),
    asked.map(({ idx, retrieval_idx }) => ({ query: idx, document: `${retrieval_idx}` })),
  );
}
