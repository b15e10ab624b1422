/** Inlines shadow trees, hides invisible elements, and returns the document. The page's own scripts cannot change it. */
// biome-ignore lint/correctness/noUnusedVariables: serialize-page.ts runs this text in the page.
function serializeDocument(most) {
  const flatten = (root) => {
    for (const host of root.querySelectorAll('*')) {
      const shadow = host.shadowRoot;
      if (!shadow) continue;
      flatten(shadow);
      for (const slot of shadow.querySelectorAll('slot')) {
        const given = slot.assignedNodes();
        for (const node of given) slot.before(node);
        if (given.length > 0) slot.remove();
      }
      host.replaceChildren();
      while (shadow.firstChild) host.append(shadow.firstChild);
    }
  };
  const unseen = [...document.querySelectorAll('body *')].filter(
    (one) => one.checkVisibility && !one.checkVisibility({ visibilityProperty: true }),
  );
  for (const one of unseen)
    if (!/^(script|style|template|noscript|br|wbr|option|source)$/i.test(one.localName))
      one.setAttribute('hidden', '');
  flatten(document);
  return `<!doctype html>${document.documentElement.outerHTML.slice(0, most)}`;
}
