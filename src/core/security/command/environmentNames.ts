import type { Value } from './value';

/** Variables that may stand before a command, and the values they may have. Every other name can change what runs. */
const allowed: readonly (readonly [RegExp, RegExp])[] = [
  [/^(NODE_ENV|CI|TZ|LANG|LANGUAGE|LC_[A-Z]+|NO_COLOR|FORCE_COLOR|CLICOLOR(_FORCE)?|COLUMNS|LINES|DEBUG|VERBOSE|LOG_LEVEL|LOGLEVEL|RUST_BACKTRACE|RUST_LOG|PORT|HOST|TERM|GOOS|GOARCH|CGO_ENABLED|V|HUSKY|BABEL_ENV|VITEST|JEST_WORKERS|PYTHONDONTWRITEBYTECODE|PYTHONUNBUFFERED|PYTHONHASHSEED|PYTHONIOENCODING|PYTHONUTF8|CARGO_TERM_COLOR|CARGO_INCREMENTAL|MIX_ENV|RAILS_ENV|RACK_ENV|APP_ENV|FLASK_ENV|FLASK_DEBUG|DJANGO_DEBUG|DEBIAN_FRONTEND|GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS|GIT_TRACE|GIT_CURL_VERBOSE|NEXT_TELEMETRY_DISABLED|DOTNET_CLI_TELEMETRY_OPTOUT|PY_COLORS|DISABLE_[A-Z_]+|UPDATE_SNAPSHOTS?|DOCKER_BUILDKIT|COMPOSE_DOCKER_CLI_BUILD|SOURCE_DATE_EPOCH|TEST_ENV|ASPNETCORE_ENVIRONMENT)$/, /^[\w.,:=*@ +-]*$/],
  [/^(GIT_PAGER|PAGER|MANPAGER|SYSTEMD_PAGER|GH_PAGER)$/, /^(cat)?$/],
  [/^(GIT_EDITOR|EDITOR|VISUAL|GIT_SEQUENCE_EDITOR)$/, /^(true|:)$/],
  [/^BROWSER$/, /^none$/],
  [/^NODE_OPTIONS$/, /^(--max[-_]old[-_]space[-_]size=\d+|--no-warnings|--trace-warnings|--enable-source-maps|--experimental-vm-modules|\s)+$/],
  [/^GOFLAGS$/, /^-mod=(mod|vendor|readonly)$/],
  [/^MAKEFLAGS$/, /^-j\d*$/],
];

/** Variables from whose folders programs load code, and the values that name folders of the workspace. The program may be run, but it does not only look then. */
const loading: readonly (readonly [RegExp, RegExp])[] = [
  [/^(PYTHONPATH|NODE_PATH)$/, /^(\.|src)$/],
];

/** Whether the variable has the program load code of the workspace, as far as the value is known. */
export const loadsWorkspace = (name: string, value: Value): boolean =>
  value.kind === 'literal' && loading.some(([names, values]) => names.test(name) && values.test(value.text));

/** Parts of the names of variables by which programs find code, programs, settings or other machines. */
const decides = /(^|_)(PATH|DIR|ROOT|HOME|LIB|LIBS|LIBRARY|PRELOAD|AUDIT|CONFIG\w*|CFG|RC|RCFILE|INIT|STARTUP|COMMAND|CMD|EXEC\w*|SHELL|EDITOR|PAGER|BROWSER|HOOK|PLUGINS?|MODULES?|OPTIONS?|OPTS?|ARGS?|FLAGS?|PROXY|URL|URI|HOST|REGISTRY|INDEX|REPO|REPOS|REPOSITORY|SERVER|SOCK|SOCKET|TOKEN|KEY|SECRET|PASS\w*|CC|CXX|LD|AR|CWD|PROFILE|CONTEXT|PROJECT|SUBSCRIPTION)(_|$)|^(LD|DYLD|GIT|SSH|NPM|NODE|PNPM|YARN|PIP|PYTHON\w*|PERL\w*|RUBY\w*|BASH\w*|ZSH|KUBE\w*|DOCKER|AWS|AZURE|GOOGLE|TF|IFS|ENV|PS\d)(_|$)|proxy/i;

