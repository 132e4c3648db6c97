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

/** True if the text contains a URL. */
export const containsUrl = (text: string): boolean => text.includes('://');

/** A model configured in addition to the chosen one. */
interface AdditionalModel {
  readonly name: string;
}

/**
 * Finds a model that a file or a model requests by name: one configured in addition to the chosen one, or else another
 * at the same provider. Data of a run must never go to a server or extension that the person did not choose. Throws an
 * `Error` with a message for the model.
 */
export function modelByName<Other extends AdditionalModel>(
  text: string,
  {
    name: chosen = '',
    ownerOf = () => '',
    additional = [],
  }: {
    readonly name?: string | undefined;
    /** Owner of a model. If absent, all models at the provider have the same owner. */
    readonly ownerOf?: ((model: string) => string) | undefined;
    readonly additional?: readonly Other[];
  },
): Other | AdditionalModel {
  const name = text.trim();
  const isAddress = containsUrl(name);
  const added = isAddress ? undefined : additional.find((each) => each.name === name);
  if (added) return added;
  const isForeign = ownerOf(name) !== ownerOf(chosen);
  if (!isAddress && !isForeign) return { name };
  const names = [...new Set([chosen, ...additional.map((each) => each.name)])].filter(Boolean);
  const why = isForeign ? 'whose models are used' : 'servers, so you cannot give an address';
  const offer = names.length > 0 ? `name one of these: ${names.join(', ')}, or ` : '';
  throw new Error(
    `"${name}" is not used: only the user chooses ${why}. Omit the model, or ${offer}name another model of the same server by its plain name.`,
  );
}
