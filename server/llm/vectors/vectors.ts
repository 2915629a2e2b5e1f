/** How vectors are wanted: as numbers, or as the `data` of OpenAI's answer, which has numbers or base64. */
export type VectorForm = 'numbers' | 'float' | 'base64'

/** Vectors of one length, one after another. Numbers that came as base64 have 32 bits. */
export interface PackedVectors {
  numbers: Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>
  size: number
}

const FLOAT_BYTES = 4

/** The vectors of an answer in the order of the texts; null unless there is one for each text, all of one length. */
export function readVectors(answer: Uint8Array, count: number): PackedVectors | null {
  const embeddings = embeddingsIn(Buffer.from(answer.buffer, answer.byteOffset, answer.length).toString('utf8'), count)
  if (!embeddings) return null
  const packed = embeddings.every((one) => typeof one === 'string') ? packBase64(embeddings) : packNumbers(embeddings)
  return packed && packed.size > 0 && packed.numbers.every(Number.isFinite) ? packed : null
}

function embeddingsIn(text: string, count: number): unknown[] | null {
  const list = parseJson(text)
  if (!hasData(list) || !Array.isArray(list.data) || list.data.length !== count) return null
  const data: { index?: unknown; embedding?: unknown }[] = list.data.map((each) => each ?? {})
  const indexOf = ({ index }: { index?: unknown }) => (typeof index === 'number' ? index : 0)
  return data.toSorted((a, b) => indexOf(a) - indexOf(b)).map(({ embedding }) => embedding)
}

const hasData = (value: unknown): value is { data: unknown } =>
  typeof value === 'object' && value !== null && 'data' in value

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function packBase64(embeddings: string[]): PackedVectors | null {
  const vectors = embeddings.map((text) => Buffer.from(text, 'base64'))
  const bytes = vectors[0]?.length ?? 0
  if (bytes % FLOAT_BYTES > 0 || vectors.some(({ length }) => length !== bytes)) return null
  const all = new Uint8Array(bytes * vectors.length)
  for (const [n, vector] of vectors.entries()) all.set(vector, n * bytes)
  return { numbers: new Float32Array(all.buffer), size: bytes / FLOAT_BYTES }
}

function packNumbers(embeddings: unknown[]): PackedVectors | null {
  const [first] = embeddings
  const size = Array.isArray(first) ? first.length : 0
  const numbers = new Float64Array(size * embeddings.length)
  for (const [n, vector] of embeddings.entries()) {
    if (!Array.isArray(vector) || vector.length !== size) return null
    if (vector.some((value) => typeof value !== 'number')) return null
    numbers.set(vector, n * size)
  }
  return { numbers, size }
}

/** A vector is a part of the packed ones. */
export const vectorsOf = ({ numbers, size }: PackedVectors) =>
  Array.from({ length: numbers.length / size }, (_, n) => numbers.subarray(n * size, (n + 1) * size))

/** The list of `data` as JSON. Base64 is that of 32-bit floats, the low byte first, as OpenAI sends them. */
export function writeVectors(packed: PackedVectors, form: 'float' | 'base64'): Uint8Array<ArrayBuffer> {
  const written = vectorsOf(packed).map((vector, index) => {
    const embedding = form === 'base64' ? `"${base64Of(vector)}"` : `[${vector.join(',')}]`
    return Buffer.from(`${index > 0 ? ',' : ''}{"object":"embedding","index":${index},"embedding":${embedding}}`)
  })
  const list = [Buffer.from('['), ...written, Buffer.from(']')]
  const all = new Uint8Array(list.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of list) {
    all.set(part, at)
    at += part.length
  }
  return all
}

const base64Of = (vector: ArrayLike<number>) => Buffer.from(Float32Array.from(vector).buffer).toString('base64')
