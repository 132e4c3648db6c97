// Runs the files that the command line loads together, and keeps what V8 compiled of them from one start to the next.
// Node keeps only what is compiled before a file runs: every function that a start calls would be compiled again.
import fs from 'node:fs';
import module from 'node:module';
import os from 'node:os';
import path from 'node:path';
import url from 'node:url';
import v8 from 'node:v8';
import vm from 'node:vm';
import zlib from 'node:zlib';

/** By then a run has done all that a start does, unless the machine is slow. Milliseconds. */
const keptAfter = 3000;
/** A run that ends before that keeps it again, with what it did since; V8 drops what a longer one needed at its start. Milliseconds. */
const keptAgainUntil = 30_000;
/** Whoever has just begun to use Waymark here, as a container for one run does, may never start it again. Milliseconds. */
const notNewAfter = 60_000;
/** Files of other versions of Waymark or Node that are left beside the newest one. */
const mostOthers = 2;
const checksumBytes = 4;

const here = path.dirname(url.fileURLToPath(import.meta.url));
const nodeRequire = module.createRequire(import.meta.url);
const { NODE_DISABLE_COMPILE_CACHE: isOff } = process.env;
const state = stateFolder();
/** Outside of every workspace, where no command in a sandbox can write: what lies there is run. */
const folder = state && path.join(state, 'code');

/** Of the text of all these files; the build puts it here. */
const build = '__BUILD__';

const exported = new Map();
const unkept = [];
/** What was kept since this process began. */
const keptNow = [];
const builtins = new Map();
const ofNode = new Map();
/** What `import()` of a part was given before, by the name that its first export has in its file. */
const parts = new Map();

/** What the file `name`.cjs exports; it is run by whoever asks first. */
export function heldIn(name) {
  if (!exported.has(name)) exported.set(name, run(name));
  return exported.get(name);
}

function run(name) {
  const filename = path.join(here, `${name}.cjs`);
  // It holds ASCII alone.
  const source = fs.readFileSync(filename, 'latin1');
  const kept = folder && path.join(folder, `${name}-${build}-${process.version}-${process.arch}`);
  const cachedData = kept && !isOff ? readKept(kept) : undefined;
  const script = asAtStart(() => compiled(source, filename, cachedData));
  if ((cachedData === undefined || script.cachedDataRejected) && keepsCode()) {
    if (unkept.length + keptNow.length === 0) process.once('exit', keepAtEnd);
    if (unkept.length === 0) setTimeout(keepNow, keptAfter).unref();
    unkept.push({ name, kept, script });
  }
  const held = { exports: {} };
  const address = url.pathToFileURL(filename).href;
  script.runInThisContext()(held.exports, held, required, address, imported, importHeld);
  return held.exports;
}

function compiled(source, filename, cachedData) {
  try {
    return new vm.Script(source, { filename, cachedData });
  } catch (error) {
    // Of a file that is cut off: whoever tells of it names the file.
    error.path = filename;
    throw error;
  }
}

/** In place of `import()`, which a script has only as an experiment of Node. */
const imported = (wanted) => import(wanted);

function required(wanted) {
  const held = /^\.\/(\w+)\.js$/.exec(wanted);
  return held ? heldIn(held[1]) : asRequired(wanted);
}

/** Asked for once: to look for one takes as long as to run many a file. */
function asRequired(wanted) {
  if (!wanted.startsWith('node:')) return nodeRequire(wanted);
  if (!ofNode.has(wanted)) ofNode.set(wanted, nodeRequire(wanted));
  return ofNode.get(wanted);
}

/** A module of Node as `import` gives it. Made once: each file asks for the same few. */
required.builtin = (name) => {
  if (!builtins.has(name)) {
    const found = asRequired(name);
    builtins.set(name, Object.assign(Object.create(found), { default: found }));
  }
  return builtins.get(name);
};

