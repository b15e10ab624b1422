import { z } from 'zod';
import { httpUrlSchema, type Setting, secretSetting, wholeNumberSetting } from './setting.ts';

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
    env: 'MAGPIE_MODEL_HUB',
    schema: httpUrlSchema.default('https://huggingface.co'),
    takes: 'an http or https URL',
    about:
      'Where `magpie model add` fetches sentence models: a service with the API of the Hugging Face hub, such as a mirror; may be on a private network.',
  },
  trashDays: {
    env: 'MAGPIE_TRASH_DAYS',
    ...wholeNumberSetting(0, 3650, 7),
    about:
      'Days for which entries that `reset` and `deleteEntry` take out of the knowledge base can be restored (`magpie kb restore`); then they are gone from the disk. 0 removes them at once.',
  },
  hnswPassages: {
    env: 'MAGPIE_HNSW_PASSAGES',
    ...wholeNumberSetting(0, 1_000_000_000, 50_000),
    about:
      'With PostgreSQL: passages of one user from which an HNSW index finds the nearest vectors, made in the background; below, all are compared. 0 makes none.',
  },
  openaiBaseUrl: {
    env: 'OPENAI_BASE_URL',
    schema: httpUrlSchema.default('https://api.openai.com/v1'),
    takes: 'an http or https URL',
    about:
      'Base address of a service with an API like that of OpenAI; may be on a private network, such as `http://127.0.0.1:11434/v1`.',
  },
  openaiKey: {
    env: 'OPENAI_API_KEY',
    ...secretSetting,
    about: 'Key for the service at OPENAI_BASE_URL, where it takes one.',
  },
} as const satisfies Record<string, Setting>;
