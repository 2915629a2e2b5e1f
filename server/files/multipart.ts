import { AppError } from '#server/lib/errors.ts'

/** The one file of a multipart body, while it is being received. */
export interface Upload {
  /** As the client sent it; see safeFileName. */
  name: string
  /** Read it to the end or call `return()`: otherwise the connection stays open. */
  content: AsyncGenerator<Buffer>
  /** Those after the file are added once the content has been read. */
  fields: Map<string, string>
}

const MAX_HEAD_BYTES = 8 * 1024
const MAX_FIELD_BYTES = 1024
const LINE = '\r\n'

/**
 * Streams a body with one file in the field `file` and any of the `known` text fields, each at most once. Our pages
 * send nothing else, so every other body is rejected; why this is not a library is in docs/decisions/022-files.md.
 */
export async function readUpload(
  contentType: string | undefined,
  body: AsyncIterable<Uint8Array>,
  known: readonly string[] = [],
): Promise<Upload> {
  const reader = createReader(body)
  try {
    const delimiter = Buffer.from(`${LINE}--${boundaryOf(contentType)}`)
    // Only the first delimiter has no CRLF before it; adding one lets the same search find them all.
    reader.unread(Buffer.from(LINE))
    await reader.fill(delimiter.length + LINE.length)
    if (!reader.take(delimiter.length).equals(delimiter) || !reader.take(LINE.length).equals(Buffer.from(LINE)))
      throw malformed()
    const fields = new Map<string, string>()
    let head = await readHead(reader)
    for (let field = fieldOf(head, known); field !== null; field = fieldOf(head, known)) {
      await readField(reader, delimiter, field, fields)
      if ((await passDelimiter(reader, delimiter)) === 'end') throw noFile()
      head = await readHead(reader)
    }
    return { name: fileNameOf(head), content: readContent(reader, delimiter, known, fields), fields }
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

function dispositionOf(head: string) {
  const line = head.split(LINE).find((header) => /^content-disposition\s*:/i.test(header)) ?? ''
  const parameters = new Map<string, string>()
  for (const [, key = '', quoted, plain] of line.matchAll(/;\s*([\w*-]+)\s*=\s*(?:"((?:\\"|[^"])*)"|([^\s;"]+))/g))
    parameters.set(key.toLowerCase(), quoted ?? plain ?? '')
  const fileName = decodeExtended(parameters.get('filename*')) ?? parameters.get('filename')
  return { isForm: /:\s*form-data\s*(;|$)/i.test(line), name: parameters.get('name') ?? '', fileName }
}

/** Some clients send names in the form of RFC 5987: utf-8'language'percent-encoded. Undefined for anything else. */
function decodeExtended(value = ''): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(value) ?? []
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

/** The name of a known text field; null for a file and for everything else. */
function fieldOf(head: string, known: readonly string[]): string | null {
  const { isForm, name, fileName } = dispositionOf(head)
  return isForm && fileName === undefined && known.includes(name) ? name : null
}

async function readField(reader: Reader, delimiter: Buffer, name: string, fields: Map<string, string>): Promise<void> {
  // Without this check a body could repeat a field for ever.
  if (fields.has(name)) throw malformed()
  for (;;) {
    const end = reader.find(delimiter)
    if (end > MAX_FIELD_BYTES) throw malformed()
    if (end >= 0) {
      fields.set(name, reader.take(end).toString('utf8'))
      return
    }
    if (reader.length() > MAX_FIELD_BYTES + delimiter.length) throw malformed()
    await reader.fill(reader.length() + 1)
  }
}

async function passDelimiter(reader: Reader, delimiter: Buffer): Promise<'part' | 'end'> {
  await reader.fill(delimiter.length + 2)
  reader.take(delimiter.length)
  const after = reader.take(2).toString('latin1')
  if (after !== LINE && after !== '--') throw malformed()
  return after === LINE ? 'part' : 'end'
}

const noFile = () => new AppError('bad_request', 'Нужно одно поле file, и в нём файл.', { field: 'file' })

function fileNameOf(head: string): string {
  const { isForm, name, fileName } = dispositionOf(head)
  if (!isForm || name !== 'file' || fileName === undefined) throw noFile()
  // Browsers write a quote as %22, some other clients as \".
  return fileName.replaceAll('\\"', '"').replaceAll('%22', '"')
}

async function* readContent(
  reader: Reader,
  delimiter: Buffer,
  known: readonly string[],
  fields: Map<string, string>,
): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      const end = reader.find(delimiter)
      if (end >= 0) {
        if (end > 0) yield reader.take(end)
        break
      }
      // A delimiter may be split between chunks, so its length less one is held back.
      const sure = reader.length() - delimiter.length + 1
      if (sure > 0) yield reader.take(sure)
      await reader.fill(reader.length() + 1)
    }
    while ((await passDelimiter(reader, delimiter)) === 'part') {
      const field = known.length > 0 ? fieldOf(await readHead(reader), known) : null
      if (field === null) throw new AppError('bad_request', 'За один раз принимается один файл.', { field: 'file' })
      await readField(reader, delimiter, field, fields)
    }
  } finally {
    await reader.leave()
  }
}

type Reader = ReturnType<typeof createReader>

/** A buffer in front of the body: bytes that have been received and not been taken yet. */
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
    fill: async (count: number) => {
      while (rest.length < count) {
        const { done, value } = await source.next().catch(interrupted)
        if (done) throw interrupted()
        rest = Buffer.concat([rest, value])
      }
    },
    /** Stops reading the body, wherever it is. */
    leave: async () => {
      await source.return?.().catch(() => undefined)
    },
  }
}

const malformed = () => new AppError('bad_request', 'Тело запроса не читается как multipart/form-data с одним файлом.')

function interrupted(cause?: unknown): never {
  throw new AppError('bad_request', 'Загрузка прервалась. Повторите её.', { cause })
}
