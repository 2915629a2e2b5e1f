import { type ArchiveFile, extractEntry, openArchiveFile } from './archive-file.ts'
import type { EntryRef, FindEntry } from './chat.ts'
import { splitItems } from './json-items.ts'
import { LIST_KEYS, type ReadItem, readItem, titleIn } from './read-item.ts'

/** A place in the texts of an archive: everything before it has been read. */
export interface ArchivePlace {
  file: number
  /** The number in the list of texts of the file. */
  text: number
  item: number
}

export type ArchiveEvent = Exclude<ReadItem, { type: 'other' }> & { next: ArchivePlace; bytes: number }

export interface Archive {
  /** Bytes of all texts, unpacked. */
  bytes: number
  notes: { nested: string[]; locked: string[] }
  read: (from: ArchivePlace) => AsyncGenerator<ArchiveEvent>
  extract: (entry: EntryRef, path: string, maxBytes: number) => Promise<boolean>
  close: () => void
}

export const BEGIN: ArchivePlace = { file: 0, text: 0, item: 0 }

/** A chat takes several times its text while it is parsed, and all of it is in memory. */
const MAX_CHAT_BYTES = 16 * 1024 ** 2

/** Files that were chosen together are one archive: pictures of a chat may be in another file. */
export async function openArchive(paths: readonly string[], maxChatBytes = MAX_CHAT_BYTES): Promise<Archive> {
  const files: ArchiveFile[] = []
  const close = () => {
    for (const file of files) file.close()
  }
  try {
    for (const path of paths) files.push(await openArchiveFile(path))
  } catch (error) {
    close()
    throw error
  }
  const findEntry = entryFinder(files)
  return {
    bytes: files.reduce((sum, file) => sum + file.texts.reduce((all, text) => all + file.bytesOf(text), 0), 0),
    notes: {
      nested: files.flatMap(({ notes }) => notes.nested),
      locked: files.flatMap(({ notes }) => notes.locked),
    },
    read: (from) => readTexts(files, from, findEntry, maxChatBytes),
    extract: async ({ file, entry }, path, maxBytes) => {
      const found = files[file]
      return found ? extractEntry(found, entry, path, maxBytes) : false
    },
    close,
  }
}

async function* readTexts(
  files: ArchiveFile[],
  from: ArchivePlace,
  findEntry: FindEntry,
  maxChatBytes: number,
): AsyncGenerator<ArchiveEvent> {
  for (let file = from.file; file < files.length; file += 1) {
    const archive = files[file]
    const firstText = file === from.file ? from.text : 0
    for (let text = firstText; archive && text < archive.texts.length; text += 1) {
      const skip = file === from.file && text === from.text ? from.item : 0
      yield* readText(archive, { file, text, item: skip }, findEntry, maxChatBytes)
    }
  }
}

async function* readText(
  archive: ArchiveFile,
  { file, text, item: skip }: ArchivePlace,
  findEntry: FindEntry,
  maxChatBytes: number,
): AsyncGenerator<ArchiveEvent> {
  const splitter = splitItems(LIST_KEYS, maxChatBytes)
  const entry = archive.texts[text] ?? -1
  const isChats = CHATS.test(archive.nameOf(entry))
  let [count, chats, bytes] = [0, 0, 0]
  const events = function* (items: ReturnType<typeof splitter.push>): Generator<ArchiveEvent> {
    for (const item of items) {
      count += 1
      if (count <= skip) continue
      const found: ReadItem =
        item.text === null
          ? { type: 'skipped', reason: 'too-large', name: titleIn(item.head) }
          : readItem(item.text, findEntry, isChats)
      if (found.type === 'other') continue
      if (found.type === 'chat') chats += 1
      yield { ...found, next: { file, text, item: count }, bytes }
      bytes = 0
    }
  }
  let isBroken = false
  try {
    for await (const chunk of archive.read(entry)) {
      bytes += chunk.length
      yield* events(splitter.push(chunk))
    }
  } catch {
    // The rest of a broken entry is lost; the next one may be whole.
    isBroken = true
  }
  const name = archive.nameOf(entry)
  const end = splitter.cutOff()
  // In an archive there is JSON of other kinds, too.
  const isCutOff = end === 'list' || (end === 'text' && (chats > 0 || name === ''))
  if ((isCutOff || isBroken) && count >= skip)
    yield { type: 'skipped', reason: 'cut-off', name, chats, next: { file, text: text + 1, item: 0 }, bytes }
}

/** What services call their files of chats. */
const CHATS = /^conversations(-\d+)?\.json$/i

const PICTURE = /^(file-[A-Za-z0-9]+|file_[A-Za-z0-9]+)/

/** Pictures are named by the id that the message has, with a name or a type behind it. */
function entryFinder(files: readonly ArchiveFile[]): FindEntry {
  const known = new Map<string, EntryRef>()
  for (const [file, archive] of files.entries()) {
    for (const [entry, name] of archive.names()) {
      if (/\.json$|\.html$/i.test(name)) continue
      for (const id of [PICTURE.exec(name)?.[1], name.replace(/\.[^.]*$/, '')])
        if (id && !known.has(id)) known.set(id, { file, entry })
    }
  }
  return (...ids) => ids.map((id) => (id === '' ? undefined : known.get(id))).find((ref) => ref !== undefined) ?? null
}
