import { markup } from '../views/bridge.ts';

/** Scripts of the page of files. Browsers get the functions as source text, so imports cannot be used. */
function uploadPage(): void {
  hideUndrawn();
  const refresh = followSearch();
  const form = element('upload', HTMLFormElement);
  const drop = element('drop', HTMLElement);
  const chooser = element('files', HTMLInputElement);
  if (!form || !drop || !chooser || !element('progress', HTMLElement)) return;
  element('drop-hint', HTMLElement)?.removeAttribute('hidden');

  /** Uploads one file after the other, because the server reads one file at a time. */
  let queue = Promise.resolve();
  const add = (file: File, password: string) => {
    const again = (typed: string) => add(file, typed);
    queue = queue.then(() => upload(file, password, { form, chooser, refresh, again }));
  };
  const uploadAll = (files: readonly File[]) => {
    const field = element('password', HTMLInputElement);
    for (const file of files) add(file, field?.value ?? '');
    if (field) field.value = '';
  };
  element('send', HTMLButtonElement)?.remove();
  const uploadChosen = () => {
    uploadAll([...(chooser.files ?? [])]);
    chooser.value = '';
  };
  chooser.addEventListener('change', uploadChosen);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    uploadChosen();
  });
  // Accepts drops anywhere. Otherwise, the browser would open a file dropped beside the drop area.
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
  document.addEventListener('dragleave', () => drop.classList.remove('over'));
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    drop.classList.remove('over');
    uploadAll([...(event.dataTransfer?.files ?? [])]);
  });
}

function hideUndrawn(): void {
  const figure = element('look', HTMLElement);
  const picture = figure?.querySelector('img');
  const hide = () => figure?.remove();
  picture?.addEventListener('error', hide);
  if (picture?.complete && picture.naturalWidth === 0) hide();
}

function element<T extends HTMLElement>(id: string, kind: new () => T): T | undefined {
  const found = document.getElementById(id);
  return found instanceof kind ? found : undefined;
}

function followSearch(): () => Promise<void> {
  const list = element('list', HTMLElement);
  const search = element('q', HTMLInputElement);
  let asked = 0;
  const refresh = async (): Promise<void> => {
    const mine = ++asked;
    const collection = element('collection', HTMLInputElement)?.value.trim() ?? '';
    const words = { q: search?.value ?? '', ...(collection && { collection }) };
    const home = element('search', HTMLFormElement)?.getAttribute('action') ?? location.pathname;
    const response = await fetch(`${home}?${new URLSearchParams(words)}`, { credentials: 'same-origin' });
    if (!response.ok) return void location.assign(home);
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const fresh = page.getElementById('list');
    if (mine === asked && list && fresh) list.replaceChildren(...fresh.childNodes);
  };
  let typing: ReturnType<typeof setTimeout> | undefined;
  search?.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => void refresh().catch(() => {}), 250);
  });
  return refresh;
}

type UploadRow = ReturnType<typeof addRow>;

function addRow(file: File) {
  const row = markup`<li><b><bdi>${file.name}</bdi></b><progress max="${file.size || 1}" value="0" aria-label="Upload of ${file.name}"></progress><p></p><button type="button" aria-label="Cancel ${file.name}">Cancel</button></li>`;
  const bar = row.querySelector('progress') as HTMLProgressElement;
  const state = row.querySelector('p') as HTMLElement;
  const cancel = row.querySelector('button') as HTMLButtonElement;
  element('progress', HTMLElement)?.prepend(row);
  return {
    bar,
    state,
    cancel,
    end(kind: 'error' | 'done', text: string): void {
      bar.remove();
      cancel.remove();
      state.className = kind;
      state.textContent = text;
      const said = element('said', HTMLElement);
      if (said) said.textContent = `${file.name}: ${text}`;
    },
  };
}

