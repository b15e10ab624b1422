/** Script of every page: the choice between the light, the dark and the system's theme, and the sheet of a phone. All else works without. */
export const CONSOLE_SCRIPT = `
const root = document.documentElement;
const kept = () => { try { return localStorage.getItem('magpie-theme'); } catch { return null; } };
const apply = (theme) => { if (theme === 'light' || theme === 'dark') root.dataset.theme = theme; else delete root.dataset.theme; };
apply(kept());
document.addEventListener('DOMContentLoaded', () => {
  const buttons = [...document.querySelectorAll('[data-theme-button]')];
  const name = () => { for (const button of buttons) button.textContent = 'Theme: ' + (root.dataset.theme ?? 'system'); };
  name();
  for (const button of buttons) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const next = { light: 'dark', dark: 'system' }[root.dataset.theme] ?? 'light';
      apply(next);
      try { localStorage.setItem('magpie-theme', next); } catch {}
      name();
    });
  }
  const more = document.querySelector('.more');
  const close = () => { if (more?.open) { more.open = false; more.querySelector('summary').focus(); } };
  document.addEventListener('keydown', (event) => { if (event.key === 'Escape') close(); });
  document.addEventListener('click', (event) => { if (more?.open && !more.contains(event.target)) more.open = false; });
});
`;
