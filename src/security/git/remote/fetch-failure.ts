import { AppError, type ErrorCode } from '../../../errors.ts';
import {
  CERTIFICATE_EXPIRED,
  CERTIFICATE_ISSUER_UNKNOWN,
  CERTIFICATE_NAME_MISMATCH,
  failureSentence,
} from '../../../lib/network/network-failure.ts';
import { redactSecrets } from '../../../lib/secrets/redact.ts';
import type { RemoteLocation } from './location.ts';

export interface GitFetchFailure {
  readonly at: RemoteLocation;
  readonly said: string;
  readonly hasCredential: boolean;
}

interface FailureMeaning {
  readonly when: RegExp;
  readonly code: ErrorCode;
  words(at: RemoteLocation, hasCredential: boolean): string;
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

/** Patterns of error messages of git, curl and ssh, each with the error that Magpie reports. The first match counts. */
const MEANINGS: readonly FailureMeaning[] = [
  {
    when: /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/,
    code: 'upstream',
    words: (at) =>
      `the key of ${at.host} is another than before: if that is right, the operator removes the old one from known_hosts in Magpie's data folder`,
  },
  {
    when: /Authentication failed|could not read (Username|Password)|Permission denied \(|returned error: 40[13]/,
    code: 'forbidden',
    words: loginWords,
  },
  {
    when: /repository '[^'\n]{0,1000}' not found|returned error: 404|not exported|does not (appear to be a git repository|exist)|epository not found/i,
    code: 'not_found',
    words: (at) => `${at.shown} is not there, or only for those who are let in: check the address`,
  },
  {
    when: /not valid: is this a git repository\?|dumb http transport|invalid server response|bad line length|protocol error|expected flush/i,
    code: 'upstream',
    words: (at) => `${at.shown} does not answer as a git server: check the address`,
  },
  {
    when: /attempting to allocate|out of memory/i,
    code: 'too_large',
    words: (at) => `${at.shown} holds an object that is too large to be unpacked`,
  },
  {
    when: /unable to update url base from redirection|disabled in libcurl|transport '[^']*' not allowed|aximum \(\d+\) redirects/,
    code: 'upstream',
    words: (at) => `${at.shown} leads on to an address that is not followed: give the address it has now`,
  },
  {
    when: /certificate has expired/i,
    code: 'upstream',
    words: (at) => failureSentence(at.host, CERTIFICATE_EXPIRED),
  },
  {
    when: /certificate subject|certificate.{0,100}(does not|doesn't) match/i,
    code: 'upstream',
    words: (at) => failureSentence(at.host, CERTIFICATE_NAME_MISMATCH),
  },
  {
    when: /SSL certificate|certificate verify|server certificate/i,
    code: 'upstream',
    // The usual advice names the certificates of Node.js, which git does not use.
    words: (at) =>
      failureSentence(at.host, {
        ...CERTIFICATE_ISSUER_UNKNOWN,
        advice: 'if you trust it, add its issuer to the certificates of this machine',
      }),
  },
  {
    when: /response 50[24]|returned error: 50[24]|Could not resolve|Failed to connect|Connection (refused|timed out)|unable to connect/i,
    code: 'upstream',
    words: (at) =>
      `${at.host} cannot be reached: it refuses the connection, is not known, or does not answer; check the address and the network`,
  },
  {
    when: /returned error: 5\d\d/,
    code: 'upstream',
    words: (at) => `${at.host} failed with an internal error: try again later`,
  },
];

export function fetchFailure({ at, said, hasCredential }: GitFetchFailure): AppError {
  const cause = new Error(redactSecrets(said));
  const meaning = MEANINGS.find(({ when }) => when.test(said));
  const broken = `${at.shown} closed the connection early or sent something that is not a repository`;
  return new AppError(meaning?.code ?? 'upstream', meaning?.words(at, hasCredential) ?? broken, { cause });
}

export function isMissingRefMessage(said: string): boolean {
  return /couldn't find remote ref|not our ref|unadvertised object|no such remote ref/i.test(said);
}
