/**
 * Variables that may be copied from the sandboxed shell to the one outside: language, counts, display. None names a
 * file, folder, program or target, so none decides which code runs outside, or on what.
 */
export const variablesAllowedOutside: readonly { readonly names: readonly string[]; readonly values: RegExp }[] = [
  {
    names: ['LANG', 'LANGUAGE', 'LC_ALL', 'LC_COLLATE', 'LC_CTYPE', 'LC_MESSAGES', 'LC_NUMERIC', 'LC_TIME'],
    values: /^[\w.:@-]*$/,
  },
  { names: ['TZ'], values: /^[A-Za-z_]+(\/[A-Za-z_]+){0,2}$|^UTC[+-]?\d{0,2}$/ },
  {
    names: ['NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE', 'PY_COLORS', 'CARGO_TERM_COLOR', 'TERM'],
    values: /^[\w-]*$/,
  },
  { names: ['COLUMNS', 'LINES', 'PORT', 'SOURCE_DATE_EPOCH', 'PYTHONHASHSEED'], values: /^\d*$/ },
  {
    names: [
      'CI',
      'V',
      'VERBOSE',
      'LOG_LEVEL',
      'LOGLEVEL',
      'RUST_BACKTRACE',
      'PYTHONDONTWRITEBYTECODE',
      'PYTHONUNBUFFERED',
      'PYTHONUTF8',
    ],
    values: /^\w*$/,
  },
  {
    names: ['NODE_ENV', 'BABEL_ENV', 'RAILS_ENV', 'RACK_ENV', 'MIX_ENV', 'APP_ENV', 'FLASK_ENV'],
    values: /^(test|testing|development|dev)$/,
  },
];

/**
 * Returns whether a variable may be copied from the sandboxed shell, where code may have set it, to the one outside.
 */
export const isAllowedOutside = (name: string, value: string): boolean =>
  variablesAllowedOutside.some(({ names, values }) => names.includes(name) && values.test(value));
