import * as z from 'zod';

const named = z.string().min(1);

/** Lists in datasets are JSON lists, or the text of one. */
const Names = z.union([z.array(z.string()), z.string().transform(listIn)]);

function listIn(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value.map(String);
  } catch {
    // One name, as it is written.
  }
  return text.trim() === '' ? [] : [text];
}

/**
 * A line of a dataset: Waymark's own fields, those of Hermes Agent, and those of SWE-bench. Further fields are ignored.
 */
const DatasetRow = z.object({
  prompt: z.string().optional(),
  problem_statement: z.string().optional(),
  id: z.union([named, z.number().transform(String)]).optional(),
  instance_id: named.optional(),
  cwd: named.optional(),
  repo: named.optional(),
  commit: named.optional(),
  base_commit: named.optional(),
  image: named.nullish(),
  docker_image: named.nullish(),
  image_name: named.nullish(),
  files: z.record(z.string(), z.string()).optional(),
  toolsets: z.array(z.string()).optional(),
  script: named.optional(),
  input: z.record(z.string(), z.string()).optional(),
  check: named.optional(),
  fail_to_pass: Names.optional(),
  pass_to_pass: Names.optional(),
  FAIL_TO_PASS: Names.optional(),
  PASS_TO_PASS: Names.optional(),
  test_command: named.optional(),
  test_patch: z.string().optional(),
});

/**
 * How it is found out whether a task was solved. A test is a name for `command`,
 * or a command itself where that is absent.
 */
export interface TaskChecks {
  /** Must fail before the task and pass after it. */
  readonly failToPass: readonly string[];
  /** Must pass before the task and after it. */
  readonly passToPass: readonly string[];
  /** Runs one test; `{test}` stands for its name. */
  readonly command?: string;
  /** Applied before tests run; the agent does not see it. */
  readonly patch?: string;
}

/** One task of a batch. */
export interface BatchTask {
  /** Its place among the tasks of the dataset, from 0. */
  readonly index: number;
  /** Names it in all results, and stays the same when lines of the dataset change places. */
  readonly id: string;
  /** Whether the dataset itself gave the id. */
  readonly named: boolean;
  readonly prompt: string;
  /** A folder that is copied; relative to the dataset. */
  readonly cwd?: string;
  /** A Git repository that is cloned, in place of `cwd`; relative to the dataset. */
  readonly repo?: string;
  /** The commit of `repo` that the task begins with; that which is checked out there when absent. */
  readonly commit?: string;
  /** The container image that commands run in, where they run in a container. */
  readonly image?: string;
  /** The image that SWE-bench publishes for the instance; used where neither task nor command line names one. */
  readonly usualImage?: string;
  /** Files that are written into the copy: path → content. */
  readonly files?: Readonly<Record<string, string>>;
  readonly toolsets?: readonly string[];
  /** A script that plays the model. */
  readonly script?: string;
  /** Further inputs of the profile. */
  readonly input?: Readonly<Record<string, string>>;
  readonly checks?: TaskChecks;
}

export interface Dataset {
  readonly tasks: readonly BatchTask[];
  /** What was left out and why, one sentence for each line. */
  readonly problems: readonly string[];
}

/**
 * Reads a dataset: a JSON object on each line, or one JSON list. `hash`: of a text, the same on
 * every machine; names tasks without an id.
 */
export function readDataset(text: string, hash: (text: string) => string): Dataset {
  const problems: string[] = [];
  const tasks: BatchTask[] = [];
  const taken = new Set<string>();
  for (const { where, value, problem } of rowsIn(text)) {
    if (problem !== undefined) {
      problems.push(`${where} is left out: it is no JSON (${problem}).`);
      continue;
    }
    const parsed = DatasetRow.safeParse(value);
    if (!parsed.success) {
      problems.push(`${where} is left out: ${z.prettifyError(parsed.error).replaceAll('\n', ' ')}`);
      continue;
    }
    const row = parsed.data;
    const prompt = row.prompt ?? row.problem_statement ?? '';
    if (prompt.trim() === '') {
      problems.push(`${where} is left out: it has no prompt.`);
      continue;
    }
    const wanted = row.id ?? row.instance_id;
    const named = wanted ?? `task-${hash(JSON.stringify([prompt.trim(), row.cwd, row.repo, row.files]))}`;
    if (wanted !== undefined && taken.has(wanted)) {
      problems.push(`${where} is left out: another line has the id ${wanted} already.`);
      continue;
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

/** As mini-swe-agent finds it: names of images hold no double underscore. */
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
  /** Why it cannot be read. */
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
