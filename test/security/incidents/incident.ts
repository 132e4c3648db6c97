import { HostileWorld } from './hostileWorld';

/** One row of the reference's list of incidents, and Waymark's protection against it. */
interface Incident {
  /** Number of the row in the reference. */
  readonly row: number;
  /** For example "CVE-2025-54377 Roo Code". */
  readonly id: string;
  /** What happened to another product, in one sentence. */
  readonly happened: string;
  /** What protects against it here, in one sentence. */
  readonly protects: string;
  /** What is not protected or cannot happen yet, if the row is only partly covered. */
  readonly open?: { readonly state: 'partly' | 'when built'; readonly why: string };
  /** Returns false if this machine lacks a prerequisite. */
  readonly needs?: () => Promise<boolean>;
}

interface Declared extends Incident {
  /** For example "commandApproval.ts". */ readonly file: string;
}

export const declared: Declared[] = [];

/** A group of rows of the reference, in one file of this folder. */
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
