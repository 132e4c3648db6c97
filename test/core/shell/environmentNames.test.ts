import assert from 'node:assert/strict';
import { environmentProblem } from '../../../src/core/shell/syntax/environmentNames';
import { isAllowedOutside } from '../../../src/core/shell/syntax/variablesOutside';
import { literal } from '../../../src/core/shell/syntax/value';

/**
 * From the manuals of the programs: each variable decides which code a program loads, which program it starts, or what
 * it works on.
 */
const deciding = [
  'PATH',
  'CDPATH',
  'IFS',
  'ENV',
  'BASH_ENV',
  'PROMPT_COMMAND',
  'PS4',
  'SHELLOPTS',
  'BASHOPTS',
  'ZDOTDIR',
  'FPATH',
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'LD_AUDIT',
  'DYLD_INSERT_LIBRARIES',
  'GCONV_PATH',
  'LOCPATH',
  'NLSPATH',
  'PYTHONPATH',
  'PYTHONHOME',
  'PYTHONSTARTUP',
  'PYTHONUSERBASE',
  'PYTHONPLATLIBDIR',
  'PYTHONBREAKPOINT',
  'PYTHONWARNINGS',
  'PYTHONPYCACHEPREFIX',
  'VIRTUAL_ENV',
  'CONDA_PREFIX',
  'PIP_INDEX_URL',
  'PIP_CONFIG_FILE',
  'PYTEST_ADDOPTS',
  'PYTEST_PLUGINS',
  'NODE_PATH',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'NODE_REPL_EXTERNAL_MODULE',
  'npm_config_registry',
  'npm_config_userconfig',
  'npm_config_script_shell',
  'YARN_RC_FILENAME',
  'COREPACK_HOME',
  'NVM_DIR',
  'DENO_DIR',
  'BUN_INSTALL',
  'RUBYLIB',
  'RUBYOPT',
  'GEM_HOME',
  'GEM_PATH',
  'BUNDLE_GEMFILE',
  'BUNDLE_PATH',
  'PERL5LIB',
  'PERL5OPT',
  'PERLLIB',
  'PHPRC',
  'PHP_INI_SCAN_DIR',
  'COMPOSER_HOME',
  'LUA_PATH',
  'LUA_CPATH',
  'LUA_INIT',
  'R_PROFILE',
  'R_LIBS',
  'JULIA_LOAD_PATH',
  'CLASSPATH',
  'JAVA_HOME',
  'JAVA_TOOL_OPTIONS',
  '_JAVA_OPTIONS',
  'JDK_JAVA_OPTIONS',
  'MAVEN_OPTS',
  'MAVEN_ARGS',
  'M2_HOME',
  'GRADLE_OPTS',
  'GRADLE_USER_HOME',
  'SBT_OPTS',
  'DOTNET_ROOT',
  'DOTNET_STARTUP_HOOKS',
  'MSBUILDSDKSPATH',
  'GOPATH',
  'GOROOT',
  'GOFLAGS',
  'GOENV',
  'GOPROXY',
  'GOTOOLCHAIN',
  'CARGO_HOME',
  'CARGO_BUILD_RUSTC_WRAPPER',
  'RUSTC_WRAPPER',
  'RUSTFLAGS',
  'RUSTUP_HOME',
  'RUSTUP_TOOLCHAIN',
  'CC',
  'CXX',
  'CFLAGS',
  'LDFLAGS',
  'CMAKE_TOOLCHAIN_FILE',
  'MAKEFLAGS',
  'MAKEFILES',
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_COUNT',
  'GIT_EXEC_PATH',
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'GIT_EDITOR',
  'GIT_PAGER',
  'GIT_EXTERNAL_DIFF',
  'GIT_ASKPASS',
  'GIT_TEMPLATE_DIR',
  'EDITOR',
  'VISUAL',
  'PAGER',
  'MANPAGER',
  'BROWSER',
  'LESSOPEN',
  'SHELL',
  'HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'TMPDIR',
  'INPUTRC',
  'TERMINFO',
  'TERMCAP',
  'RIPGREP_CONFIG_PATH',
  'CURL_HOME',
  'WGETRC',
  'OPENSSL_CONF',
  'SSL_CERT_FILE',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'DOCKER_HOST',
  'DOCKER_CONFIG',
  'KUBECONFIG',
  'TF_CLI_CONFIG_FILE',
  'ANSIBLE_CONFIG',
  'DATABASE_URL',
  'AWS_PROFILE',
  'HUSKY',
  'DEBUG',
  'HOST',
];

