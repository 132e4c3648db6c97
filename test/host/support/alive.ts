import v8 from 'node:v8';
import vm from 'node:vm';

type Class = abstract new (...given: never[]) => object;
type QueryObjects = (of: Class, options: { readonly format: 'count' }) => number;

/** Returns how many objects of each class are still reachable after garbage collection. */
export function alive<Name extends string>(classes: Readonly<Record<Name, Class>>): Record<Name, number> {
  const { queryObjects } = v8 as unknown as { readonly queryObjects: QueryObjects };
  const counts = Object.entries<Class>(classes).map(([name, of]) => [name, queryObjects(of, { format: 'count' })]);
  return Object.fromEntries(counts) as Record<Name, number>;
}

/** Returns the used heap in bytes, after garbage collection. */
export async function heapUsed(): Promise<number> {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  // VS Code reports closed objects to the window and releases them after the answer.
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    collect();
  }
  return process.memoryUsage().heapUsed;
}
