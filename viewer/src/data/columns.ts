// Columns of numbers as the program writes them (stiction/report/column_writer.h): bytes shuffled, lowest first.

export interface Column {
  k: "f8" | "f4" | "d4" | "u4" | "u2" | "u1";
  o: number; // offset [bytes]
  n: number; // count
  b?: number; // base
  s?: number; // scale
}

const widths = { f8: 8, f4: 4, d4: 4, u4: 4, u2: 2, u1: 1 };

/** The bytes of one column, each number whole again. */
function unshuffle(bytes: Uint8Array, column: Column): ArrayBuffer {
  const width = widths[column.k];
  const out = new Uint8Array(column.n * width);
  for (let byte = 0; byte < width; byte++) {
    const plane = column.o + byte * column.n;
    for (let i = 0, at = byte; i < column.n; i++, at += width) out[at] = bytes[plane + i];
  }
  return out.buffer;
}

/** The values of a column of floating-point or rounded numbers. */
export function readFloats(bytes: Uint8Array, column: Column): Float64Array {
  const base = column.b ?? 0;
  const buffer = unshuffle(bytes, column);
  if (column.k === "f8") return new Float64Array(buffer);
  const out = new Float64Array(column.n);
  if (column.k === "f4") {
    const raw = new Float32Array(buffer);
    for (let i = 0; i < out.length; i++) out[i] = base + raw[i];
    return out;
  }
  const raw = new Int32Array(buffer);
  const scale = column.s ?? 1;
  let sum = 0;
  for (let i = 0; i < out.length; i++) {
    sum += raw[i];
    out[i] = base + scale * sum;
  }
  return out;
}

export function readIntegers(bytes: Uint8Array, column: Column): Uint32Array | Uint16Array | Uint8Array {
  const buffer = unshuffle(bytes, column);
  if (column.k === "u1") return new Uint8Array(buffer);
  return column.k === "u2" ? new Uint16Array(buffer) : new Uint32Array(buffer);
}

export function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** A zlib stream back to bytes. */
export async function inflate(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
