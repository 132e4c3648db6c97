import fs from 'node:fs';
import path from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

/** OpenAI's request schemas, and the definitions that they refer to. */
const { $defs, properties } = JSON.parse(
  fs.readFileSync(path.join(process.env.REPOSITORY!, 'test/fixtures/openai/requestSchemas.json'), 'utf8'),
) as { $defs: object; properties: Record<'chat' | 'responses', object> };

const made = new Map<string, ValidateFunction>();

function validatorOf(protocol: 'chat' | 'responses'): ValidateFunction {
  const known =
    made.get(protocol) ??
    new Ajv2020({ allErrors: true, strict: false, verbose: true }).compile({ ...properties[protocol], $defs });
  made.set(protocol, known);
  return known;
}

/**
 * Returns where a request violates OpenAI's published schema, with all objects closed to additional keys; empty if it
 * is valid.
 */
export function schemaFaults(protocol: 'chat' | 'responses', body: unknown): string[] {
  const validate = validatorOf(protocol);
  if (validate(body)) return [];
  const errors = validate.errors ?? [];
  // Of the variants of an object, only those with the same type and role produce useful messages.
  const isOfOther = ({ parentSchema, data }: ErrorObject): boolean =>
    ['type', 'role'].some((key) => {
      const { enum: allowed } = (parentSchema as VariantSchema).properties?.[key] ?? {};
      return allowed !== undefined && !allowed.includes((data as Record<string, unknown>)[key] ?? allowed[0]);
    });
  const telling = errors.filter(
    (error) => ['additionalProperties', 'required'].includes(error.keyword) && !isOfOther(error),
  );
  const shown = telling.length > 0 ? telling : errors;
  return [
    ...new Set(
      shown.map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`),
    ),
  ];
}

interface VariantSchema {
  readonly properties?: Readonly<Record<string, { readonly enum?: readonly unknown[] }>>;
}
