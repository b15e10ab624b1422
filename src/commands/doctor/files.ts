import { createDoctorFindings, type DoctorCheck } from './finding.ts';

export const bucketCheck: DoctorCheck = {
  what: 'files',
  async run({ services }) {
    const { good, note } = createDoctorFindings('files');
    const facts = await services.maintenance.examineBucket();
    if (!facts) return [];
    return [
      good(`${facts.place} at ${facts.host} can be read and written`),
      ...(facts.keepsVersions
        ? [
            note(
              'the bucket keeps older versions of objects: what users delete stays in it',
              'give it a lifecycle rule that deletes noncurrent versions after some days',
            ),
          ]
        : []),
    ];
  },
};
