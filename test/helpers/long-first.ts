import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files of test/real that take twenty seconds or longer, the longest first. Where no earlier run has left its times, vitest would begin with the
 * files that have most bytes, and one of these would run alone at the end.
 */
const LONG = [
  'package',
  'postgres/faults-under-load',
  'render',
  'benches',
  'storage-failures',
  'postgres/jobs',
  'postgres-benches',
  'stop',
  'reader-memory',
  'postgres/crawls',
  'postgres/knowledge-graphs',
  'ocr',
  'app-browser',
  'views-browser',
  'console-browser',
  'postgres/rolling-upgrade',
  'fifty-questions',
  'kb-sync',
  'postgres/knowledge',
  'new',
  'console-warn-browser',
  'knowledge-processes',
  'reader-rest',
  'tour',
  'postgres/mcp-streams',
  'postgres/migrate',
  'postgres/distribution',
  'onnx',
  'postgres/user',
  'kill',
  'scanned-documents',
  'guides',
  's3/postgres',
  'conformance',
  'postgres/search',
  'postgres/monitor',
  'own-repository',
];

const rankOf = ({ moduleId }: TestSpecification) => {
  const at = LONG.findIndex((name) => moduleId.endsWith(`/test/real/${name}.test.ts`));
  return at < 0 ? LONG.length : at;
};

/** The order of vitest, but with the long files of test/real before all others. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rankOf(a) - rankOf(b));
  }
}
