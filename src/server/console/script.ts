/** Script of the console: the choice between the light, the dark and the system's theme. All else works without. */
export const CONSOLE_SCRIPT = `
const root = document.documentElement;
const kept = () => { try { return localStorage.getItem('magpie-theme'); } catch { return null; } };
const apply = (theme) => { if (theme === 'light' || theme === 'dark') root.dataset.theme = theme; else delete root.dataset.theme; };
apply(kept());
document.addEventListener('DOMContentLoaded', () => {
  const button = document.getElementById('theme');
  if (!button) return;
  const name = () => { button.textContent = 'Theme: ' + (root.dataset.theme ?? 'system'); };
  button.hidden = false;
  name();
  button.addEventListener('click', () => {
    const next = { light: 'dark', dark: 'system' }[root.dataset.theme] ?? 'light';
    apply(next);
    try { localStorage.setItem('magpie-theme', next); } catch {}
    name();
  });
});
`;
