import { BROKEN, Unreadable } from '../rejections.ts'
import type { EntryRef, ReadChat } from './chat.ts'
import { type Archive, type ArchiveEvent, type ArchivePlace, openArchive } from './read-archive.ts'

/** Requests to the thread that reads an archive; it answers each before the next one is sent. */
export type ArchiveRequest =
  | { archive: 'open'; paths: string[]; from: ArchivePlace; isBrief: boolean }
  | { archive: 'next' }
  | { archive: 'extract'; entry: EntryRef; path: string; maxBytes: number }

/** A chat without its texts, to count what an archive contains. */
export type BriefChat = Pick<ReadChat, 'source' | 'id' | 'createdAt' | 'updatedAt' | 'lost'> & {
  messages: number
  pictures: number
  bytes: number
}

type Place = Pick<ArchiveEvent, 'next'>
export type ArchivedItem =
  | Exclude<ArchiveEvent, { type: 'chat' }>
  | ({ type: 'chat'; chat: ReadChat } & Place)
  | ({ type: 'brief'; chat: BriefChat } & Place)

export type ArchiveAnswer =
  | { type: 'opened'; bytes: number; unopened: string[] }
  /** The bytes of text read since the last answer. Nothing is left to read when there are no items. */
  | { type: 'items'; items: ArchivedItem[]; bytes: number }
  | { type: 'extracted'; isWhole: boolean }
  | { type: 'failed'; reason: string }

/** Each answer is one transaction of the import: others wait that long for the embedded database. */
const BATCH_BYTES = 256 * 1024
const BATCH_ITEMS = 50
const BRIEF_ITEMS = 500

/** Answers the requests for one archive. */
export function archiveReader(): (request: ArchiveRequest) => Promise<ArchiveAnswer> {
  let archive: Archive | null = null
  let events: AsyncGenerator<ArchiveEvent> | null = null
  let isBrief = false

  async function answer(request: ArchiveRequest): Promise<ArchiveAnswer> {
    if (request.archive === 'open') {
      archive = await openArchive(request.paths)
      events = archive.read(request.from)
      isBrief = request.isBrief
      return { type: 'opened', bytes: archive.bytes, unopened: [...archive.notes.nested, ...archive.notes.locked] }
    }
    if (request.archive === 'next') return nextItems()
    const { entry, path, maxBytes } = request
    return { type: 'extracted', isWhole: (await archive?.extract(entry, path, maxBytes)) ?? false }
  }

  async function nextItems(): Promise<ArchiveAnswer> {
    const items: ArchivedItem[] = []
    let [read, weight] = [0, 0]
    while (events && items.length < (isBrief ? BRIEF_ITEMS : BATCH_ITEMS) && weight < BATCH_BYTES) {
      const { value, done } = await events.next()
      if (done || !value) break
      read += value.bytes
      if (isBrief && value.type === 'chat') items.push({ type: 'brief', chat: briefOf(value.chat), next: value.next })
      else if (isBrief && value.type === 'project')
        items.push({ ...value, project: { ...value.project, instructions: '', documents: [] } })
      else items.push(value)
      if (!isBrief && value.type === 'chat') weight += bytesIn(value.chat)
      if (!isBrief && value.type === 'project') weight += BATCH_BYTES
    }
    return { type: 'items', items, bytes: read }
  }

  return (request) =>
    answer(request).catch((error: unknown) => ({
      type: 'failed',
      reason: error instanceof Unreadable ? error.message : BROKEN,
    }))
}

const bytesIn = ({ messages }: ReadChat) =>
  messages.reduce((sum, { content, thought }) => sum + Buffer.byteLength(content) + Buffer.byteLength(thought), 0)

function briefOf(chat: ReadChat): BriefChat {
  const { source, id, createdAt, updatedAt, lost, messages } = chat
  const pictures = messages.reduce((sum, message) => sum + message.pictures.length, 0)
  return { source, id, createdAt, updatedAt, lost, messages: messages.length, pictures, bytes: bytesIn(chat) }
}
