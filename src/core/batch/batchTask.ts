import * as z from 'zod';
import { misspelledFields } from '../text/misspelledFields';

const nonEmpty = z.string().min(1);

/** A list in a dataset: a JSON list, or a string that contains one. */
const Names = z.union([z.array(z.string()), z.string().transform(listIn)]);

function listIn(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value.map(String);
  } catch {
    // Not JSON: a single name.
  }
  return text.trim() === '' ? [] : [text];
}

/** A line of a dataset, with fields of Waymark, Hermes Agent and SWE-bench. Other fields are ignored. */
const DatasetRow = z.object({
  prompt: z.string().optional(),
  problem_statement: z.string().optional(),
  id: z.union([nonEmpty, z.number().transform(String)]).optional(),
  instance_id: nonEmpty.optional(),
  cwd: nonEmpty.optional(),
  repo: nonEmpty.optional(),
  commit: nonEmpty.optional(),
  base_commit: nonEmpty.optional(),
  image: nonEmpty.nullish(),
  docker_image: nonEmpty.nullish(),
  image_name: nonEmpty.nullish(),
  files: z.record(z.string(), z.string()).optional(),
  toolsets: z.array(z.string()).optional(),
  script: nonEmpty.optional(),
  input: z.record(z.string(), z.string()).optional(),
  check: nonEmpty.optional(),
  fail_to_pass: Names.optional(),
  pass_to_pass: Names.optional(),
  FAIL_TO_PASS: Names.optional(),
  PASS_TO_PASS: Names.optional(),
  test_command: nonEmpty.optional(),
  test_patch: z.string().optional(),
});

const datasetFields = Object.keys(DatasetRow.shape);

/**
 * How to check whether a task was solved. A test is a name for `command`, or a whole command if `command` is absent.
 */
export interface TaskChecks {
  /** Tests that must fail before the task and pass after it. */
  readonly failToPass: readonly string[];
  /** Tests that must pass before and after the task. */
  readonly passToPass: readonly string[];
  /** Command that runs one test. `{test}` is replaced with its name. */
  readonly command?: string;
  /** Patch applied before the tests run. The agent does not see it. */
  readonly patch?: string;
}

/** One task of a batch. */
export interface BatchTask {
  /** 0-based index in the dataset. */
  readonly index: number;
  /** Identifies the task in all results. Does not depend on the order of the dataset. */
  readonly id: string;
  /** True if the id comes from the dataset. */
  readonly named: boolean;
  readonly prompt: string;
  /** Folder to copy, relative to the dataset. */
  readonly cwd?: string;
  /** Git repository to clone instead of `cwd`, relative to the dataset. */
  readonly repo?: string;
  /** Commit of `repo` to start from. Defaults to the one checked out there. */
  readonly commit?: string;
  /** Container image for commands, if they run in a container. */
  readonly image?: string;
  /** Image that SWE-bench publishes for the instance. Used if neither the task nor the command line names one. */
  readonly usualImage?: string;
  /** Files to write into the copy: path → content. */
  readonly files?: Readonly<Record<string, string>>;
  readonly toolsets?: readonly string[];
  /** Script that plays the model. */
  readonly script?: string;
  /** Additional inputs of the profile. */
  readonly input?: Readonly<Record<string, string>>;
  readonly checks?: TaskChecks;
}

/** The tasks of a batch, read from the lines of its files. */
export interface Dataset {
  readonly tasks: readonly BatchTask[];
  /** Sentences about lines that were left out, with the reason. */
  readonly problems: readonly string[];
}

/**
 * Parses a dataset: one JSON object per line, or a single JSON list. `hash` creates ids for tasks without one and must
 * be stable across machines.
 */
