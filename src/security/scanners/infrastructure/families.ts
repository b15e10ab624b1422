import type { Severity } from '../../../lib/severity.ts';
import type { Policy } from './policy.ts';

/** What policies of one kind have in common: their ids begin with its name. */
export interface Family {
  /** What a report of the rules calls it. */
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  /** What the danger is. */
  readonly danger: string;
  /** What to do, after what to write. */
  readonly fix: string;
}

/** By name. What is hygiene is low; exposure, rights without bounds and plain data are more. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  unencrypted: {
    title: 'Encryption at rest',
    severity: 'medium',
    cwe: 'CWE-311',
    danger: 'Anyone with a copy, a snapshot or a discarded disk can read the data',
    fix: 'Most services take the setting only when the resource is made, so plan for a copy.',
  },
  'provider-key': {
    title: 'Keys of your own',
    severity: 'low',
    cwe: 'CWE-1394',
    danger:
      'With the provider’s own key, the right to decrypt cannot be limited, logged or withdrawn apart from the data',
    fix: 'Give it a key that you manage, with a policy that names who may use it.',
  },
  'plain-transport': {
    title: 'Encryption in transit',
    severity: 'medium',
    cwe: 'CWE-319',
    danger: 'What is sent can be read and changed on its way',
    fix: 'Allow encrypted connections alone.',
  },
  'old-tls': {
    title: 'Versions of TLS',
    severity: 'medium',
    cwe: 'CWE-326',
    danger: 'Versions before TLS 1.2 can be broken',
    fix: 'Clients of the last ten years can do TLS 1.2.',
  },
  public: {
    title: 'Exposure to everyone',
    severity: 'high',
    cwe: 'CWE-284',
    danger: 'Anyone can reach it, and try what it holds',
    fix: 'Name those who need it, and reach it through a private network.',
  },
  network: {
    title: 'Bounds of networks',
    severity: 'low',
    cwe: 'CWE-668',
    danger: 'It can be reached from networks that do not need it, so that a leaked credential is enough',
    fix: 'Put it into a private network, and open what is needed.',
  },
  'no-log': {
    title: 'Logs and monitoring',
    severity: 'low',
    cwe: 'CWE-778',
    danger: 'What happened there cannot be found out afterwards',
    fix: 'Send the logs to where they are kept and watched.',
  },
  'no-backup': {
    title: 'Backups',
    severity: 'low',
    cwe: 'CWE-1188',
    danger: 'What is deleted or overwritten, by mistake or by an intruder, is gone',
    fix: 'Keep backups for as long as it takes to find out.',
  },
  deletable: {
    title: 'Protection from deletion',
    severity: 'low',
    cwe: 'CWE-1188',
    danger: 'One command, or one wrong plan, removes it with all that it holds',
    fix: 'It is switched off again where it shall really go.',
  },
  'weak-login': {
    title: 'Authentication',
    severity: 'medium',
    cwe: 'CWE-287',
    danger: 'Passwords and shared keys can be guessed or leak, and do not say which person uses them',
    fix: 'Let callers prove who they are by the provider’s identities.',
  },
  rights: {
    title: 'Rights',
    severity: 'medium',
    cwe: 'CWE-269',
    danger: 'Who gets these rights can do more than the work needs',
    fix: 'Give the rights that are needed, to those who need them.',
  },
  outdated: {
    title: 'Updates and versions',
    severity: 'low',
    cwe: 'CWE-1329',
    danger: 'Known weaknesses stay open until someone remembers to update',
    fix: 'Let the provider install patches in a window that suits you.',
  },
  unhardened: {
    title: 'Unsafe defaults',
    severity: 'low',
    cwe: 'CWE-1188',
    danger: 'The default leaves open what an intruder can use',
    fix: 'Switch off what is not needed.',
  },
  unguarded: {
    title: 'Detection and filters',
    severity: 'low',
    cwe: 'CWE-693',
    danger: 'Attacks and weak images pass without anything that would stop or report them',
    fix: 'Switch the service on that checks it.',
  },
  'no-rotation': {
    title: 'Rotation of keys',
    severity: 'low',
    cwe: 'CWE-324',
    danger: 'A leaked key stays valid until someone replaces it',
    fix: 'Let it be replaced by itself.',
  },
  'written-secret': {
    title: 'Secrets in settings',
    severity: 'high',
    cwe: 'CWE-522',
    danger: 'Anyone who may read the setting has the secret',
    fix: 'Take it from a store of secrets when it is used.',
  },
  container: {
    title: 'Containers and pods',
    severity: 'low',
    cwe: 'CWE-250',
    danger: 'A program that is taken over can do more to its host and its neighbours',
    fix: 'Give the container what it needs, and nothing else.',
  },
  cluster: {
    title: 'Components of a cluster',
    severity: 'medium',
    cwe: 'CWE-1188',
    danger: 'Who reaches this component can rule the cluster, or read what it keeps',
    fix: 'Set the option in the component’s arguments.',
  },
};

/** The family of a policy. Throws Error for an unknown one: a mistake in the data, which a test finds. */
export function familyOf({ id, family }: Policy): Family {
  const found = FAMILIES[family];
  if (!found) throw new Error(`${id} is of an unknown family: ${JSON.stringify(family)}`);
  return found;
}
