/**
 * Normalizes a name for lookups by removing provider and date: "Anthropic/claude-opus-5.5-20260922" →
 * "claude-opus-5-5".
 */
export const normalizedModelName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/-(\d{4}-\d\d-\d\d|\d{8}|latest)$/, '')
    .replaceAll('.', '-');
