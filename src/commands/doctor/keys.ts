import { formatCount } from '../../lib/text/format-count.ts';
import { type DoctorCheck, good, left, note } from './finding.ts';

/** Age at which rotating a key is advised, and time before a key's expiry at which a warning begins. */
const [OLD_MS, SOON_MS] = [90 * 86_400_000, 14 * 86_400_000];

export const accessKeysCheck: DoctorCheck = {
  what: 'keys',
  async run({ services }) {
    const all = (await services.maintenance.readKeys()) ?? [];
    const active = all.flatMap(({ record, state }) => (state === 'active' ? [record] : []));
    if (all.length === 0)
      return left(
        'there is no access key: with one, other machines may use a server, which serves this one alone now',
        'magpie key create --scope read,write',
      );
    if (active.length === 0) {
      return note(
        `none of ${formatCount(all.length, 'key')} is valid any longer`,
        'magpie key create --scope read,write',
      );
    }
    const now = Date.now();
    const rotated = active.filter(
      ({ createdAt, replacedBy }) => now - createdAt > OLD_MS && replacedBy === undefined,
    );
    const ending = active.filter(({ expiresAt }) => expiresAt !== undefined && expiresAt - now < SOON_MS);
    return [
      good(
        `${active.length} of ${formatCount(all.length, 'access key')} ${active.length === 1 ? 'is' : 'are'} valid`,
      ),
      ...rotated.map(({ id }) => note(`key ${id} is older than 90 days`, `magpie key rotate ${id}`)),
      ...ending.map(({ id }) => note(`key ${id} ends within 14 days`, `magpie key rotate ${id}`)),
    ];
  },
};
