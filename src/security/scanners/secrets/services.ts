import { readFileSync } from 'node:fs';

/** A service whose credentials have no recognisable format. The service's name nearby identifies them. */
export interface ServiceCredentials {
  readonly title: string;
  /** Names of the service in settings, in lower case. A `-` matches a hyphen, an underscore, a space or no character. */
  readonly names: readonly string[];
  readonly values: RegExp;
}

/** Each line of the file has title, names and value pattern, separated by tabs. Sources: documentation and real credentials. */
export const SERVICES_WITH_CREDENTIALS: readonly ServiceCredentials[] = readFileSync(
  new URL('./services.tsv', import.meta.url),
  'utf8',
)
  .split('\n')
  .filter(Boolean)
  .map((line) => {
    const [title = '', names = '', values] = line.split('\t');
    return { title, names: names.split(' '), values: new RegExp(`^(?:${values})$`, 'i') };
  });
