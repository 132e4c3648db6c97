import v8 from 'node:v8';
import vm from 'node:vm';

type Class = abstract new (...given: never[]) => object;
type QueryObjects = (of: Class, options: { readonly format: 'count' }) => number;

/** How many objects of each class somebody holds, after the rest was collected. */
export function alive<Name extends string>(classes: Readonly<Record<Name, Class>>): Record<Name, number> {
  const { queryObjects } = v8 as unknown as { readonly queryObjects: QueryObjects };
  const counts = Object.entries<Class>(classes).map(([name, of]) => [name, queryObjects(of, { format: 'count' })]);
  return Object.fromEntries(counts) as Record<Name, number>;
}

/** The bytes of the heap that are in use, after the rest was collected. */
export async function heapUsed(): Promise<number> {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  // What was just closed is told to the window, and let go of when that has answered.
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    collect();
  }
  return process.memoryUsage().heapUsed;
}
