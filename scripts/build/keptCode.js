// Runs the files that the command line loads together, and keeps their code cache of V8 from one start to the next.
// Node's own cache keeps only what is compiled before a file runs: every function that a start calls would be compiled
// again.
import module from 'node:module';

const nodeRequire = module.createRequire(import.meta.url);
// Required, because `import` reads every export, and some of them load further parts of Node.
const [fs, os, path, url, v8, vm, zlib] = ['fs', 'os', 'path', 'url', 'v8', 'vm', 'zlib'].map((name) =>
  nodeRequire(`node:${name}`),
);

/** In ms: by then a run has finished starting, unless the machine is slow. */
const keptAfter = 3000;
/**
 * In ms: a run that ends before this saves the cache again, with what it compiled since; V8 drops what a longer run
 * needed only at its start.
 */
const keptAgainUntil = 30_000;
/** Number of files of other versions of Waymark or Node kept beside the newest one. */
const mostOthers = 2;
const checksumBytes = 4;

const here = path.dirname(url.fileURLToPath(import.meta.url));
const { NODE_DISABLE_COMPILE_CACHE: isOff } = process.env;
const state = stateFolder();
/** Outside every workspace, where no sandboxed command can write: the code in it is run. */
const folder = state && path.join(state, 'code');

/** Hash of the text of all these files; inserted by the build. */
const build = '__BUILD__';

const exported = new Map();
/** All files that ran, with their scripts. */
const loaded = [];
/** Those of them that have no cache yet. */
const unkept = [];
let keepsAtEnd = false;
const builtins = new Map();
const ofNode = new Map();
/** Earlier results of `import()` of a part, by the name of its first export in its file. */
const parts = new Map();

/** Returns the exports of the file `name`.cjs, which runs on the first call. */
export function heldIn(name) {
  if (!exported.has(name)) exported.set(name, run(name));
  return exported.get(name);
}

function run(name) {
  const filename = path.join(here, `${name}.cjs`);
  // It contains only ASCII.
  const source = fs.readFileSync(filename, 'latin1');
  const kept = folder && path.join(folder, `${name}-${build}-${process.version}-${process.arch}`);
  const cachedData = kept && !isOff ? readKept(kept) : undefined;
  const script = asAtStart(() => compiled(source, filename, cachedData));
  loaded.push({ name, kept, script });
  if ((cachedData === undefined || script.cachedDataRejected) && keepsCode()) keepLater(loaded.at(-1));
  const held = { exports: {} };
  const address = url.pathToFileURL(filename).href;
  script.runInThisContext()(held.exports, held, required, address, imported, importHeld);
  return held.exports;
}

function compiled(source, filename, cachedData) {
  try {
    return new vm.Script(source, { filename, cachedData });
  } catch (error) {
    // For a truncated file: error messages name the file.
    error.path = filename;
    throw error;
  }
}

/** Replaces `import()`, which is experimental in Node for scripts. */
const imported = (wanted) => import(wanted);

function required(wanted) {
  const held = /^\.\/(\w+)\.js$/.exec(wanted);
  return held ? heldIn(held[1]) : asRequired(wanted);
}

/** Looked up once: a lookup takes as long as running many of the files. */
function asRequired(wanted) {
  if (!wanted.startsWith('node:')) return nodeRequire(wanted);
  if (!ofNode.has(wanted)) ofNode.set(wanted, nodeRequire(wanted));
  return ofNode.get(wanted);
}

/** Returns a Node module as `import` does. Created once: each file asks for the same few. */
required.builtin = (name) => {
  if (!builtins.has(name)) {
    const found = asRequired(name);
    builtins.set(name, Object.assign(Object.create(found), { default: found }));
  }
  return builtins.get(name);
};

/** Same for a part that one of these files contains: `names` maps its exports to their names there. */
async function importHeld(name, names) {
  const held = heldIn(name);
  if (names.length === 0) return {};
  const [[, first]] = names;
  const part = parts.get(first) ?? Object.fromEntries(names.map(([own, there]) => [own, held[there]]));
  // Exports of a part with deferred initialization are known only after it ran.
  if (!names.some(([own]) => own.startsWith('init_'))) parts.set(first, part);
  return part;
}

/** V8's options at the start, and those of a run that has started (`cli/run/run.ts`). */
const startOptions = ['--semi-space-growth-factor=2', '--sparkplug'];
const runOptions = ['--semi-space-growth-factor=1', '--no-sparkplug'];

/**
 * V8 accepts the cache only with the same options. What is compiled before and after a run has started is saved for those
 * of the start.
 */
function asAtStart(work) {
  const isStarting = exported.size < 2;
  if (isStarting) return work();
  for (const option of startOptions) v8.setFlagsFromString(option);
  try {
    return work();
  } finally {
    for (const option of runOptions) v8.setFlagsFromString(option);
  }
}

/** Same as `adapters/storage/stateFolder.ts`. Undefined if the folder does not belong to a single user. */
function stateFolder() {
  const { XDG_STATE_HOME: given } = process.env;
  try {
    const parent = given && path.isAbsolute(given) ? given : path.join(os.homedir(), '.local', 'state');
    return path.isAbsolute(parent) ? path.join(parent, 'waymark') : undefined;
  } catch {
    return undefined;
  }
}

/** Returns undefined if nothing was saved, or the file was changed, or others could have written it. */
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

/** Windows reports no owner: there the user's folder is trusted. */
function isOnlyOurs({ uid, mode }) {
  return process.getuid === undefined || (uid === process.getuid() && (mode & writableByOthers) === 0);
}

/** Node 20 has crc32 only from 20.15 on. */
const keepsCode = () => !isOff && state !== undefined && zlib.crc32 !== undefined;

/** A session creates this key. Before that, help or a version may be all that a user wants of Waymark. */
const hadSession = () => fs.existsSync(path.join(state, 'log.key'));

function keepLater(file) {
  if (unkept.length === 0) setTimeout(keep, keptAfter).unref();
  unkept.push(file);
  if (!keepsAtEnd) process.once('exit', keep);
  keepsAtEnd = true;
}

/**
 * Saves all files if one of them had no cache: a run that first loads the code of commands also called functions of the
 * others that no earlier run needed.
 */
function keep() {
  if (!hadSession()) return;
  const files = performance.now() < keptAgainUntil ? loaded : [...unkept];
  unkept.length = 0;
  files.forEach(save);
}

/** If the folder is not writable, code is compiled again at each start. */
function save({ name, kept, script }) {
  const draft = `${kept}.${process.pid}.new`;
  try {
    const data = asAtStart(() => script.createCachedData());
    const checksum = Buffer.alloc(checksumBytes);
    checksum.writeUInt32LE(zlib.crc32(data));
    fs.mkdirSync(folder, { mode: 0o700, recursive: true });
    if (!isOnlyOurs(fs.lstatSync(folder))) return;
    fs.writeFileSync(draft, Buffer.concat([checksum, data]), { mode: 0o600, flag: 'wx' });
    fs.renameSync(draft, kept);
    forgetOthers(name, kept);
  } catch {
    removeDraft(draft);
  }
}

/** A full disk or a limit may have cut it off. */
function removeDraft(draft) {
  try {
    fs.rmSync(draft, { force: true });
  } catch {
    /* nothing more can be done */
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
