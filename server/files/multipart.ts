import { AppError } from '#server/lib/errors.ts'

/** The one file of a multipart body, while it is still coming. */
export interface Upload {
  /** As the sender wrote it. */
  name: string
  /** Must be read to its end, or left by `return`. */
  content: AsyncGenerator<Buffer>
}

const MAX_HEAD_BYTES = 8 * 1024
const LINE = '\r\n'

/**
 * Reads a body of exactly one part, a file in the field `file`, holding no more of it than a chunk. That is all our
 * pages send, so everything else is refused.
 */
export async function readUpload(contentType: string | undefined, body: AsyncIterable<Uint8Array>): Promise<Upload> {
  const reader = createReader(body)
  try {
    const delimiter = Buffer.from(`${LINE}--${boundaryOf(contentType)}`)
    // The first delimiter stands without a line before it; with one it is like all others.
    reader.unread(Buffer.from(LINE))
    await reader.fill(delimiter.length + LINE.length)
    if (!reader.take(delimiter.length).equals(delimiter) || !reader.take(LINE.length).equals(Buffer.from(LINE)))
      throw malformed()
    const name = fileNameOf(await readHead(reader))
    return { name, content: readContent(reader, delimiter) }
  } catch (error) {
    await reader.leave()
    throw error
  }
}

function boundaryOf(contentType = ''): string {
  const pattern = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i
  const [, quoted, plain] = pattern.exec(contentType) ?? []
  const boundary = quoted ?? plain ?? ''
  if (!/^[\w'()+,./:=? -]{1,70}$/.test(boundary) || boundary.endsWith(' '))
    throw new AppError('unsupported_media_type', 'Файл передают как multipart/form-data, в поле file.')
  return boundary
}

async function readHead(reader: Reader): Promise<string> {
  const end = Buffer.from(LINE + LINE)
  for (;;) {
    const found = reader.find(end)
    if (found > MAX_HEAD_BYTES) throw malformed()
    if (found >= 0) {
      const head = reader.take(found).toString('utf8')
      reader.take(end.length)
      return head
    }
    if (reader.length() > MAX_HEAD_BYTES) throw malformed()
    await reader.fill(reader.length() + 1)
  }
}

function fileNameOf(head: string): string {
  const line = head.split(LINE).find((header) => /^content-disposition\s*:/i.test(header)) ?? ''
  const parameters = new Map<string, string>()
  for (const [, key = '', quoted, plain] of line.matchAll(/;\s*([\w*-]+)\s*=\s*(?:"((?:\\"|[^"])*)"|([^\s;"]+))/g))
    parameters.set(key.toLowerCase(), quoted ?? plain ?? '')
  const name = parameters.get('filename')
  if (!/:\s*form-data\s*(;|$)/i.test(line) || parameters.get('name') !== 'file' || name === undefined)
    throw new AppError('bad_request', 'Нужно одно поле file, и в нём файл.', { field: 'file' })
  // Browsers write a quote as %22, some other clients as \".
  return name.replaceAll('\\"', '"').replaceAll('%22', '"')
}

async function* readContent(reader: Reader, delimiter: Buffer): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      const end = reader.find(delimiter)
      if (end >= 0) {
        if (end > 0) yield reader.take(end)
        break
      }
      // The last bytes may be the beginning of the delimiter.
      const sure = reader.length() - delimiter.length + 1
      if (sure > 0) yield reader.take(sure)
      await reader.fill(reader.length() + 1)
    }
    await reader.fill(delimiter.length + 2)
    reader.take(delimiter.length)
    const after = reader.take(2).toString('latin1')
    if (after === LINE) throw new AppError('bad_request', 'За один раз принимается один файл.', { field: 'file' })
    if (after !== '--') throw malformed()
  } finally {
    await reader.leave()
  }
}

type Reader = ReturnType<typeof createReader>

/** Bytes that have come and are not yet used up. */
function createReader(body: AsyncIterable<Uint8Array>) {
  const source = body[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  return {
    length: () => rest.length,
    find: (what: Buffer) => rest.indexOf(what),
    unread: (bytes: Buffer) => {
      rest = Buffer.concat([bytes, rest])
    },
    take: (count: number) => {
      const taken = rest.subarray(0, count)
      rest = rest.subarray(count)
      return taken
    },
    /** Waits until so many bytes are there. */
    fill: async (count: number) => {
      while (rest.length < count) {
        const { done, value } = await source.next().catch(interrupted)
        if (done) throw interrupted()
        rest = Buffer.concat([rest, value])
      }
    },
    /** Lets go of what has not come yet. */
    leave: async () => {
      await source.return?.().catch(() => undefined)
    },
  }
}

const malformed = () => new AppError('bad_request', 'Тело запроса не читается как multipart/form-data с одним файлом.')

function interrupted(cause?: unknown): never {
  throw new AppError('bad_request', 'Загрузка прервалась. Повторите её.', { cause })
}
