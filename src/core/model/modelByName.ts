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
    provider,
    name: chosen = '',
    beside = [],
  }: { readonly provider?: string; readonly name?: string | undefined; readonly beside?: readonly Other[] },
): Other | Beside {
  const name = text.trim();
  const known = holdsAddress(name) ? undefined : beside.find((each) => each.name === name);
  // "publisher.extension/model"
  const isForeign = provider === 'extension' && name.split('/')[0] !== chosen.split('/')[0];
  if (known || (!holdsAddress(name) && !isForeign)) return known ?? { name };
  const names = [...new Set([chosen, ...beside.map((each) => each.name)])].filter(Boolean);
  throw new Error(
    `"${name}" is not asked: only the person chooses ${isForeign ? 'whose models are used' : 'servers, so no address can be given'}. Leave the model out${names.length > 0 ? `, or name one of these: ${names.join(', ')}` : ''}, or another of the same server by its plain name.`,
  );
}
