const set = (tags: string): ReadonlySet<string> => new Set(tags.split(' '));

export const VOID_TAGS = set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
);

export const BLOCK_TAGS = set(
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol optgroup option p pre search section summary table tbody td tfoot th thead tr ul caption',
);

export const PARAGRAPH_ENDING_TAGS = set(
  'address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp',
);

/** Formatting elements. The end of a block also ends them. An end tag such as `</b>` never closes a block. */
export const FORMATTING_TAGS = set(
  'a abbr b bdi bdo big cite code del dfn em font i ins kbd mark nobr q s samp small span strike strong sub sup time tt u var',
);

/** An end tag inside one of these elements cannot close an element outside of it. */
export const SCOPE_TAGS = set('applet caption html table td th marquee object template foreignobject');

export const UNREAD_TAGS = set(
  'script style template noscript iframe object embed applet canvas audio video svg map datalist select textarea input progress meter frameset noframes noembed dialog portal title meta link base amp-ad amp-embed amp-sidebar amp-consent amp-social-share amp-analytics',
);

export const HEADING_TAGS = set('h1 h2 h3 h4 h5 h6');