/** The same for a part that one of these files holds: `names` says what that calls its exports. */
async function importHeld(name, names) {
  const held = heldIn(name);
  if (names.length === 0) return {};
  const [[, first]] = names;
  const part = parts.get(first) ?? Object.fromEntries(names.map(([own, there]) => [own, held[there]]));
  // What a part exports that is run when it is first needed is known only then.
  if (!names.some(([own]) => own.startsWith('init_'))) parts.set(first, part);
  return part;
}

/**
 * V8 takes what was kept only while its flags are those of then. A run keeps the space for young objects small once it
 * has begun (`cli/run/run.ts`); what is compiled before and after that is kept for the flags of a start.
 */
function asAtStart(work) {
  const isStarting = exported.size < 2;
  if (isStarting) return work();
  v8.setFlagsFromString('--semi-space-growth-factor=2');
  try {
    return work();
  } finally {
    v8.setFlagsFromString('--semi-space-growth-factor=1');
  }
}

/** As `adapters/storage/stateFolder.ts` says it. Undefined where that is no place of one person. */
function stateFolder() {
  const { XDG_STATE_HOME: given } = process.env;
  try {
    const parent = given && path.isAbsolute(given) ? given : path.join(os.homedir(), '.local', 'state');
    return path.isAbsolute(parent) ? path.join(parent, 'waymark') : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined where nothing is kept, or not as it was written, or where others could have written it. */
function readKept(file) {
  let opened;
  try {
    if (!isOnlyOurs(fs.lstatSync(folder))) return undefined;
    opened = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0));
    if (!isOnlyOurs(fs.fstatSync(opened))) return undefined;
    const bytes = fs.readFileSync(opened);
    const data = bytes.subarray(checksumBytes);
    return zlib.crc32(data) === bytes.readUInt32LE(0) ? data : undefined;
  } catch {
    return undefined;
  } finally {
    if (opened !== undefined) fs.closeSync(opened);
  }
}

const writableByOthers = 0o022;

/** Windows tells no owner: there the folder of a person is theirs. */
function isOnlyOurs({ uid, mode }) {
  return process.getuid === undefined || (uid === process.getuid() && (mode & writableByOthers) === 0);
}

function keepsCode() {
  // Node 20 has checksums from 20.15 on.
  if (isOff || state === undefined || zlib.crc32 === undefined) return false;
  try {
    return fs.statSync(path.join(state, 'log.key')).mtimeMs < Date.now() - notNewAfter;
  } catch {
    return false; // nothing was kept here yet, or nothing can be
  }
}

function keepNow() {
  const scripts = unkept.splice(0);
  keptNow.push(...scripts);
  keep(scripts);
}

const keepAtEnd = () => keep(performance.now() < keptAgainUntil ? [...keptNow, ...unkept] : unkept);

/** Whoever cannot write there compiles anew each time. */
function keep(scripts) {
  for (const { name, kept, script } of scripts) {
    try {
      const data = asAtStart(() => script.createCachedData());
      const checksum = Buffer.alloc(checksumBytes);
      checksum.writeUInt32LE(zlib.crc32(data));
      fs.mkdirSync(folder, { mode: 0o700, recursive: true });
      if (!isOnlyOurs(fs.lstatSync(folder))) return;
      const draft = `${kept}.${process.pid}.new`;
      fs.writeFileSync(draft, Buffer.concat([checksum, data]), { mode: 0o600, flag: 'wx' });
      fs.renameSync(draft, kept);
      forgetOthers(name, kept);
    } catch {
      /* see above */
    }
  }
}

function forgetOthers(name, newest) {
  const others = fs
    .readdirSync(folder)
    .filter((each) => each.startsWith(`${name}-`))
    .map((each) => path.join(folder, each))
    .filter((file) => file !== newest)
    .sort((one, other) => fs.statSync(other).mtimeMs - fs.statSync(one).mtimeMs);
  for (const file of others.slice(mostOthers)) fs.rmSync(file, { force: true });
}
