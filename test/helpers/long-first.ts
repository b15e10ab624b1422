import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files of test/real that take twenty seconds or longer, the longest first. Where no earlier run has left its times, vitest would begin with the
 * files that have most bytes, and one of these would run alone at the end.
 */
const LONG = [
  'package',
  'benches',
  'postgres/faults-under-load',
  'postgres/rolling-upgrade',
  'reader-memory',
  'reader-rest',
  'storage-failures',
  'guides',
  'postgres-benches',
  'kb-sync',
  'new',
  'postgres/jobs',
  'postgres/knowledge-graphs',
  'ocr',
  'console-browser',
  'kill',
  'stop',
  'render',
  'views-browser',
  'app-browser',
  'fifty-questions',
  'tour',
  'postgres/knowledge',
  'own-repository',
  'postgres/search',
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
