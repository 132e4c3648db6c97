import { isMap, isPair, isScalar, visit, type Alias, type Document, type Node } from 'yaml';

/** Aliases beyond this are a trap: each may stand for many more. */
const mostAliases = 100;

/** Why a document has no value although it can be parsed; `pos`: offsets. */
export interface AliasError { readonly message: string; readonly pos: readonly [number, number] }

/** What a document says. Where its aliases stand for nothing, for themselves or for too much, only what holds none of them, and why. */
export function valueOf(document: Document): { readonly value: unknown; readonly error?: AliasError } {
  try {
    const value: unknown = document.toJS({ maxAliasCount: mostAliases });
    JSON.stringify(value); // throws for what holds itself
    return { value };
  } catch {
    const pairs = isMap(document.contents) ? document.contents.items.filter(isPair) : [];
    const plain = pairs.flatMap(({ key, value }) => (isScalar(key) && aliasesIn(value as Node | null).length === 0 ? [[String(key.value), (value as Node | null)?.toJS(document) as unknown]] : []));
    return { value: Object.fromEntries(plain) as unknown, error: errorIn(document) };
  }
}

function errorIn(document: Document): AliasError {
  const aliases = aliasesIn(document.contents);
  const nothing = aliases.find(alias => alias.resolve(document) === undefined);
  const [from = 0, to = 0] = (nothing ?? aliases[0])?.range ?? [];
  return {
    pos: [from, to],
    message: nothing ? `"*${nothing.source}" without quotes stands for something that is marked "&${nothing.source}", and nothing is. Put it in quotes.` : 'What "*" stands for here holds itself or grows too large. Write the values out.',
  };
}

function aliasesIn(node: Node | null): Alias[] {
  const found: Alias[] = [];
  if (node) visit(node, { Alias: (_key, alias) => void found.push(alias) });
  return found;
}
