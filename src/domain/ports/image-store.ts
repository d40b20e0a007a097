/** A file of an ImageStore. */
export interface ImageFile {
  /** `<projectKey>/<file name>`, ASCII letters, digits, `_`, `-`, one `/` and one `.` */
  readonly name: string;
  readonly sizeBytes: number;
  /** ms since the epoch. */
  readonly storedAtMs: number;
}

/**
 * Keeps the files of images: by name, whole, never changed. Names are never used again, so a put meets an existing name
 * only where the same image is made again. Throws `ServiceError` `InsufficientStorage` where there is no room, `OverCapacity`
 * where the store cannot be reached.
 */
export interface ImageStore {
  /** Durable before it resolves. False, and nothing is written, where the name exists. */
  put(name: string, bytes: Uint8Array): Promise<boolean>;
  /** Undefined where there is no such file. */
  find(name: string): Promise<ImageFile | undefined>;
  /** The bytes of an existing file from `first` to `last`, both included; throws on the way where it vanished. */
  read(name: string, first: number, last: number): AsyncIterable<Uint8Array>;
  /** False where there is no such file. */
  delete(name: string): Promise<boolean>;
  /** All files, those of a project one after the other; files put or deleted meanwhile may be met or not. */
  list(): AsyncIterable<ImageFile>;
  /** The same of one project. */
  listProject(projectKey: string): AsyncIterable<ImageFile>;
}
