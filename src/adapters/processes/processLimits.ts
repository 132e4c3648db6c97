import fs from 'node:fs';

/** A limit that the system enforces, by its name in Linux. */
export type LimitName = 'Max address space' | 'Max file size' | 'Max processes';

/** Returns the soft limit of a process; undefined if it has none or the system lacks Linux's limits file. */
export function limitOf(process: number | 'self', name: LimitName): number | undefined {
  let limits: string;
  try {
    limits = fs.readFileSync(`/proc/${process}/limits`, 'utf8');
  } catch {
    return undefined;
  }
  const line = limits.split('\n').find((each) => each.startsWith(`${name} `));
  const value = line?.slice(name.length).trim().split(/\s+/)[0];
  return value === undefined || value === 'unlimited' ? undefined : Number(value);
}
