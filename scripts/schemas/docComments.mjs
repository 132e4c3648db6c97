// Adds the doc comments of zod schemas to the JSON schema that is generated from them.
import ts from 'typescript';

/** @typedef {{ expression: ts.Expression, doc: string | undefined }} Declared A constant and the comment before it. */

/**
 * Returns the constants of TypeScript sources, by name. If a constant has no comment, that of the type with the same
 * name counts.
 */
export function declarationsIn(texts) {
  const found = new Map();
  const typeDocs = new Map();
  for (const text of texts) {
    const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
    for (const statement of source.statements) {
      if (ts.isTypeAliasDeclaration(statement)) typeDocs.set(statement.name.text, docOf(statement));
      if (!ts.isVariableStatement(statement)) continue;
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (initializer) found.set(name.getText(source), { expression: initializer, doc: docOf(statement) });
      }
    }
  }
  for (const [name, declared] of found) declared.doc ??= typeDocs.get(name);
  return found;
}

/**
 * Returns the comment before a node, on one line. The compiler's own API ignores comments after other code on the line.
 */
function docOf(node) {
  const before = node.getSourceFile().text.slice(node.getFullStart(), node.getStart());
  const comment = [...before.matchAll(/\/\*\*([\s\S]*?)\*\//g)].at(-1)?.[1];
  return (
    comment
      ?.replace(/^\s*\*/gm, '')
      .replace(/\s+/g, ' ')
      .trim() || undefined
  );
}

/** Adds descriptions to the fields of `schema`, which was generated from the zod expression, recursively. */
export function describe(schema, expression, declared) {
  if (!schema || !expression) return;
  if (ts.isIdentifier(expression)) return;
  if (ts.isObjectLiteralExpression(expression)) return describeFields(schema, expression, declared);
  if (!ts.isCallExpression(expression)) return;
  const called = ts.isPropertyAccessExpression(expression.expression) ? expression.expression.name.text : '';
  const [first, second] = expression.arguments;
  if (called === 'object') return describe(schema, first, declared);
  if (called === 'array') return describe(schema.items, first, declared);
  if (called === 'record') return describe(schema.additionalProperties, second, declared);
  if (called === 'discriminatedUnion')
    return second.elements.forEach((element, index) => describe(schema.oneOf?.[index], element, declared));
  // ".optional()" and the like do not change the content.
  if (ts.isPropertyAccessExpression(expression.expression))
    describe(schema, expression.expression.expression, declared);
}

function describeFields(schema, literal, declared) {
  for (const property of literal.properties) {
    if (!ts.isPropertyAssignment(property) || !ts.isIdentifier(property.name)) continue;
    const field = schema.properties?.[property.name.text];
    const doc = docOf(property);
    if (field && doc) field.description = doc;
    describe(field, property.initializer, declared);
  }
}

/** Returns the fields of each event: `event('type', { … })`, or a call of `() => ({ … })`. */
export function eventFields(declared) {
  const union = declared.get('Event').expression;
  return new Map(
    union.arguments[1].elements.map((call) => {
      const [type, fields] = call.arguments;
      return [
        type.text,
        ts.isCallExpression(fields) ? declared.get(fields.expression.text).expression.body.expression : fields,
      ];
    }),
  );
}
