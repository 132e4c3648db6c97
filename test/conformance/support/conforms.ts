import { everyId } from './ids';
import { World } from './world';

/** Declaration for one id of the reference. */
interface Declared {
  readonly id: string;
  readonly words: string;
  readonly kind: 'case' | 'not_applicable' | 'missing';
}

export const declared: Declared[] = [];

function declare(said: Declared): string {
  if (!everyId.includes(said.id)) throw new Error(`The reference has no case ${said.id}.`);
  if (declared.some(({ id }) => id === said.id)) throw new Error(`${said.id} is declared twice.`);
  declared.push(said);
  return `${said.id} ${said.words}`;
}

type Body = (world: World) => Promise<void>;

const inWorld = (body: Body) => async (): Promise<void> => {
  const world = new World();
  try {
    await body(world);
  } finally {
    await world.end();
  }
};

/**
 * One case: "MSA-01", and what it demonstrates, as a sentence that begins with "a run …". Everything started in its
 * world is stopped afterwards.
 */
export function conforms(id: string, words: string, body: Body): void {
  it(declare({ id, words, kind: 'case' }), inWorld(body));
}

/** The same case in several variants, each a separate test. The name of a variant completes "with …". */
export function conformsWith<Variant extends { readonly name: string }>(
  id: string,
  words: string,
  variants: readonly Variant[],
  body: (world: World, variant: Variant) => Promise<void>,
): void {
  describe(declare({ id, words, kind: 'case' }), () => {
    for (const variant of variants)
      it(
        `with ${variant.name}`,
        inWorld((world) => body(world, variant)),
      );
  });
}

/** Declares that an id does not apply, and why. */
export function notApplicable(id: string, why: string): void {
  it(declare({ id, words: why, kind: 'not_applicable' }));
}

/** Declares a missing case; `npm run conformance` fails until it is written. */
export function missing(id: string): void {
  it(declare({ id, words: 'No case was written yet.', kind: 'missing' }));
}
