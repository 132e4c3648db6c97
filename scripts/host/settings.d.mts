export const SETTINGS: Readonly<Record<string, unknown>>;
export const UNRELATED_EXTENSIONS: readonly string[];
export const THEMES: Readonly<
  Record<
    'dark' | 'light' | 'high-contrast-dark' | 'high-contrast-light',
    { readonly setting: string; readonly name: string; readonly css: string }
  >
>;