async function showReading(file: File, address: string, { bar, state }: UploadRow): Promise<void> {
  const response = await fetch(address, { credentials: 'same-origin' });
  const reading = response.ok ? ((await response.json()) as FileProgress[]) : [];
  // Finds the upload by its name. If the server has changed the name, takes the newest upload.
  const mine = reading.find((one) => one.name === file.name) ?? reading.at(-1);
  if (state.className !== '' || !mine) return;
  state.textContent = mine.words;
  if (mine.of > 0) {
    bar.max = mine.of;
    bar.value = mine.done;
  } else bar.removeAttribute('value');
}

function showProgress(request: XMLHttpRequest, file: File, address: string, row: UploadRow): void {
  const { bar, state } = row;
  let reading: ReturnType<typeof setInterval> | undefined;
  request.upload.addEventListener('progress', ({ loaded }) => {
    bar.value = loaded;
    state.textContent = `${Math.floor((100 * loaded) / (file.size || 1))} %`;
  });
  request.upload.addEventListener('load', () => {
    bar.removeAttribute('value');
    state.textContent = 'reading the text';
    bar.setAttribute('aria-label', `Reading of ${file.name}`);
    reading = setInterval(() => void showReading(file, address, row).catch(() => {}), 700);
  });
  request.addEventListener('loadend', () => clearInterval(reading));
}

function askPassword(file: File, { state }: UploadRow, again: (password: string) => void): void {
  state.after(
    markup`<form class="key"><label>Password of ${file.name}<input type="password" autocomplete="off" required></label><button>Upload again</button></form>`,
  );
  const form = state.nextElementSibling as HTMLFormElement;
  const field = form.querySelector('input') as HTMLInputElement;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    state.parentElement?.remove();
    again(field.value);
  });
  field.focus();
}

interface UploadPage {
  readonly form: HTMLFormElement;
  readonly chooser: HTMLInputElement;
  readonly refresh: () => Promise<void>;
  readonly again: (password: string) => void;
}

function upload(file: File, password: string, { form, chooser, refresh, again }: UploadPage): Promise<void> {
  const most = Number(form.dataset.max);
  const pass = form.querySelector<HTMLInputElement>('input[name=form]')?.value ?? '';
  const row = addRow(file);
  if (file.size > most) {
    row.end('error', `over ${Math.floor(most / 1e6)} MB, the maximum for one file`);
    return Promise.resolve();
  }
  const request = new XMLHttpRequest();
  return new Promise<void>((resolve) => {
    showProgress(request, file, form.dataset.reading ?? '', row);
    request.addEventListener('loadend', () => {
      const body = (request.response ?? {}) as { words?: string; error?: string };
      if (request.status === 201) {
        row.end('done', `added, ${body.words}`);
        void refresh().catch(() => {});
      } else if (request.status === 0)
        row.end('error', 'not uploaded: it was cancelled, or the connection broke');
      else {
        row.end('error', body.error ?? `not uploaded (${request.status})`);
        if (/encrypted PDF/.test(body.error ?? '')) askPassword(file, row, again);
      }
      resolve();
    });
    row.cancel.addEventListener('click', () => {
      request.abort();
      if (row.state.className === '') row.end('error', 'cancelled');
      resolve();
      chooser.focus();
    });
    const collection = element('collection', HTMLInputElement)?.value.trim() ?? '';
    const address = new URL(`${form.dataset.put}${encodeURIComponent(file.name)}`, location.href);
    if (collection) address.searchParams.set('collection', collection);
    request.open('PUT', address);
    request.responseType = 'json';
    request.setRequestHeader('X-Form', pass);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    if (password) request.setRequestHeader('X-Password', encodeURIComponent(password));
    request.send(file);
  });
}

interface FileProgress {
  readonly name: string;
  readonly words: string;
  readonly done: number;
  readonly of: number;
}

const FUNCTIONS = [
  markup,
  element,
  hideUndrawn,
  followSearch,
  addRow,
  showReading,
  showProgress,
  askPassword,
  upload,
  uploadPage,
];

export const UPLOAD_PAGE_SCRIPT = `${FUNCTIONS.map(String).join('\n')}\nuploadPage();\n`;
