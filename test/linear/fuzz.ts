// Tests every reader of the product with every hostile text, and each with a few texts of 1,000,000 characters:
// npm run fuzz [-- PATTERN …]    only readers whose names match one of the patterns
// FUZZ_JOBS=2 (processes in parallel)  FUZZ_SEED=7 (selects the texts tried at full length)
// FUZZ_LONG=3 (number of texts at full length per reader)
// FUZZ_TEXT=PATTERN (only texts whose names match)
// FUZZ_SHARE=40 (tries one in 40 texts for each reader; another seed selects others)
// FUZZ_TELL=1 (prints the time of each reader)
// FUZZ_DONE=FILE (records finished readers; the same command resumes after them)
// Prints each slow reader, then the times of the slowest ones.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { slowness } from './growingReader';
import { spentMs } from './growth';
import { hostileTexts } from './readers/hostileTexts';
import { readers, type Reader } from './readers/readers';

const fullLength = 1_000_000;
const seed = Number(process.env['FUZZ_SEED'] ?? new Date().getUTCDate());
const longTexts = Number(process.env['FUZZ_LONG'] ?? 1);
const wantedText = new RegExp(process.env['FUZZ_TEXT'] ?? '');
const share = Number(process.env['FUZZ_SHARE'] ?? 1);
const jobs = Number(process.env['FUZZ_JOBS'] ?? 1);
/** The share of the readers for this process: "1/2" is the second of two. */
const [part = 0, parts = 1] = (process.env['FUZZ_PART'] ?? '0/1').split('/').map(Number);
/** Gets a line when a reader starts and one when it is finished, so that a pass can be interrupted. */
const doneFile = process.env['FUZZ_DONE'];
const patterns = process.argv.slice(2).map((pattern) => new RegExp(pattern));

interface TriedReader {
  readonly name: string;
  readonly problems: number;
  readonly ms: number;
}

/** Selects the texts that a reader gets at full length: different ones each day and for each reader. */
function isLong(number: number, index: number): boolean {
  const turn = (number * 31 + seed * 17 + index) % hostileTexts.length;
  return turn < longTexts;
}

/** Selects a different share of the texts for each reader and each seed. */
const isTried = (number: number, index: number): boolean => (number * 7 + seed * 11 + index) % share === 0;

async function tryReader(reader: Reader, number: number): Promise<TriedReader> {
  const before = spentMs();
  let problems = 0;
  const texts = hostileTexts
    .map((text, index) => ({ text, index }))
    .filter(({ text, index }) => wantedText.test(text.name) && (isTried(number, index) || isLong(number, index)));
  for (const { text, index } of texts) {
    const problem = await slowness(reader, text, isLong(number, index) ? fullLength : undefined);
    if (problem === undefined) continue;
    problems++;
    console.log(`slow: ${problem}`);
  }
  const ms = Math.round(spentMs() - before);
  if (process.env['FUZZ_TELL']) console.log(`${ms} ms for ${texts.length} texts: ${reader.name}`);
  return { name: reader.name, problems, ms };
}

type Noted = { readonly began: string } | TriedReader;

function note(noted: Noted): void {
  if (doneFile !== undefined) fs.appendFileSync(doneFile, `${JSON.stringify(noted)}\n`);
}

/** Readers finished earlier in this pass. A reader that was interrupted is tried again. */
function triedBefore(): TriedReader[] {
  if (doneFile === undefined || !fs.existsSync(doneFile)) return [];
  const noted = fs.readFileSync(doneFile, 'utf8').trim().split('\n');
  return noted.map((line) => JSON.parse(line) as Noted).filter((line): line is TriedReader => 'name' in line);
}

async function tryPart(): Promise<void> {
  const all = await readers();
  const wanted = all
    .map((reader, number) => ({ reader, number }))
    .filter(({ reader }) => patterns.length === 0 || patterns.some((pattern) => pattern.test(reader.name)));
  const own = wanted.filter((_, index) => index % parts === part);
  const tried = triedBefore();
  const known = new Set(tried.map(({ name }) => name));
  for (const { reader, number } of own.filter(({ reader }) => !known.has(reader.name))) {
    note({ began: reader.name });
    const result = await tryReader(reader, number);
    note(result);
    tried.push(result);
    if (tried.length % 50 === 0) console.log(`${tried.length} of ${own.length} readers`);
  }
  const slow = tried.filter(({ problems }) => problems > 0);
  const slowest = tried.toSorted((a, b) => b.ms - a.ms).slice(0, 5);
  console.log(`${tried.length} readers, ${hostileTexts.length} texts each: ${slow.length} are slow on some text.`);
  for (const { name, ms } of slowest) console.log(`    ${ms} ms of CPU in all: ${name}`);
  if (slow.length > 0) process.exitCode = 1;
}

/** Runs the same program once for each share of the readers. */
async function tryAllParts(): Promise<void> {
  const ends = Array.from({ length: jobs }, (_, index) => {
    const env = { ...process.env, FUZZ_PART: `${index}/${jobs}` };
    const child = spawn(process.execPath, process.argv.slice(1), { env, stdio: 'inherit' });
    return new Promise<number | null>((resolve) => child.once('close', resolve));
  });
  const codes = await Promise.all(ends);
  if (codes.some((code) => code !== 0)) process.exitCode = 1;
}

if (jobs > 1 && process.env['FUZZ_PART'] === undefined) await tryAllParts();
else await tryPart();
