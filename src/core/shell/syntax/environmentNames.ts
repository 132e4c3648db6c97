import { anyOf, repeated, sequence, exactlyOneOf } from '../../text/alternatives';
import { literal, type Value } from './value';

/** Words and numbers, and lists of them. */
const plainWords = /^[\w.,:=*@ +-]*$/;
const number = /^\d*$/;
/** Name of a module or class of the project. */
const dotted = /^[A-Za-z_][\w.]*(?::\w+)?$/;
/** Address of a database on this machine, as used by tests. */
const localDatabase = anyOf([
  /^(?:postgres(?:ql)?|mysql|redis|mongodb|amqp):\/\/(?:\w+(?::\w+)?@)?(?:localhost|127\.0\.0\.1)(?::\d+)?(?:\/[\w-]*)?$/,
  /^sqlite:(?:\/\/\/?)?(?::memory:|[\w-]+(?:\/[\w-]+)*\.(?:db|sqlite3?))?$/,
]);

/** Returns a pattern for a value that consists only of these flags, separated by spaces. */
const onlyFlags = (flags: readonly (string | RegExp)[]): RegExp =>
  sequence([/^/, repeated([anyOf([/\s/, sequence([anyOf(flags), /(?=\s|$)/])])]), /$/]);

interface AllowedVariables {
  readonly names: RegExp;
  readonly values: RegExp;
}

