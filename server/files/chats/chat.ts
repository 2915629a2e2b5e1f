import type { ChatSource } from '#contract/imports.ts'

/** Where the bytes of a file are: an entry of one of the files of the import. */
export interface EntryRef {
  file: number
  entry: number
}

export interface ReadPicture extends EntryRef {
  name: string
}

export interface ReadDocument {
  name: string
  /** Of the source, where it has one. */
  id?: string
  /** Its text, or where its bytes are. */
  content: string | EntryRef
}

/** What an archive names and does not contain, or what has no place here. */
export interface Lost {
  pictures: number
  sounds: number
  files: number
}

export interface ReadMessage {
  /** Of the source. */
  id: string
  parent: string | null
  role: 'user' | 'assistant'
  content: string
  thought: string
  model: string | null
  createdAt: number
  pictures: ReadPicture[]
  documents: ReadDocument[]
}

export interface ReadChat {
  source: ChatSource
  id: string
  title: string
  createdAt: number
  updatedAt: number
  archived: boolean
  pinned: boolean
  project: string | null
  /** The last message that is shown. */
  leaf: string
  /** A parent comes before its children. */
  messages: ReadMessage[]
  lost: Lost
}

/** What only an own export has. */
export interface ProjectSettings {
  /** Only models whose data stays in this country answer; null for all. */
  country: string | null
  replacesPersonal: boolean
  searchWords: boolean
  archived: boolean
}

export const usualSettings: ProjectSettings = {
  ...{ country: null, replacesPersonal: false, searchWords: true, archived: false },
}

export interface ReadProject {
  source: ChatSource
  id: string
  name: string
  /** Empty when the source has none. */
  icon: string
  instructions: string
  settings: ProjectSettings
  documents: ReadDocument[]
  /** Named and not in the archive. */
  lostFiles: number
}

/** Finds the entry of a file by the names that a message has for it. */
export type FindEntry = (...ids: string[]) => EntryRef | null

/** A message is cut here: the page and the search are made for texts of people. */
export const MAX_TEXT = 1_000_000
const CUT = '\n\n[Сообщение длиннее миллиона символов: перенесено его начало.]'

export const cutText = (text: string) => (text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) + CUT : text)

export const NO_PICTURE = '[Картинка не вошла в архив]'
export const noFile = (name: string) => `[Файл «${name}» не перенесён]`

export const nothingLost = (): Lost => ({ pictures: 0, sounds: 0, files: 0 })
