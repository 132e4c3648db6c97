import { eachNamed, type Family, type Manual } from '../../calls/manual';
import { flags, high, type Options, takes, values } from '../../calls/options';
import { judgeNoUpload } from '../shared/elsewhere';
import { judgeTests } from '../shared/projectCode';

const builds = (options: Options): Manual => ({
  level: 'medium',
  reason: 'Builds the project.',
  operands: { rest: 'text' },
  judge: judgeTests,
  options,
});

export const deviceReadingManual = (options: Options = []): Manual => ({
  level: 'low',
  operands: { rest: 'text' },
  others: 'high',
  options,
});

/** Anything that changes a device or its memory requires approval. */
export const changesDevice = 'Changes a device or software installed for it.';

export const embeddedFamily: Family = {
  programs: {
    ...eachNamed('pio platformio', {
      level: 'high',
      reason: changesDevice,
      options: [flags('--version -h --help')],
      verbs: {
        // The target `upload` writes to a board.
        run: {
          ...builds([
            flags('-s --silent -v --verbose --list-targets'),
            values('-e --environment -j --jobs'),
            takes('search', '-d --project-dir -c --project-conf'),
          ]),
          judge: judgeNoUpload,
        },
        ...eachNamed(
          'test check ci',
          builds([
            flags(
              '-v -vv --verbose --without-uploading --without-testing --without-building --json-output --keep-build-dir --no-reset',
            ),
            values('-b --board -O --project-option --test-port --pattern --flags --skip-packages'),
            takes('search', '-d --project-dir -c --project-conf -l --lib --src-dir'),
            takes('write', '--build-dir --junit-output-path --json-output-path'),
            values('-e --environment -f --filter -i --ignore --fail-on-defect --severity'),
          ]),
        ),
        boards: deviceReadingManual([flags('--installed --json-output')]),
        settings: { level: 'high', reason: changesDevice, verbs: { get: deviceReadingManual() } },
        device: { level: 'high', verbs: { list: deviceReadingManual([flags('--serial --logical --json-output')]) } },
        ...eachNamed('pkg project system lib platform', {
          level: 'high',
          reason: changesDevice,
          verbs: {
            ...eachNamed(
              'list outdated show info config metadata search builtin stats frameworks',
              deviceReadingManual([flags('-g --json-output'), values('-e'), takes('search', '-d')]),
            ),
          },
        }),
      },
    }),
    'idf.py': {
      level: 'high',
      reason: changesDevice,
      options: [flags('--version -v'), takes('search', '-C'), takes('write', '-B')],
      verbs: {
        ...eachNamed(
          'build all app bootloader reconfigure size size-components size-files docs',
          builds([flags('-v'), values('--format -j'), takes('write', '-B'), takes('search', '-C')]),
        ),
        ...eachNamed('clean fullclean', {
          level: 'medium',
          reason: 'Deletes build output.',
          operands: [],
          options: [],
        }),
        'set-target': {
          level: 'medium',
          reason: 'Changes files of the workspace.',
          operands: ['text'],
          options: [],
        },
        '--list-targets': deviceReadingManual(),
      },
    },
    west: {
      level: 'high',
      reason: changesDevice,
      options: [flags('--version -v')],
      verbs: {
        build: builds([
          flags('-c --cmake-only --'),
          values('-b --board -p --pristine -t --target -S --shield -T'),
          takes('write', '-d --build-dir'),
        ]),
        ...eachNamed(
          'list status topdir manifest diff boards help',
          deviceReadingManual([values('-f --format'), flags('--all -a --resolve --validate --freeze --path')]),
        ),
        ...eachNamed('twister test', builds([flags('-v -n -G'), values('-p --platform'), takes('search', '-T')])),
      },
    },
    'arduino-cli': {
      level: 'high',
      reason: changesDevice,
      options: [flags('--version')],
      verbs: {
        compile: builds([
          flags('--verbose -v -e --export-binaries'),
          values('-b --fqbn --warnings'),
          takes('write', '--build-path --output-dir'),
          takes('search', '--libraries'),
        ]),
        ...eachNamed('board core lib sketch config', {
          level: 'high',
          reason: changesDevice,
          verbs: {
            ...eachNamed(
              'list listall search details dump',
              deviceReadingManual([flags('--all --updatable'), values('--fqbn -b --format')]),
            ),
          },
        }),
        ...eachNamed('version help', deviceReadingManual()),
      },
    },
    ...eachNamed('esptool esptool.py', {
      level: 'high',
      reason: changesDevice,
      options: [values('--chip --port -p -c -b --baud')],
      verbs: { ...eachNamed('version image_info image-info', deviceReadingManual([values('--version')])) },
    }),
    ...eachNamed('avrdude openocd st-flash dfu-util JLinkExe probe-rs nrfjprog bossac picotool', {
      level: 'high',
      reason: changesDevice,
      options: [flags('--version -v --list -l')],
    }),
    dtc: {
      level: 'medium',
      reason: 'Builds the project.',
      operands: ['read'],
      options: [flags('-@ -q -s -v --version'), values('-I -O -W -p'), takes('write', '-o'), takes('search', '-i')],
    },
    ...eachNamed('fdtdump lsusb usbip_list i2cdetect_list', {
      level: 'low',
      operands: { rest: 'read' },
      others: 'low',
      options: [high(values('-s'))],
    }),
  },
};
