import { strangersIn } from '../../config/config.ts';
import { SETTINGS } from '../../config/settings.ts';
import { type Examination, findingsOf } from './finding.ts';

export const settings: Examination = {
  what: 'settings',
  async run({ config, machine }) {
    const { good, note } = findingsOf('settings');
    const values: Readonly<Record<string, unknown>> = config;
    const keys = Object.entries(SETTINGS).flatMap(([name, setting]) => {
      const value = values[name];
      const isSet = value !== undefined && !(Array.isArray(value) && value.length === 0);
      return 'secret' in setting && setting.secret && isSet ? [setting.env] : [];
    });
    const strangers = strangersIn(machine.env);
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
