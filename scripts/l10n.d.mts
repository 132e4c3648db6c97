export function bundleText(folder: string): string;
export interface Translation {
  readonly file: string;
  readonly english: Readonly<Record<string, string>>;
  readonly translated: Readonly<Record<string, string>>;
}
export function languagesOf(folder: string): readonly string[];
export function translationsOf(folder: string, language: string): readonly Translation[];
export function fixedParts(text: string): readonly string[];
