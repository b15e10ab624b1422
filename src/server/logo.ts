export const LOGO_SVG =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><defs><linearGradient id="s" x1="0" x2="1"><stop stop-color="#0a6a72"/><stop offset=".55" stop-color="#2a59b5"/><stop offset="1" stop-color="#6a3fa0"/></linearGradient></defs><path d="M3 24c6 0 9-2 11-7 1.5-4 4-7 9-7 2 0 3.5.8 4.5 2l3 1.2-3.2 1C26.5 20 22 24 15 25.5L4 29z" fill="url(#s)"/><circle cx="24.5" cy="12.5" r="1" fill="#fff"/></svg>';

export const SMALL_LOGO_SVG =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><path fill='#2a59b5' d='M3 24c6 0 9-2 11-7 1.5-4 4-7 9-7 2 0 3.5.8 4.5 2l3 1.2-3.2 1C26.5 20 22 24 15 25.5L4 29z'/></svg>";
