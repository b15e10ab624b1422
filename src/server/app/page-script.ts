/**
 * What the upload page does in the browser beyond its plain forms: uploads by drag and drop with progress, and a list
 * that follows the search box. The function is sent as its own source text, so it uses nothing from outside itself.
 */
function uploadPage(): void {
  const element = <T extends HTMLElement>(id: string, kind: new () => T): T | undefined => {
    const found = document.getElementById(id);
    return found instanceof kind ? found : undefined;
  };
  const list = element('list', HTMLElement);
  const search = element('q', HTMLInputElement);
  const said = element('said', HTMLElement);

  /** Puts the server's own list in place of the one that is shown. */
  let asked = 0;
  const refresh = async (): Promise<void> => {
    const mine = ++asked;
    const address = `/app?q=${encodeURIComponent(search?.value ?? '')}`;
    const response = await fetch(address, { credentials: 'same-origin' });
    if (!response.ok) return void location.assign('/app');
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const fresh = page.getElementById('list');
    if (mine === asked && list && fresh) list.replaceChildren(...fresh.childNodes);
  };

  let typing: ReturnType<typeof setTimeout> | undefined;
  search?.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => void refresh().catch(() => {}), 250);
  });

  const form = element('upload', HTMLFormElement);
  const drop = element('drop', HTMLElement);
  const chooser = element('files', HTMLInputElement);
  const progress = element('progress', HTMLElement);
  if (!form || !drop || !chooser || !progress) return;
  const most = Number(form.dataset.max);
  const pass = form.querySelector<HTMLInputElement>('input[name=form]')?.value ?? '';
  element('drop-hint', HTMLElement)?.removeAttribute('hidden');

  const upload = (file: File): Promise<void> => {
    const row = document.createElement('li');
    const name = document.createElement('b');
    name.append(Object.assign(document.createElement('bdi'), { textContent: file.name }));
    const bar = document.createElement('progress');
    bar.max = file.size || 1;
    bar.value = 0;
    bar.setAttribute('aria-label', `Upload of ${file.name}`);
    const state = document.createElement('p');
    const cancel = document.createElement('button');
    cancel.type = 'button';
    cancel.textContent = 'Cancel';
    cancel.setAttribute('aria-label', `Cancel ${file.name}`);
    row.append(name, bar, state, cancel);
    progress.prepend(row);

    const ended = (kind: 'error' | 'done', text: string) => {
      bar.remove();
      cancel.remove();
      state.className = kind;
      state.textContent = text;
      if (said) said.textContent = `${file.name}: ${text}`;
    };
    if (file.size > most) {
      ended('error', `over ${Math.floor(most / 1e6)} MB, which is the most for one file`);
      return Promise.resolve();
    }
    const request = new XMLHttpRequest();
    /** What the server tells of its reading, until the answer is there. */
    const follow = async (): Promise<void> => {
      const response = await fetch('/app/reading', { credentials: 'same-origin' });
      const reading = response.ok ? ((await response.json()) as Reading[]) : [];
      // The server may have tidied the name; it reads what was sent last.
      const mine = reading.find((one) => one.name === file.name) ?? reading.at(-1);
      if (state.className !== '' || !mine) return;
      state.textContent = mine.words;
      if (mine.of > 0) {
        bar.max = mine.of;
        bar.value = mine.done;
      } else bar.removeAttribute('value');
    };
    let following: ReturnType<typeof setInterval> | undefined;
    return new Promise<void>((resolve) => {
      request.upload.addEventListener('progress', ({ loaded }) => {
        bar.value = loaded;
        state.textContent = `${Math.floor((100 * loaded) / (file.size || 1))} %`;
      });
      request.upload.addEventListener('load', () => {
        bar.removeAttribute('value');
        state.textContent = 'reading the text';
        bar.setAttribute('aria-label', `Reading of ${file.name}`);
        following = setInterval(() => void follow().catch(() => {}), 700);
      });
      request.addEventListener('loadend', () => {
        clearInterval(following);
        const body = (request.response ?? {}) as { pages?: number; error?: string };
        if (request.status === 201) {
          ended('done', `added, ${body.pages} page${body.pages === 1 ? '' : 's'}`);
          void refresh().catch(() => {});
        } else if (request.status === 0) ended('error', 'not uploaded: it was cancelled, or the line broke');
        else ended('error', body.error ?? `not uploaded (${request.status})`);
        resolve();
      });
      cancel.addEventListener('click', () => {
        request.abort();
        // What is aborted while it waits ends without an event.
        if (state.className === '') ended('error', 'cancelled');
        resolve();
        chooser.focus();
      });
      request.open('PUT', `/app/files/${encodeURIComponent(file.name)}`);
      request.responseType = 'json';
      request.setRequestHeader('X-Form', pass);
      request.setRequestHeader('Content-Type', 'application/pdf');
      request.send(file);
    });
  };

  /** One after the other: the server reads one at a time too. */
  let queue = Promise.resolve();
  const uploadAll = (files: readonly File[]) => {
    for (const file of files) queue = queue.then(() => upload(file));
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    uploadAll([...(chooser.files ?? [])]);
    chooser.value = '';
  });
  drop.addEventListener('dragover', (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
  drop.addEventListener('dragleave', () => drop.classList.remove('over'));
  drop.addEventListener('drop', (event) => {
    event.preventDefault();
    drop.classList.remove('over');
    uploadAll([...(event.dataTransfer?.files ?? [])]);
  });
}

/** As `/app/reading` has it. */
interface Reading {
  readonly name: string;
  readonly words: string;
  readonly done: number;
  readonly of: number;
}

/** The source of the page's script, a module. */
export const APP_SCRIPT = `(${uploadPage.toString()})();\n`;