describe('a variable copied from the sandbox to the outer shell', () => {
  it('cannot decide what runs', () => {
    for (const name of deciding)
      for (const value of ['', '.', 'src', '1', 'test', 'true', '/evil'])
        assert.equal(isAllowedOutside(name, value), false, `${name}=${value}`);
  });

  it('may be a harmless setting such as LANG or PORT', () => {
    for (const [name, value] of [
      ['LANG', 'de_DE.UTF-8'],
      ['LC_ALL', 'C'],
      ['TZ', 'Europe/Berlin'],
      ['NO_COLOR', '1'],
      ['PORT', '3000'],
      ['CI', 'true'],
      ['NODE_ENV', 'test'],
      ['COLUMNS', '80'],
    ] as const)
      assert.equal(isAllowedOutside(name, value), true, name);
  });

  it('contains no path, command or production environment', () => {
    for (const [name, value] of [
      ['TZ', ':/evil/zone'],
      ['TZ', '../../evil'],
      ['LANG', '../evil'],
      ['TERM', '../evil'],
      ['LANG', 'a\nb'],
      ['PORT', '80; rm'],
      ['NODE_ENV', 'production'],
      ['RAILS_ENV', 'production'],
      ['CI', '$(evil)'],
    ] as const)
      assert.equal(isAllowedOutside(name, value), false, `${name}=${value}`);
  });
});

describe('a variable in front of a command', () => {
  /** Deciding variables that may contain plain words, because no word makes them load or start anything. */
  const mayHoldWords = new Set(['DEBUG', 'HUSKY', 'HOST']);

  it('is a problem if it decides what runs', () => {
    for (const name of deciding.filter((one) => !mayHoldWords.has(one))) {
      for (const value of ['x', 'evil:x', '/evil', '../x', 'a b', '-x']) {
        assert.notEqual(environmentProblem(name, literal(value)), undefined, `${name}=${value}`);
      }
    }
  });

  it('is no problem if it only sets harmless options', () => {
    const harmless = [
      'E2E=1',
      'SKIP_SLOW=true',
      'NUM_WORKERS=4',
      'CC=clang',
      'CXX=g++-13',
      'CFLAGS=-O2 -Wall',
      'RUSTFLAGS=-D warnings',
      'DJANGO_SETTINGS_MODULE=app.settings',
      'OMP_NUM_THREADS=1',
      'DATABASE_URL=postgres://localhost:5432/test',
      'GOFLAGS=-count=1',
    ];
    for (const one of harmless) {
      const [name = '', value = ''] = one.split(/=(.*)/s);
      assert.equal(environmentProblem(name, literal(value)), undefined, one);
    }
  });

  it('is a problem if it forces, skips checks, or names a program, a folder or another machine', () => {
    const dangerous = [
      'FORCE=1',
      'ALLOW_DROP=yes',
      'SKIP_SSL_VERIFY=1',
      'E2E=./x',
      'DATABASE_URL=postgres://db.example.org/app',
      'CC=./x',
      'CFLAGS=-B.',
      'CFLAGS=-fplugin=x',
      'CFLAGS=-Wl,-rpath,x',
      'RUSTFLAGS=-C linker=./x',
      'DJANGO_SETTINGS_MODULE=../x',
      'GOFLAGS=-toolexec=x',
      'PGHOST=db.example.org',
      'ASAN_OPTIONS=log_path=/etc/x',
      'RAILS_ENV=production',
      'MODE=production',
    ];
    for (const one of dangerous) {
      const [name = '', value = ''] = one.split(/=(.*)/s);
      assert.notEqual(environmentProblem(name, literal(value)), undefined, one);
    }
  });
});
