import { z } from 'zod';
import { type Setting, secretSetting, urlSetting, wholeNumberSetting } from './setting.ts';

const prefix = { schema: z.string().max(500).optional(), takes: 'up to 500 characters' };

export const KNOWLEDGE_SETTINGS = {
  embedder: {
    env: 'MAGPIE_EMBEDDER',
    schema: z
      .string()
      .trim()
      .regex(/^(?:auto|english|multilingual|onnx|file:.{1,1000}|openai:[^\s@]{1,200}(?:@[1-9]\d{0,4})?)$/)
      .default('auto'),
    takes: 'auto, english, multilingual, file:<folder>, openai:<model> or openai:<model>@<dimensions>',
    about:
      'Model that turns texts of the knowledge base into vectors: `auto` takes an embedded one for each user: the English model, or the multilingual one (`magpie add multilingual`) where texts or questions are in other languages; `english` and `multilingual` name one for all; `file:/path/to/bge-small-en-v1.5` is any sentence model as ONNX with its tokenizer.json, or by its name one that `magpie model add` fetched; `openai:text-embedding-3-small` and its like are asked for at OPENAI_BASE_URL.',
  },
  embedderQueryPrefix: {
    env: 'MAGPIE_EMBEDDER_QUERY_PREFIX',
    ...prefix,
    about:
      'What an `openai:` or `file:` model wants before each question, with its blank at the end: `query: ` for E5, `search_query: ` for nomic-embed-text, `Represent this sentence for searching relevant passages: ` for BGE.',
  },
  embedderPassagePrefix: {
    env: 'MAGPIE_EMBEDDER_PASSAGE_PREFIX',
    ...prefix,
    about:
      'The same before each passage: `passage: ` for E5, `search_document: ` for nomic-embed-text. Another one is another model: all passages get new vectors.',
  },
  modelHub: {
    ...urlSetting('MAGPIE_MODEL_HUB', 'https://huggingface.co'),
    about:
      'Where `magpie model add` fetches sentence models: a service with the API of the Hugging Face hub, such as a mirror; may be on a private network.',
  },
  trashDays: {
    ...wholeNumberSetting('MAGPIE_TRASH_DAYS', 0, 3650, 7),
    about:
      'Days for which entries that `reset` and `deleteEntry` take out of the knowledge base can be restored (`magpie kb restore`); then they are gone from the disk. 0 removes them at once.',
  },
  hnswPassages: {
    ...wholeNumberSetting('MAGPIE_HNSW_PASSAGES', 0, 1_000_000_000, 50_000),
    about:
      'With PostgreSQL: passages of one user from which an HNSW index finds the nearest vectors, made in the background; below, all are compared. 0 makes none.',
  },
  openaiBaseUrl: {
    ...urlSetting('OPENAI_BASE_URL', 'https://api.openai.com/v1'),
    about:
      'Base address of a service with an API like that of OpenAI; may be on a private network, such as `http://127.0.0.1:11434/v1`.',
  },
  openaiKey: {
    ...secretSetting('OPENAI_API_KEY'),
    about: 'Key for the service at OPENAI_BASE_URL, where it takes one.',
  },
} as const satisfies Record<string, Setting>;
