import { citedNumbers } from '#contract/citations.ts'
import type { Summary } from '#contract/summaries.ts'
import type { Message, Thread } from '#contract/threads.ts'

/** An exported thread and the lines of its files. No database here: Word documents are made in a thread of their own. */

export interface ExportedThread {
  owner: string
  thread: Thread
  /** Total size of the texts. */
  bytes: number
  messages: AsyncIterable<Message> | Iterable<Message>
  /** Exported in JSON only; the other files contain the messages themselves. */
  summaries: Summary[]
  speakerOf: (message: Message) => string
}

export function textOf({ content, error }: Message): string {
  return content.trim() === '' ? (error?.message ?? '') : content
}

export function thoughtText({ thought }: Message): string | null {
  return thought?.text ? `Размышления: ${thought.text.trim()}` : null
}

export function filesLine({ files }: Message): string | null {
  return files.length === 0 ? null : `Файлы: ${files.map(({ name }) => name).join(', ')}`
}

export function citationsLine({ content, citations: all }: Message): string | null {
  // Web pages are listed only if the answer cites them.
  const cited = all.some(({ web }) => web) ? citedNumbers(content) : null
  const citations = all.filter(({ n, web }) => !web || cited?.has(n))
  if (citations.length === 0) return null
  const nameOf = ({ fileName, place, web }: Message['citations'][number]) => {
    if (web) return [`«${web.title}», ${web.site}`, web.date, web.url].filter(Boolean).join(', ')
    return place ? `${fileName}, ${place}` : fileName
  }
  return `Источники: ${citations.map((citation) => `[${citation.n}] ${nameOf(citation)}`).join('; ')}`
}

const longDate = new Intl.DateTimeFormat('ru', { dateStyle: 'long', timeZone: 'Europe/Moscow' })

export const dateLine = ({ createdAt }: Thread) => `Чат от ${longDate.format(new Date(createdAt))}`