/**
 * Why the variable may not stand before a command; `undefined` when it may. In a sandbox, one that nobody knows may hold a plain word: it
 * chooses among what can run there anyway.
 */
export function environmentProblem(name: string, value: Value, confined = false): string | undefined {
  if (loadsWorkspace(name, value)) return undefined;
  const entry = allowed.find(([names]) => names.test(name));
  const isPlainWord = value.kind === 'literal' && /^[\w,:-]*$/.test(value.text) && !/prod/i.test(value.text);
  if (!entry && confined && isPlainWord && /^[A-Z][A-Z0-9_]*$/.test(name) && !decides.test(name)) return undefined;
  if (!entry) return 'It sets a variable that can change what runs.';
  if (value.kind === 'unknown' || !entry[1].test(value.text)) return 'It sets a variable to a value that can change what runs.';
  return /^(RAILS_ENV|RACK_ENV|MIX_ENV|APP_ENV)$/.test(name) && /prod/i.test(value.text) ? 'It runs against production.' : undefined;
}

/** Whether a variable that stays in a shell leaves what later commands run as it is. */
export const isHarmlessVariable = (name: string, value: string): boolean => allowed.some(([names, values]) => names.test(name) && values.test(value));

/**
 * Variables that may go from a shell in the sandbox to the one outside: how programs speak, count and draw. None of them names a file, a
 * folder, a program or a place to work against, so none decides which code runs outside, or on what.
 */
export const crossing: readonly { readonly names: readonly string[]; readonly values: RegExp }[] = [
  { names: ['LANG', 'LANGUAGE', 'LC_ALL', 'LC_COLLATE', 'LC_CTYPE', 'LC_MESSAGES', 'LC_NUMERIC', 'LC_TIME'], values: /^[\w.:@-]*$/ },
  { names: ['TZ'], values: /^[A-Za-z_]+(\/[A-Za-z_]+){0,2}$|^UTC[+-]?\d{0,2}$/ },
  { names: ['NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE', 'PY_COLORS', 'CARGO_TERM_COLOR', 'TERM'], values: /^[\w-]*$/ },
  { names: ['COLUMNS', 'LINES', 'PORT', 'SOURCE_DATE_EPOCH', 'PYTHONHASHSEED'], values: /^\d*$/ },
  { names: ['CI', 'V', 'VERBOSE', 'LOG_LEVEL', 'LOGLEVEL', 'RUST_BACKTRACE', 'PYTHONDONTWRITEBYTECODE', 'PYTHONUNBUFFERED', 'PYTHONUTF8'], values: /^\w*$/ },
  { names: ['NODE_ENV', 'BABEL_ENV', 'RAILS_ENV', 'RACK_ENV', 'MIX_ENV', 'APP_ENV', 'FLASK_ENV'], values: /^(test|testing|development|dev)$/ },
];

/** Whether a variable may go from the shell in the sandbox, where code may have set it, to the one outside. */
export const mayCross = (name: string, value: string): boolean => crossing.some(({ names, values }) => names.includes(name) && values.test(value));

/** Names of the shell and of common programs that are written in small letters. */
const special = /proxy|^npm_|^(path|cdpath|fpath|manpath|mailpath|module_path|prompt|psvar|watch|argv|status|signals|fignore|ifs|aliases|functions|commands|options|precmd|preexec|chpwd|periodic|histchars|auto_resume|shell|home|user)$|_functions$|^zsh/;

/** True for names that only this shell text is likely to use. */
export const settable = (name: string): boolean => (/^[a-z][a-z0-9_]*$/.test(name) && !special.test(name)) || /^(FOO|BAR|BAZ|FILE|FILES|DIR|NAME|VERSION|COUNT|[A-Z])$/.test(name);
