import { AppError, type ErrorCode } from '../../../errors.ts';
import {
  CERTIFICATE_EXPIRED,
  CERTIFICATE_ISSUER_UNKNOWN,
  CERTIFICATE_NAME_MISMATCH,
  failureSentence,
} from '../../../lib/network/network-failure.ts';
import { redactSecrets } from '../../../lib/secrets/redact.ts';
import failures from './fetch-failures.json' with { type: 'json' };
import type { RemoteLocation } from './location.ts';

export interface GitFetchFailure {
  readonly at: RemoteLocation;
  readonly said: string;
  readonly hasCredential: boolean;
}

const loginWords = (at: RemoteLocation, hasCredential: boolean) => {
  if (at.protocol === 'ssh') {
    return hasCredential
      ? `${at.host} does not let the key in: the operator sets MAGPIE_GIT_SSH_KEY to one that may read ${at.shown}`
      : `${at.host} requires a key: the operator sets MAGPIE_GIT_SSH_KEY to one that may read ${at.shown}`;
  }
  return hasCredential
    ? `${at.host} does not take the token for ${at.shown}: the operator corrects ${at.host} in MAGPIE_GIT_TOKENS`
    : `${at.shown} is not there or needs a login: check the address, or the operator adds ${at.host}=<token> to MAGPIE_GIT_TOKENS`;
};

/** Computed error messages by name. Entries of `fetch-failures.json` refer to a name such as `login`. */
const SENTENCES: Readonly<Record<string, typeof loginWords>> = {
  login: loginWords,
  expired: ({ host }) => failureSentence(host, CERTIFICATE_EXPIRED),
  mismatch: ({ host }) => failureSentence(host, CERTIFICATE_NAME_MISMATCH),
  // Git and Node.js trust different certificates, so the usual advice for Node.js does not apply to git.
  issuer: ({ host }) =>
    failureSentence(host, {
      ...CERTIFICATE_ISSUER_UNKNOWN,
      advice: 'if you trust it, add its issuer to the certificates of this machine',
    }),
};

/** Patterns for messages of git, curl and ssh, each with the error to report. The first match counts. */
const MEANINGS = failures.map((one) => ({ ...one, when: new RegExp(one.when, one.flags) }));

const BROKEN = '{shown} closed the connection early or sent something that is not a repository';

export function fetchFailure({ at, said, hasCredential }: GitFetchFailure): AppError {
  const cause = new Error(redactSecrets(said));
  const meaning = MEANINGS.find(({ when }) => when.test(said));
  const { code = 'upstream', words = BROKEN } = meaning ?? {};
  const filled = words.replaceAll('{host}', () => at.host).replaceAll('{shown}', () => at.shown);
  return new AppError(code as ErrorCode, SENTENCES[words]?.(at, hasCredential) ?? filled, { cause });
}

export const isMissingRefMessage = (said: string): boolean =>
  /couldn't find remote ref|not our ref|unadvertised object|no such remote ref/i.test(said);
