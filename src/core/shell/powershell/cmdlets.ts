import { eachNamed } from '../calls/manual';
import type { Role } from '../calls/options';

/** What a PowerShell cmdlet does with its arguments. */
export interface Cmdlet {
  readonly level: 'low' | 'medium';
  /** Roles of positional words, in order. The last role repeats. */
  readonly words: readonly (Role | 'source' | 'copied' | 'emptied')[];
  /** Roles of parameters. `on` takes no value. Unlisted parameters are not judged as safe. */
  readonly parameters: Readonly<Record<string, Role | 'source' | 'copied' | 'emptied' | 'on'>>;
  /** Works on paths from the pipeline if none is given. */
  readonly fromPipeline?: true;
  /** Takes script blocks, which are judged. */
  readonly blocks?: true;
}

const common = { erroraction: 'text', ea: 'text', verbose: 'on', warningaction: 'text', whatif: 'on' } as const;
const filter = { filter: 'text', include: 'text', exclude: 'text' } as const;
const make = (
  level: Cmdlet['level'],
  words: Cmdlet['words'],
  parameters: Cmdlet['parameters'] = {},
  more: Partial<Cmdlet> = {},
): Cmdlet => ({ level, words, parameters: { ...common, ...parameters }, ...more });

const lists = make('low', ['list', 'text'], {
  path: 'list',
  literalpath: 'list',
  ...filter,
  recurse: 'on',
  depth: 'text',
  name: 'on',
  file: 'on',
  directory: 'on',
  force: 'on',
  hidden: 'on',
  pathtype: 'text',
});
const reads = make(
  'low',
  ['read'],
  {
    path: 'read',
    literalpath: 'read',
    ...filter,
    tail: 'text',
    totalcount: 'text',
    head: 'text',
    first: 'text',
    last: 'text',
    raw: 'on',
    wait: 'on',
    encoding: 'text',
    delimiter: 'text',
    readcount: 'text',
  },
  { fromPipeline: true },
);
const shows = make(
  'low',
  ['text'],
  {
    property: 'text',
    descending: 'on',
    unique: 'on',
    first: 'text',
    last: 'text',
    skip: 'text',
    index: 'text',
    expandproperty: 'text',
    line: 'on',
    word: 'on',
    character: 'on',
    sum: 'on',
    average: 'on',
    maximum: 'on',
    minimum: 'on',
    wrap: 'on',
    autosize: 'on',
    width: 'text',
    depth: 'text',
    compress: 'on',
    ashashtable: 'on',
    noelement: 'on',
    casesensitive: 'on',
    asstring: 'on',
    format: 'text',
    uformat: 'text',
    name: 'text',
    id: 'text',
    membertype: 'text',
    separator: 'text',
    nonewline: 'on',
    foregroundcolor: 'text',
    inputobject: 'text',
    listavailable: 'on',
    all: 'on',
    parameter: 'text',
    parent: 'on',
    leaf: 'on',
    extension: 'on',
    childpath: 'text',
    seconds: 'text',
    milliseconds: 'text',
    message: 'text',
    examples: 'on',
    full: 'on',
    detailed: 'on',
    localport: 'text',
    remoteport: 'text',
    state: 'text',
    psprovider: 'text',
    owningprocess: 'text',
    activity: 'text',
    referenceobject: 'text',
    differenceobject: 'text',
    includeequal: 'on',
    syncwindow: 'text',
  },
  { blocks: true },
);
const writes = make(
  'medium',
  ['write', 'text'],
  {
    path: 'write',
    literalpath: 'write',
    filepath: 'write',
    value: 'text',
    inputobject: 'text',
    encoding: 'text',
    nonewline: 'on',
    append: 'on',
    force: 'on',
    width: 'text',
  },
  { fromPipeline: true },
);
const creates = make('medium', ['write'], {
  path: 'write',
  name: 'text',
  itemtype: 'text',
  type: 'text',
  value: 'text',
  force: 'on',
});
const copies = make(
  'medium',
  ['copied', 'write'],
  {
    path: 'copied',
    literalpath: 'copied',
    destination: 'write',
    recurse: 'on',
    force: 'on',
    passthru: 'on',
    ...filter,
  },
  { fromPipeline: true },
);
const moves = make(
  'medium',
  ['source', 'write'],
  { path: 'source', literalpath: 'source', destination: 'write', newname: 'write', force: 'on', passthru: 'on' },
  { fromPipeline: true },
);

