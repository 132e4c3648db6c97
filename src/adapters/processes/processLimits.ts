import fs from 'node:fs';

/** A limit that the system keeps, by its name in Linux. */
export type LimitName = 'Max address space' | 'Max file size' | 'Max processes';

/** The soft limit of a process; undefined if there is none, or if the system has no file for it as Linux has. */
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
