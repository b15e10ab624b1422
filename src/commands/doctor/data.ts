import { constants, existsSync } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { formatCount } from '../../lib/text/format-count.ts';
import { type DoctorCheck, good, note, problem } from './finding.ts';

/** Free bytes that suffice for a knowledge base, its indexes and their rebuild. */
const FREE_BYTES = 1e9;
const SHOWN = 3;

export const dataFolderCheck: DoctorCheck = {
  what: 'data',
  async run({ config, services, signal, progress }) {
    const folder = firstThere(config.data);
    const writes = await access(folder, constants.W_OK).then(
      async () => (await stat(folder)).isDirectory(),
      () => false,
    );
    const place = `everything is kept in ${config.data}${folder === config.data ? '' : ', which is made at the first use'}`;
    const first = writes
      ? good(place)
      : problem(
          `${folder} cannot be written`,
          'give yourself the right to write there, or name another folder: --data or MAGPIE_DATA',
        );
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const room =
      free < FREE_BYTES &&
      note(
        `${(free / 1e6).toFixed(0)} MB are free there`,
        'free some, or move the folder: from about 100 MB on writes may be refused',
      );
    const { present, problems, advice } = await services.maintenance.checkData(false, { signal, progress });
    if (!present) return [first, room];
    const state =
      problems.length === 0
        ? good('the database and the indexes in it are whole')
        : problem(
            `${formatCount(problems.length, 'thing')} of it ${problems.length === 1 ? 'is' : 'are'} damaged: ${problems
              .slice(0, SHOWN)
              .map(({ problem }) => problem)
              .join('; ')}`,
            'magpie kb check --mend, with no other Magpie on the folder',
          );
    return [first, room, state, advice !== undefined && note(advice)];
  },
};

function firstThere(folder: string): string {
  for (let at = folder; ; at = dirname(at)) if (existsSync(at) || at === dirname(at)) return at;
}

export const bucketCheck: DoctorCheck = {
  what: 'files',
  async run({ services }) {
    const facts = await services.maintenance.examineBucket();
    if (!facts) return [];
    return [
      good(`${facts.place} at ${facts.host} can be read and written`),
      facts.keepsVersions &&
        note(
          'the bucket keeps older versions of objects: what users delete stays in it',
          'give it a lifecycle rule that deletes noncurrent versions after some days',
        ),
    ];
  },
};
