import { HostileWorld } from './hostileWorld';

/** One row of the reference's list of incidents, and what stands against it here. */
export interface Incident {
  /** Its number there. */
  readonly row: number;
  /** "CVE-2025-54377 Roo Code". */
  readonly id: string;
  /** What happened to others, in one sentence. */
  readonly happened: string;
  /** What protects here, in one sentence. */
  readonly protects: string;
  /** What does not hold or cannot happen yet, where the row is not shown whole. */
  readonly open?: { readonly state: 'partly' | 'when built'; readonly why: string };
  /** Says no where this machine lacks what it takes to try it. */
  readonly needs?: () => Promise<boolean>;
}

export interface Declared extends Incident {
  /** "commandApproval.ts" */ readonly file: string;
}

export const declared: Declared[] = [];

/** Rows that stand together in the reference, in one file of this folder. */
export function section(
  title: string,
  file: string,
  rows: (
    declare: (incident: Incident, cases: Record<string, (world: HostileWorld) => void | Promise<void>>) => void,
  ) => void,
): void {
  describe(`${title} (${file})`, function () {
    this.timeout(120_000);
    rows((incident, cases) => {
      if (declared.some(({ row }) => row === incident.row)) throw new Error(`Row ${incident.row} is declared twice.`);
      declared.push({ ...incident, file });
      for (const [words, body] of Object.entries(cases)) {
        it(`${incident.row} ${incident.id}: ${words}`, async function () {
          if ((await incident.needs?.()) === false) this.skip(); // see `Incident.needs`
          const world = new HostileWorld();
          try {
            await body(world);
          } finally {
            await world.end();
          }
        });
      }
    });
  });
}
