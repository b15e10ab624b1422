const root = document.documentElement;
const kept = () => {
  try {
    return localStorage.getItem('magpie-theme');
  } catch {
    return null;
  }
};
const apply = (theme) => {
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  else delete root.dataset.theme;
};
apply(kept());
document.addEventListener('DOMContentLoaded', () => {
  const buttons = [...document.querySelectorAll('[data-theme-button]')];
  const name = () => {
    for (const button of buttons) button.textContent = `Theme: ${root.dataset.theme ?? 'system'}`;
  };
  name();
  for (const button of buttons) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const next = { light: 'dark', dark: 'system' }[root.dataset.theme] ?? 'light';
      apply(next);
      try {
        localStorage.setItem('magpie-theme', next);
      } catch {}
      name();
    });
  }
  for (const pre of document.querySelectorAll('pre[data-copy]')) {
    const box = document.createElement('div');
    box.className = 'copy';
    const button = Object.assign(document.createElement('button'), {
      type: 'button',
      className: 'small',
      textContent: 'Copy',
    });
    pre.replaceWith(box);
    box.append(pre, button);
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(pre.textContent);
        button.textContent = 'Copied';
      } catch {
        getSelection().selectAllChildren(pre);
      }
    });
  }
  const more = document.querySelector('.more');
  const close = () => {
    if (more?.open) {
      more.open = false;
      more.querySelector('summary').focus();
    }
  };
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
  });
  document.addEventListener('click', (event) => {
    if (more?.open && !more.contains(event.target)) more.open = false;
  });
});
const PERIOD_MS = 1500;
const typed = () =>
  [...document.querySelectorAll('input, textarea')].some(
    (one) => one.value !== one.defaultValue || one.checked !== one.defaultChecked,
  );
const follow = async () => {
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } });
    if (response.ok) {
      const next = new DOMParser().parseFromString(await response.text(), 'text/html');
      const done = !('live' in next.body.dataset);
      if (done && !typed()) return location.reload();
      for (const part of document.querySelectorAll('[data-part]')) {
        const newer = next.getElementById(part.id);
        if (newer && newer.innerHTML !== part.innerHTML) part.innerHTML = newer.innerHTML;
      }
      if (done) return;
    }
  } catch {}
  setTimeout(follow, PERIOD_MS);
};
document.addEventListener('DOMContentLoaded', () => {
  if ('live' in document.body.dataset) setTimeout(follow, PERIOD_MS);
});
