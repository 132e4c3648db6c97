/** Whether that is, or holds, the address of a server. */
export const holdsAddress = (text: string): boolean => text.includes('://');

/** A model that the person has beside the chosen one. */
interface Beside {
  readonly name: string;
}

/**
 * The model that a file or a model asks for by name: one that the person set beside the chosen one, or else
 * another at the same provider. What a run reads goes to no server and no extension that the person did not
 * choose. Throws an `Error` in words for the model.
 */
export function modelByName<Other extends Beside>(
  text: string,
  {
    name: chosen = '',
    ownerOf = () => '',
    beside = [],
  }: {
    readonly name?: string | undefined;
    /** To whom a model belongs; absent where all at the provider belong to one. */
    readonly ownerOf?: ((model: string) => string) | undefined;
    readonly beside?: readonly Other[];
  },
): Other | Beside {
  const name = text.trim();
  const isAddress = holdsAddress(name);
  const known = isAddress ? undefined : beside.find((each) => each.name === name);
  if (known) return known;
  const isForeign = ownerOf(name) !== ownerOf(chosen);
  if (!isAddress && !isForeign) return { name };
  const names = [...new Set([chosen, ...beside.map((each) => each.name)])].filter(Boolean);
  const why = isForeign ? 'whose models are used' : 'servers, so no address can be given';
  const offer = names.length > 0 ? `, or name one of these: ${names.join(', ')}` : '';
  throw new Error(
    `"${name}" is not asked: only the person chooses ${why}. Leave the model out${offer}, or another of the same server by its plain name.`,
  );
}
