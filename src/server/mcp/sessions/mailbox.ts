import type { NodeMessage, SessionStore } from '../../../access/types.ts';

export interface Mailbox {
  receivePending(): Promise<void>;
  close(): void;
}

export interface MailboxOptions {
  readonly node: string;
  readonly store: Pick<SessionStore, 'takeMail' | 'onMail'>;
  readonly receive: (mail: NodeMessage) => void;
  readonly onerror: (error: Error) => void;
}

export function createMailbox({ node, store, receive, onerror }: MailboxOptions): Mailbox {
  let looking: Promise<void> | undefined;
  let again = false;

  async function take(): Promise<void> {
    do {
      again = false;
      for (const mail of await store.takeMail(node)) {
        try {
          receive(mail);
        } catch (error) {
          onerror(error as Error);
        }
      }
    } while (again);
  }

  function look(): Promise<void> {
    again = true;
    looking ??= take().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  const heard = store.onMail(node, () => void look().catch(onerror));
  heard.catch(onerror);
  return { receivePending: look, close: () => void heard.then((stop) => stop()).catch(onerror) };
}
