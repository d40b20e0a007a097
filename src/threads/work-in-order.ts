/** Works on one piece at a time, here or in a thread of its own. Must be closed. */
export interface PieceWorker<Piece, Part, End> {
  /** Works on a piece, and hands out what comes of it part by part. */
  run(piece: Piece, onPart: (part: Part) => void): Promise<End>;
  /** A piece that is being worked on is given up. */
  close(): Promise<void>;
}

/** Takes what comes of the pieces, in their order: whatever it was given was preceded by all that comes before. */
export interface PieceTaker<Piece, Part, End> {
  readonly part: (piece: Piece, part: Part) => void;
  readonly end: (piece: Piece, end: End) => void;
}

interface Begun<Piece, Part, End> {
  readonly piece: Piece;
  readonly parts: Part[];
  end: { readonly value: End } | undefined;
}

/**
 * Works on pieces with several workers at the same time, each piece with the next worker that is free. The first failure,
 * of a worker or of finding the next piece, is thrown at once; what comes before it in the order and is done has been
 * taken then. `signal` is aborted by the failure, so that who finds the pieces does not wait for one that never ends.
 */
export async function workInOrder<Piece, Part, End>(
  piecesOf: (signal: AbortSignal) => AsyncGenerator<Piece>,
  workers: readonly PieceWorker<Piece, Part, End>[],
  take: PieceTaker<Piece, Part, End>,
): Promise<void> {
  const failure = new AbortController();
  const pieces = piecesOf(failure.signal);
  const begun: Begun<Piece, Part, End>[] = [];

  function deliver(): void {
    for (let head = begun[0]; head; head = begun[0]) {
      for (const part of head.parts.splice(0)) take.part(head.piece, part);
      if (!head.end) return;
      begun.shift();
      take.end(head.piece, head.end.value);
    }
  }

  async function work(worker: PieceWorker<Piece, Part, End>): Promise<void> {
    // Requests to a generator are met in their order, so pieces begin in theirs.
    for (;;) {
      const next = await pieces.next();
      if (next.done || failure.signal.aborted) return;
      const own: Begun<Piece, Part, End> = { piece: next.value, parts: [], end: undefined };
      begun.push(own);
      const value = await worker.run(own.piece, (part) => {
        if (failure.signal.aborted) return;
        own.parts.push(part);
        if (begun[0] === own) deliver();
      });
      if (failure.signal.aborted) return;
      own.end = { value };
      if (begun[0] === own) deliver();
    }
  }

  const working = workers.map((worker) =>
    work(worker).catch((error: unknown) => {
      failure.abort(error);
      throw error;
    }),
  );
  // The others end when their worker is closed.
  for (const each of working) each.catch(() => {});
  await Promise.all(working);
}
