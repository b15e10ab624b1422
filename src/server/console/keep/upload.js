const byId = (id) => document.getElementById(id);
const make = (tag, properties, ...inner) => {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...inner);
  return node;
};
const chosenCollection = () => byId('collection')?.value.trim() ?? '';

/** Removes the preview of a file that has no picture. */
function hideUndrawn() {
  const figure = byId('look');
  const picture = figure?.querySelector('img');
  const hide = () => figure.remove();
  picture?.addEventListener('error', hide);
  if (picture?.complete && picture.naturalWidth === 0) hide();
}

let asked = 0;
async function refreshList() {
  const mine = ++asked;
  const collection = chosenCollection();
  const words = { q: byId('q')?.value ?? '', ...(collection && { collection }) };
  const home = byId('search')?.getAttribute('action') ?? location.pathname;
  const response = await fetch(`${home}?${new URLSearchParams(words)}`);
  if (!response.ok) return location.assign(home);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const fresh = page.getElementById('list');
  if (mine === asked && fresh) byId('list')?.replaceChildren(...fresh.childNodes);
}

function followSearch() {
  let typing;
  byId('q')?.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => refreshList().catch(() => {}), 250);
  });
}

function addRow({ name, size }) {
  const bar = make('progress', { max: size || 1, value: 0, ariaLabel: `Upload of ${name}` });
  const state = make('p');
  const cancel = make('button', { type: 'button', ariaLabel: `Cancel ${name}` }, 'Cancel');
  byId('progress').prepend(make('li', {}, make('b', {}, make('bdi', {}, name)), bar, state, cancel));
  const end = (kind, text) => {
    bar.remove();
    cancel.remove();
    state.className = kind;
    state.textContent = text;
    byId('said').textContent = `${name}: ${text}`;
  };
  return { bar, state, cancel, end };
}

async function showReading(file, address, { bar, state }) {
  const response = await fetch(address);
  const reading = response.ok ? await response.json() : [];
  // Finds the upload by its name. If the server has changed the name, takes the newest upload.
  const mine = reading.find((one) => one.name === file.name) ?? reading.at(-1);
  if (state.className !== '' || !mine) return;
  state.textContent = mine.words;
  if (mine.of > 0) Object.assign(bar, { max: mine.of, value: mine.done });
  else bar.removeAttribute('value');
}

function showProgress(request, file, address, row) {
  const { bar, state } = row;
  let reading;
  request.upload.addEventListener('progress', ({ loaded }) => {
    bar.value = loaded;
    state.textContent = `${Math.floor((100 * loaded) / (file.size || 1))} %`;
  });
  request.upload.addEventListener('load', () => {
    bar.removeAttribute('value');
    state.textContent = 'reading the text';
    bar.ariaLabel = `Reading of ${file.name}`;
    reading = setInterval(() => showReading(file, address, row).catch(() => {}), 700);
  });
  request.addEventListener('loadend', () => clearInterval(reading));
}

function askPassword(file, { state }) {
  const field = make('input', { type: 'password', autocomplete: 'off', required: true });
  const label = make('label', {}, `Password of ${file.name}`, field);
  const form = make('form', { className: 'key' }, label, make('button', {}, 'Upload again'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    state.parentElement?.remove();
    addUpload(file, field.value);
  });
  state.after(form);
  field.focus();
}

function upload(file, password) {
  const form = byId('upload');
  const maxBytes = Number(form.dataset.max);
  const row = addRow(file);
  if (file.size > maxBytes) {
    row.end('error', `over ${Math.floor(maxBytes / 1e6)} MB, the maximum for one file`);
    return;
  }
  const request = new XMLHttpRequest();
  return new Promise((resolve) => {
    showProgress(request, file, form.dataset.reading, row);
    request.addEventListener('loadend', () => {
      const { words, error = `not uploaded (${request.status})` } = request.response ?? {};
      if (request.status === 201) {
        row.end('done', `added, ${words}`);
        refreshList().catch(() => {});
      } else if (request.status === 0)
        row.end('error', 'not uploaded: it was cancelled, or the connection broke');
      else {
        row.end('error', error);
        if (/encrypted PDF/.test(error)) askPassword(file, row);
      }
      resolve();
    });
    row.cancel.addEventListener('click', () => {
      request.abort();
      if (row.state.className === '') row.end('error', 'cancelled');
      resolve();
      byId('files').focus();
    });
    const collection = chosenCollection();
    const address = new URL(`${form.dataset.put}${encodeURIComponent(file.name)}`, location.href);
    if (collection) address.searchParams.set('collection', collection);
    request.open('PUT', address);
    request.responseType = 'json';
    request.setRequestHeader('X-Form', form.querySelector('input[name=form]').value);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    if (password) request.setRequestHeader('X-Password', encodeURIComponent(password));
    request.send(file);
  });
}

/** Uploads one file after the other, because the server reads one file at a time. */
let queue = Promise.resolve();
function addUpload(file, password) {
  queue = queue.then(() => upload(file, password));
}

function uploadAll(files) {
  const field = byId('password');
  for (const file of files) addUpload(file, field.value);
  field.value = '';
}

function followForm() {
  const [form, drop, chooser] = [byId('upload'), byId('drop'), byId('files')];
  if (!form) return;
  byId('drop-hint').hidden = false;
  byId('send').remove();
  const uploadChosen = () => {
    uploadAll([...chooser.files]);
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

hideUndrawn();
followSearch();
followForm();
