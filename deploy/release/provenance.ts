import { writeFileSync } from 'node:fs';
import { PROJECT, REPOSITORY } from '../../docs/install/project.ts';
import { checksums } from './checksums.ts';
import { npm, run } from './programs.ts';

/**
 * Writes from which commit and by which programs the files of `folder` were made, as an in-toto statement of SLSA's provenance
 * (https://slsa.dev/spec/v1.0/provenance). It is not signed: the workflow of a release signs it, where there is an identity.
 */
export async function writeProvenance(folder: string): Promise<void> {
  const commit = await run('git', ['rev-parse', 'HEAD']);
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: checksums(folder).map(([name, sha256]) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${REPOSITORY}/blob/main/deploy/release/main.ts`,
        externalParameters: { version: PROJECT.version },
        resolvedDependencies: [{ uri: `git+${REPOSITORY}`, digest: { gitCommit: commit } }],
      },
      runDetails: {
        builder: { id: `${REPOSITORY}/blob/main/deploy/release/main.ts` },
        metadata: { finishedOn: new Date().toISOString() },
        byproducts: [
          { name: 'node', annotations: { version: process.version } },
          { name: 'npm', annotations: { version: await npm(['--version']) } },
        ],
      },
    },
  };
  writeFileSync(`${folder}/provenance.json`, `${JSON.stringify(statement, null, 2)}\n`);
}