/** ★ Variables that may precede a command, and their allowed values. Every other name is judged by `isPlainChoice`. */
const allowed: readonly AllowedVariables[] = [
  // Language, counts, colors and reports of programs.
  {
    names: /^(?:TZ|LANG|LANGUAGE|LC_[A-Z]+|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|TERM|PY_COLORS|CARGO_TERM_COLOR)$/,
    values: plainWords,
  },
  // A shell takes their values as arithmetic, which runs code in the variables that it names.
  {
    names: exactlyOneOf([
      'COLUMNS LINES RANDOM SRANDOM SECONDS OPTIND HISTCMD HISTSIZE SAVEHIST SHLVL UID EUID GID EGID KEYTIMEOUT',
      'FUNCNEST MAILCHECK LISTMAX ERRNO TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT',
    ]),
    values: number,
  },
  {
    names:
      /^(?:CI|DEBUG|VERBOSE|LOG_LEVEL|LOGLEVEL|RUST_BACKTRACE|RUST_LOG|V|GIT_TRACE|GIT_CURL_VERBOSE|DJANGO_DEBUG|FLASK_DEBUG)$/,
    values: plainWords,
  },
  // Modes of the project's programs.
  {
    names:
      /^(?:NODE_ENV|BABEL_ENV|MIX_ENV|RAILS_ENV|RACK_ENV|APP_ENV|FLASK_ENV|TEST_ENV|ASPNETCORE_ENVIRONMENT|PORT|HOST)$/,
    values: plainWords,
  },
  {
    names:
      /^(?:HUSKY|VITEST|JEST_WORKERS|UPDATE_SNAPSHOTS?|DISABLE_[A-Z_]+|NEXT_TELEMETRY_DISABLED|DOTNET_CLI_TELEMETRY_OPTOUT)$/,
    values: plainWords,
  },
  { names: /^(?:DJANGO_SETTINGS_MODULE|FLASK_APP|CELERY_APP)$/, values: dotted },
  { names: /^(?:TEST_)?DATABASE_URL$/, values: localDatabase },
  { names: /^PG(?:HOST|HOSTADDR)$/, values: /^(?:localhost|127\.0\.0\.1)$/ },
  { names: /^PG(?:PORT|DATABASE|USER)$/, values: /^\w*$/ },
  // Options of compilers and interpreters.
  {
    names:
      /^(?:GOOS|GOARCH|GOARM|CGO_ENABLED|SOURCE_DATE_EPOCH|CARGO_INCREMENTAL|DEBIAN_FRONTEND|DOCKER_BUILDKIT|COMPOSE_DOCKER_CLI_BUILD)$/,
    values: plainWords,
  },
  {
    names:
      /^PYTHON(?:DONTWRITEBYTECODE|UNBUFFERED|HASHSEED|IOENCODING|UTF8|FAULTHANDLER|TRACEMALLOC|ASYNCIODEBUG|DEVMODE)$/,
    values: plainWords,
  },
  {
    // Only built-in categories: for another one, Python imports its module.
    names: /^PYTHONWARNINGS$/,
    values: /^(?:(?:default|error|always|module|once|ignore)(?:::(?:[A-Z][A-Za-z]*Warning)?)?(?:,(?!$)|$))+$/,
  },
  {
    names: /^JAVA_HOME$/,
    values: /^\/usr\/lib\/jvm\/[\w.+-]+\/?$/,
  },
  {
    names: /^(?:CC|CXX|FC)$/,
    values: /^(?:ccache )?(?:[a-z0-9_]+-)*(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+|gfortran)(?:-\d+)?$/,
  },
  {
    names: /^(?:CFLAGS|CXXFLAGS|CPPFLAGS|LDFLAGS)$/,
    values: onlyFlags([
      /-O[0-3sgz]?/,
      /-g\d?/,
      /-W[a-z][\w=-]*(?<!Wl)/,
      /-std=[\w+]+/,
      '-pedantic -fPIC -pthread -fno-omit-frame-pointer',
      /-D\w+(?:=\w+)?/,
      /-fsanitize=[a-z,]+/,
      /-m(?:arch|tune)=[\w-]+/,
      /-l[a-z]\w*/,
    ]),
  },
  {
    names: /^(?:RUSTFLAGS|RUSTDOCFLAGS)$/,
    values: onlyFlags([
      /-[DAWF]\s*[\w:-]+/,
      sequence([
        /-C\s*/,
        anyOf(['debuginfo opt-level target-cpu debug-assertions overflow-checks codegen-units', 'instrument-coverage']),
        /(?:=[\w-]+)?/,
      ]),
      /--cfg\s+\w+/,
    ]),
  },
  {
    names: /^NODE_OPTIONS$/,
    values: onlyFlags([
      /--max[-_]old[-_]space[-_]size=\d+/,
      '--no-warnings --trace-warnings --trace-deprecation --enable-source-maps',
      '--experimental-vm-modules --experimental-strip-types',
    ]),
  },
  { names: /^GOFLAGS$/, values: /^(?:\s|-mod=(?:mod|vendor|readonly)|-count=\d+|-race|-v|-tags=[\w,]+)*$/ },
  {
    names: /^(?:MAKEFLAGS|CMAKE_BUILD_PARALLEL_LEVEL|CTEST_PARALLEL_LEVEL|CTEST_OUTPUT_ON_FAILURE)$/,
    values: /^(?:-j)?\d*$/,
  },
  {
    names: /^(?:OMP_NUM_THREADS|MKL_NUM_THREADS|GOMAXPROCS|UV_THREADPOOL_SIZE|CUDA_VISIBLE_DEVICES|RAYON_NUM_THREADS)$/,
    values: /^[\d,-]*$/,
  },
  { names: /^(?:MALLOC_\w+|ASAN_OPTIONS|UBSAN_OPTIONS|TSAN_OPTIONS)$/, values: /^(?:\w+=\w+(?::\w+=\w+)*:?)?$|^\d*$/ },
  // Values that start no pager or editor.
  { names: /^(?:GIT_PAGER|PAGER|MANPAGER|SYSTEMD_PAGER|GH_PAGER)$/, values: /^(?:cat)?$/ },
  { names: /^(?:GIT_EDITOR|EDITOR|VISUAL|GIT_SEQUENCE_EDITOR)$/, values: /^(?:true|:)$/ },
  // Letters of display. `-k`, `-o` and `-t` would take the rest as the name of a file.
  { names: /^LESS$/, values: /^-?[aceEFfgGIiJKMmNnqQRrSsUuVwWX~ -]*$/ },
  { names: /^LESS(?:UTF)?CHARSET$/, values: plainWords },
  { names: /^(?:GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS|GIT_LFS_SKIP_SMUDGE)$/, values: number },
  { names: /^BROWSER$/, values: /^none$/ },
];

