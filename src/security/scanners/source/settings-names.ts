export const WEB_CONFIG_PATH = /(?:^|\/)web\.config$/i;
export const SPRING_PROPERTIES_PATH = /(?:^|\/)application(?:-[\w.-]{1,60})?\.properties$/;
const WEB_PAGE = /\.(?:aspx|ascx|master)$/i;

export const canHoldSettings = (path: string): boolean =>
  WEB_CONFIG_PATH.test(path) || WEB_PAGE.test(path) || SPRING_PROPERTIES_PATH.test(path);

export type SettingsProperty = ReturnType<typeof propertiesIn>[number];

const PROPERTY = /^[ \t]{0,40}([\w.-]{1,200})[ \t]{0,40}[=:][ \t]{0,40}(.{0,500})$/;

export const propertiesIn = (text: string) =>
  text.split('\n').flatMap((written, at) => {
    const [, name = '', value = ''] = PROPERTY.exec(written.trimEnd()) ?? [];
    return name === '' ? [] : [{ name, value, line: at + 1 }];
  });
