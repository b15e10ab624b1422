import { findUnknownVariables } from '../../config/config.ts';
import { SETTINGS } from '../../config/settings.ts';
import { type DoctorCheck, good, note } from './finding.ts';

export const settingsCheck: DoctorCheck = {
  what: 'settings',
  async run({ config, machine }) {
    const values: Readonly<Record<string, unknown>> = config;
    const keys = Object.entries(SETTINGS).flatMap(([name, setting]) => {
      const value = values[name];
      const isSet = value !== undefined && !(Array.isArray(value) && value.length === 0);
      return 'secret' in setting && setting.secret && isSet ? [setting.env] : [];
    });
    const strangers = findUnknownVariables(machine.env);
    return [
      good(
        keys.length === 0
          ? 'no key of another service is set, and none is needed'
          : `set: ${keys.join(', ')}`,
      ),
      ...strangers.map((stranger) => note(stranger)),
    ];
  },
};