/** Cmdlets by name and alias, in lower case. Commands that are neither here nor in the tables of programs are high. */
const cmdletsByName: Readonly<Record<string, Cmdlet>> = {
  ...eachNamed('get-childitem gci ls dir get-item gi test-path resolve-path rvpa', lists),
  ...eachNamed('get-content gc cat type', reads),
  ...eachNamed(
    'format-hex fhx',
    make('low', ['read'], { path: 'read', literalpath: 'read', count: 'text', offset: 'text' }, { fromPipeline: true }),
  ),
  ...eachNamed(
    'get-acl get-itemproperty gp',
    make('low', ['list', 'text'], { path: 'list', literalpath: 'list', name: 'text' }),
  ),
  'get-filehash': make('low', ['search'], { path: 'search', literalpath: 'search', algorithm: 'text' }),
  ...eachNamed(
    'select-string sls',
    make('low', ['text', 'search'], {
      pattern: 'text',
      path: 'search',
      literalpath: 'search',
      simplematch: 'on',
      casesensitive: 'on',
      quiet: 'on',
      list: 'on',
      context: 'text',
      notmatch: 'on',
      allmatches: 'on',
      include: 'text',
      exclude: 'text',
      encoding: 'text',
    }),
  ),
  ...eachNamed(
    'where-object where ?',
    make(
      'low',
      ['text', 'text'],
      {
        property: 'text',
        value: 'text',
        eq: 'text',
        ne: 'text',
        gt: 'text',
        lt: 'text',
        ge: 'text',
        le: 'text',
        like: 'text',
        notlike: 'text',
        match: 'text',
        notmatch: 'text',
        contains: 'text',
        in: 'text',
      },
      { blocks: true },
    ),
  ),
  'measure-command': make('low', [], {}, { blocks: true }),
  ...eachNamed('foreach-object foreach %', make('low', [], {}, { blocks: true })),
  ...eachNamed(
    `
    sort-object sort select-object select measure-object measure group-object group format-table ft format-list
    fl format-wide fw out-string out-null out-host oh write-output echo write write-host get-date get-location
    gl pwd get-command gcm get-help help get-process ps gps get-service gsv get-member gm get-unique gu
    convertfrom-json convertto-json convertto-csv convertfrom-csv compare-object diff compare clear-host cls
    clear get-host get-culture get-timezone get-module get-uptime get-random split-path join-path get-psdrive
    get-volume get-computerinfo get-nettcpconnection test-json get-executionpolicy get-error start-sleep sleep
    write-verbose write-error write-warning write-debug write-information write-progress get-alias gal get-packageprovider
    get-eventsubscriber get-pssnapin get-typedata get-formatdata get-netadapter get-netipaddress get-disk
    get-partition get-hotfix get-timezone get-uiculture get-verb get-runspace get-job get-history ghy h
  `,
    shows,
  ),
  ...eachNamed('get-variable gv', make('low', ['name'], { name: 'name', scope: 'text', valueonly: 'on' })),
  ...eachNamed('import-csv ipcsv import-clixml', reads),
  'expand-archive': make('medium', ['read', 'write'], {
    path: 'read',
    literalpath: 'read',
    destinationpath: 'write',
    force: 'on',
  }),
  'compress-archive': make('medium', ['read', 'write'], {
    path: 'read',
    literalpath: 'read',
    destinationpath: 'write',
    update: 'on',
    force: 'on',
    compressionlevel: 'text',
  }),
  ...eachNamed('set-content sc add-content ac out-file tee-object tee', writes),
  ...eachNamed(
    'export-csv epcsv export-clixml',
    make(
      'medium',
      ['write'],
      {
        path: 'write',
        literalpath: 'write',
        notypeinformation: 'on',
        includetypeinformation: 'on',
        append: 'on',
        force: 'on',
        noclobber: 'on',
        delimiter: 'text',
        encoding: 'text',
        depth: 'text',
        inputobject: 'text',
      },
      { fromPipeline: true },
    ),
  ),
  ...eachNamed(
    'clear-content clc',
    make('medium', ['emptied'], { path: 'emptied', literalpath: 'emptied', force: 'on' }, { fromPipeline: true }),
  ),
  'invoke-pester': make('low', ['search'], {
    path: 'search',
    output: 'text',
    show: 'text',
    tag: 'text',
    excludetag: 'text',
    passthru: 'on',
    ci: 'on',
    quiet: 'on',
    fullnamefilter: 'text',
  }),
  'invoke-scriptanalyzer': make('low', ['search'], {
    path: 'search',
    recurse: 'on',
    severity: 'text',
    includerule: 'text',
    excluderule: 'text',
    reportsummary: 'on',
    enableexit: 'on',
  }),
  ...eachNamed('new-item ni mkdir md', creates),
  ...eachNamed('copy-item cp copy cpi', copies),
  ...eachNamed('move-item mv move mi rename-item ren rni', moves),
};
const table = new Map(Object.entries(cmdletsByName));

export const cmdletNamed = (name: string): Cmdlet | undefined => table.get(name.toLowerCase());

/** Returns the role of a parameter, given by any unambiguous prefix of its name. */
export function parameterOf(cmdlet: Cmdlet, prefix: string): Role | 'source' | 'copied' | 'emptied' | 'on' | undefined {
  const name = parameterNamed(cmdlet, prefix);
  return name === undefined ? undefined : cmdlet.parameters[name];
}

/** Returns the full name of a parameter in lower case. */
export function parameterNamed({ parameters }: Cmdlet, prefix: string): string | undefined {
  const wanted = prefix.toLowerCase();
  if (Object.hasOwn(parameters, wanted)) return wanted;
  const found = Object.keys(parameters).filter((name) => name.startsWith(wanted));
  return found.length === 1 ? found[0] : undefined;
}