/**
 * Variables that name folders to load code from, and values that are folders of the workspace. The program may run, but
 * does not count as read-only.
 */
const loading: readonly (readonly [RegExp, RegExp])[] = [[/^(PYTHONPATH|NODE_PATH)$/, /^(\.|src)$/]];

/**
 * Returns the value of such a variable without the one that it has already, which it only keeps: `src` of
 * `src:$PYTHONPATH`.
 */
export function withoutOwnValue(name: string, value: Value): Value {
  if (!loading.some(([names]) => names.test(name))) return value;
  const [, added, own] = /^(?:\w+=)?"?([^$"]*):\$\{?(\w+)\}?"?$/.exec(value.source) ?? [];
  return value.kind === 'unknown' && added !== undefined && own === name ? literal(added, value.source) : value;
}

/** Returns whether the variable makes the program load code from the workspace, as far as the value is known. */
export const loadsWorkspace = (name: string, value: Value): boolean =>
  value.kind === 'literal' && loading.some(([names, values]) => names.test(name) && values.test(value.text));

/** Parts of variable names through which programs find code, programs, settings or other machines. */
const decides = anyOf(
  [
    sequence([
      /(^|_)/,
      anyOf([
        'PATH DIR ROOT HOME LIB LIBS LIBRARY PRELOAD AUDIT',
        /CONFIG\w*/,
        'CFG RC RCFILE INIT STARTUP COMMAND CMD',
        /EXEC\w*/,
        'SHELL EDITOR PAGER BROWSER HOOK',
        /PLUGINS?/,
        /MODULES?/,
        /OPTIONS?/,
        /OPTS?/,
        /ARGS?/,
        /FLAGS?/,
        'PROXY URL URI HOST REGISTRY INDEX REPO REPOS REPOSITORY SERVER SOCK SOCKET TOKEN KEY SECRET',
        /PASS\w*/,
        'CC CXX LD AR CWD PROFILE CONTEXT PROJECT SUBSCRIPTION',
      ]),
      /(_|$)/,
    ]),
    sequence([
      /^/,
      anyOf([
        'LD DYLD GIT SSH NPM NODE PNPM YARN PIP',
        /PYTHON\w*/,
        /PERL\w*/,
        /RUBY\w*/,
        /BASH\w*/,
        'ZSH',
        /KUBE\w*/,
        'DOCKER AWS AZURE GOOGLE TF IFS ENV',
        /PS\d/,
      ]),
      /(_|$)/,
    ]),
    'proxy',
    // With it, `*` also names secret and protected files.
    /^GLOBIGNORE$/,
    // Programs that a shell, a compiler or a copy starts, and folders that they work in.
    /^(?:READ)?NULLCMD$|^RUST(?:C|DOC|FMT)$|(?:^|_)(?:RSH|SSH)$|^TROFF$|^FCEDIT$|^GOCACHEPROG$|_(?:BIN|REQUIRE|LAUNCHER)$/,
    // Files with settings, keys and variables, and a program that "less" runs.
    /^LESS/,
    /^ELECTRON_RUN_AS_NODE$|^(?:OLD)?PWD$|^(?:VIM|EX)INIT$/,
    // Whether Go checks what it downloads.
    /^GO(?:NO|IN|PRIVATE|SUM)/,
  ],
  'i',
);

