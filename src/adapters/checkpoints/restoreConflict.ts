/** Something stands in the way of a restore; nothing was changed. The message is for people. */
export class RestoreConflict extends Error {
  constructor(
    message: string,
    readonly path: string,
  ) {
    super(message);
    this.name = 'RestoreConflict';
  }
}

/** A command of the run is at work on the files: the restore is possible when it ended. The message is for people. */
export class CommandAtWork extends RestoreConflict {
  constructor(message: string) {
    super(message, '');
    this.name = 'CommandAtWork';
  }
}