export function readDataset(text: string, hash: (text: string) => string): Dataset {
  const problems: string[] = [];
  const tasks: BatchTask[] = [];
  const taken = new Set<string>();
  /** Fields named once, because a dataset has the same in each line. */
  const reported = new Set<string>();
  for (const { where, value, problem } of rowsIn(text)) {
    if (problem !== undefined) {
      problems.push(`${where} is skipped: it is not JSON (${problem}).`);
      continue;
    }
    const parsed = DatasetRow.safeParse(value);
    if (!parsed.success) {
      problems.push(`${where} is skipped: ${z.prettifyError(parsed.error).replaceAll('\n', ' ')}`);
      continue;
    }
    const row = parsed.data;
    const misspelled = misspelledFields(value as object, datasetFields);
    const prompt = row.prompt ?? row.problem_statement ?? '';
    if (prompt.trim() === '') {
      const meant = misspelled.find((each) => each.meant === 'prompt' || each.meant === 'problem_statement');
      const hint = meant === undefined ? '' : ` Did you mean "${meant.meant}" instead of "${meant.field}"?`;
      problems.push(`${where} is skipped: it has no prompt.${hint}`);
      continue;
    }
    const wanted = row.id ?? row.instance_id;
    const named = wanted ?? `task-${hash(JSON.stringify([prompt.trim(), row.cwd, row.repo, row.files]))}`;
    if (wanted !== undefined && taken.has(wanted)) {
      problems.push(`${where} is skipped: another line already has the id ${wanted}.`);
      continue;
    }
    for (const { field, meant } of misspelled.filter((each) => !reported.has(each.field))) {
      reported.add(field);
      problems.push(`${where}: the field "${field}" is not read. Did you mean "${meant}"?`);
    }
    const id = untaken(named, taken);
    taken.add(id);
    tasks.push(taskOf(row, { index: tasks.length, id, named: wanted !== undefined, prompt }));
  }
  return { tasks, problems };
}

function untaken(id: string, taken: ReadonlySet<string>): string {
  let free = id;
  for (let count = 2; taken.has(free); count++) free = `${id}-${count}`;
  return free;
}

function taskOf(
  row: z.infer<typeof DatasetRow>,
  known: Pick<BatchTask, 'index' | 'id' | 'named' | 'prompt'>,
): BatchTask {
  const commit = row.commit ?? row.base_commit;
  const image = row.image ?? row.docker_image ?? row.image_name;
  const usualImage = row.instance_id === undefined ? undefined : sweBenchImage(row.instance_id);
  const checks = checksOf(row);
  return {
    ...known,
    ...(row.cwd !== undefined && { cwd: row.cwd }),
    ...(row.repo !== undefined && { repo: row.repo }),
    ...(commit !== undefined && { commit }),
    ...(image && { image }),
    ...(usualImage !== undefined && { usualImage }),
    ...(row.files && { files: row.files }),
    ...(row.toolsets && { toolsets: row.toolsets }),
    ...(row.script !== undefined && { script: row.script }),
    ...(row.input && { input: row.input }),
    ...(checks && { checks }),
  };
}

/** Image name as in mini-swe-agent, because image names cannot contain a double underscore. */
const sweBenchImage = (instance: string): string =>
  `docker.io/swebench/sweb.eval.x86_64.${instance.replaceAll('__', '_1776_')}:latest`.toLowerCase();

function checksOf(row: z.infer<typeof DatasetRow>): TaskChecks | undefined {
  const failToPass = [...(row.check === undefined ? [] : [row.check])];
  failToPass.push(...(row.fail_to_pass ?? row.FAIL_TO_PASS ?? []));
  const passToPass = row.pass_to_pass ?? row.PASS_TO_PASS ?? [];
  if (failToPass.length + passToPass.length === 0) return undefined;
  return {
    failToPass,
    passToPass,
    ...(row.test_command !== undefined && { command: row.test_command }),
    ...(row.test_patch && { patch: row.test_patch }),
  };
}

interface PlacedRow {
  readonly where: string;
  readonly value?: unknown;
  /** Why the line cannot be read. */
  readonly problem?: string;
}

function rowsIn(text: string): PlacedRow[] {
  const whole = text.replace(/^\uFEFF/, '');
  if (whole.trimStart().startsWith('[')) {
    try {
      const list = JSON.parse(whole) as unknown[];
      return list.map((value, index) => ({ where: `Entry ${index + 1}`, value }));
    } catch (error) {
      return [{ where: 'The whole list', problem: (error as Error).message }];
    }
  }
  return whole.split(/\r?\n/).flatMap((line, index): PlacedRow[] => {
    if (line.trim() === '') return [];
    const where = `Line ${index + 1}`;
    try {
      return [{ where, value: JSON.parse(line) as unknown }];
    } catch (error) {
      return [{ where, problem: (error as Error).message }];
    }
  });
}
