import { formats } from '../../src/core/trajectory/formats/formats';
import { fullRun } from './trajectory';

/**
 * The same run as every format that can be read writes it: its name, the file to open, and all files by their paths.
 */
export const foreignRuns = (): {
  readonly format: string;
  readonly label: string;
  readonly open: string;
  readonly files: Readonly<Record<string, string>>;
}[] =>
  formats
    .filter(({ reader, write }) => reader && write)
    .map(({ name, label, write }) => {
      const written = write!(fullRun(), { version: '0.0.0', session: `as-${name}` });
      const files = Object.fromEntries(written.map(({ path, text }) => [`formats/${path}`, text]));
      return {
        format: name,
        label,
        files,
        open: Object.keys(files).find((path) => path.endsWith('base_state.json')) ?? Object.keys(files)[0]!,
      };
    });