/** Name endings with the same meaning, written without separator: `CLASSPATH`, `MAKEFILES`, `LESSOPEN`. */
const decidesAtEnd =
  /(?:PATH|DIR|HOME|ROOT|LIBS?|OPTS?|FLAGS|CONF|CONFIG|RC|FILES?|ENV|OPEN|WRAPPER|TOOLCHAIN|PREFIX|PROXY|HOOKS?|INFO|CAP|CHAIN)$/;

/** Parts of variable names that make a program do more or check less. */
const insists = sequence([
  /(^|_)/,
  anyOf([
    'FORCE YES',
    /CONFIRM\w*/,
    /ALLOW\w*/,
    'UNSAFE INSECURE INSTALL',
    /TRUST\w*/,
    'VERIFY SSL TLS',
    /CERT\w*/,
    /AUTH\w*/,
    /DEPLOY\w*/,
    'PUBLISH RELEASE',
    /PROD\w*/,
    'LIVE APPLY DESTROY DELETE DROP RESET PURGE SUDO ROOT USER TARGET',
  ]),
  /(?:_|$)/,
]);

/**
 * Returns whether an unknown variable has a plain word as its value. Such a variable selects among things that can run
 * anyway.
 */
function isPlainChoice(name: string, value: Value): boolean {
  const isPlainWord = value.kind === 'literal' && /^[\w,:-]*$/.test(value.text) && !/prod/i.test(value.text);
  return isPlainWord && /^[A-Z][A-Z0-9_]*$/.test(name) && !decides.test(name);
}

/**
 * Returns why a variable may not precede a command, or undefined if it may. An unknown variable may have a plain word
 * as its value. Outside a sandbox, its name must also not suggest doing more or checking less.
 */
export function environmentProblem(name: string, value: Value, confined = false): string | undefined {
  if (loadsWorkspace(name, value)) return undefined;
  const entry = allowed.find(({ names }) => names.test(name));
  if (!entry) {
    const doesMore = decidesAtEnd.test(name) || insists.test(name);
    const isHarmless = isPlainChoice(name, value) && (confined || !doesMore);
    return isHarmless ? undefined : 'Sets a variable that can change what runs.';
  }
  if (value.kind === 'unknown' || !entry.values.test(value.text))
    return 'Sets a variable to a value that can change what runs.';
  return /^(?:RAILS_ENV|RACK_ENV|MIX_ENV|APP_ENV)$/.test(name) && /prod/i.test(value.text)
    ? 'Runs against production.'
    : undefined;
}

/** Returns whether a variable that stays set in a shell leaves later commands unaffected. */
export const isHarmlessVariable = (name: string, value: string): boolean =>
  allowed.some(({ names, values }) => names.test(name) && values.test(value));

/** Lower-case names used by the shell and by common programs. */
const special = anyOf([
  'proxy',
  /^npm_/,
  exactlyOneOf([
    'path cdpath fpath manpath mailpath module_path prompt psvar watch argv status signals fignore',
    'ifs aliases functions commands options precmd preexec chpwd periodic histchars auto_resume',
    'shell home user',
  ]),
  /_functions$/,
  /^zsh/,
]);

/** Upper-case names that scripts commonly use for themselves. No program reads them. */
const ownCapitals = exactlyOneOf([
  'FOO BAR BAZ',
  /[A-Z]/,
  sequence([
    anyOf([
      'BUILD OUT OUTPUT SRC DIST TEST LOG RESULT REPORT DATA BASE WORK START END OLD NEW IMAGE TAG',
      'BRANCH COMMIT SHA PID FILE FILES DIR NAME VERSION COUNT TOTAL MAX MIN NUM SERVER RESPONSE BODY',
      'STATUS CODE',
    ]),
    /(?:_(?:DIR|FILE|NAME|PID|TAG|ID|COUNT|TIME|VERSION|CODE|SIZE|LOG))?/,
  ]),
]);

/** Returns whether only this shell text is likely to use a variable. */
export const settable = (name: string): boolean =>
  (/^[a-z][a-z0-9_]*$/.test(name) && !special.test(name)) || ownCapitals.test(name);
