import { isMap, isPair, isScalar, visit, type Alias, type Document, type Node, type Scalar } from 'yaml';

/** Maximum expansion of aliases. More suggests an attack, because each alias may expand to many others. */
const maxAliases = 100;

/** Why a document has no value although it can be parsed. `pos` contains offsets. */
interface AliasError {
  readonly message: string;
  readonly pos: readonly [number, number];
}

/** The value of a document, and the same with numbers and booleans as written. */
interface YamlValue {
  readonly value: unknown;
  readonly written: unknown;
  readonly error?: AliasError;
}

/**
 * Returns the value of a document. If its aliases are undefined, recursive or expand too far, returns only the part
 * without aliases, and an error.
 */
export function yamlValueOf(document: Document): YamlValue {
  const unlike = scalarsIn(document).filter(
    ({ value, source }) => source !== undefined && (typeof value === 'number' || typeof value === 'boolean'),
  );
  // JSON has no infinity, and cannot represent integers of twenty digits.
  asWritten(
    unlike.filter(
      ({ value }) =>
        typeof value === 'number' &&
        !Number.isSafeInteger(value) &&
        (Number.isInteger(value) || !Number.isFinite(value)),
    ),
  );
  try {
    const value: unknown = document.toJS({ maxAliasCount: maxAliases });
    JSON.stringify(value); // throws for a recursive value
    asWritten(unlike);
    return { value, written: unlike.length > 0 ? (document.toJS({ maxAliasCount: maxAliases }) as unknown) : value };
  } catch {
    const pairs = isMap(document.contents) ? document.contents.items.filter(isPair) : [];
    const plain = pairs.flatMap(({ key, value }) =>
      isScalar(key) && key.source !== merge && isWhole(value as Node | null)
        ? [[String(key.value), (value as Node | null)?.toJS(document) as unknown]]
        : [],
    );
    const value: unknown = Object.fromEntries(plain);
    return { value, written: value, error: errorIn(document) };
  }
}

const asWritten = (scalars: readonly Scalar[]): void =>
  scalars.forEach((scalar) => {
    scalar.value = scalar.source;
  });

function scalarsIn(document: Document): Scalar[] {
  const found: Scalar[] = [];
  visit(document, { Scalar: (_key, scalar) => void found.push(scalar) });
  return found;
}

/** YAML merge key, which copies the fields of another mapping. */
const merge = '<<';

const isWhole = (node: Node | null): boolean => aliasesIn(node).length === 0 && !mergeIn(node);

function mergeIn(node: Node | null): Scalar | undefined {
  let found: Scalar | undefined;
  if (node)
    visit(node, {
      Pair: (_at, { key }) => {
        if (!isScalar(key) || key.source !== merge) return undefined;
        found = key;
        return visit.BREAK;
      },
    });
  return found;
}

function errorIn(document: Document): AliasError {
  const merged = mergeIn(document.contents);
  if (merged && aliasesIn(document.contents).length === 0)
    return {
      pos: [merged.range?.[0] ?? 0, merged.range?.[1] ?? 0],
      message: `"${merge}" copies the fields of another list, but does not name one. Write the fields out.`,
    };
  const aliases = aliasesIn(document.contents);
  const nothing = aliases.find((alias) => alias.resolve(document) === undefined);
  const [from = 0, to = 0] = (nothing ?? aliases[0])?.range ?? [];
  return {
    pos: [from, to],
    message: nothing
      ? `Without quotes, "*${nothing.source}" refers to a value marked "&${nothing.source}", which does not exist. Put it in quotes.`
      : 'The value that "*" refers to contains itself or grows too large. Write the values out.',
  };
}

function aliasesIn(node: Node | null): Alias[] {
  const found: Alias[] = [];
  if (node) visit(node, { Alias: (_key, alias) => void found.push(alias) });
  return found;
}
