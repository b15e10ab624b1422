export const WEB_CONFIG = /(?:^|\/)web\.config$/i;
export const SPRING_PROPERTIES_PATH = /(?:^|\/)application(?:-[\w.-]{1,60})?\.properties$/;
/** The first line of a Web Forms page can override the application's settings. */
const WEB_PAGE = /\.(?:aspx|ascx|master)$/i;

export function canHoldSettings(path: string): boolean {
  return WEB_CONFIG.test(path) || WEB_PAGE.test(path) || SPRING_PROPERTIES_PATH.test(path);
}
